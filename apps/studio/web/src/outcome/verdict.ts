// The verdict in one word or two; the sentence beside it comes from geste itself.
import type { ReportData } from './data';

export interface Badge { text: string; kind: 'good' | 'alarm' | 'warn' }

export function badgeOf(data: Pick<ReportData, 'frames' | 'collisions' | 'isChecked' | 'isFree' | 'contact' | 'reasons'>): Badge {
  if (data.reasons?.isProven && data.reasons.kind === 'blocked') return { text: 'Proven blocked', kind: 'alarm' };
  if (data.reasons?.kind === 'time') return { text: 'Out of time', kind: 'warn' };
  if (data.contact || data.collisions.length > 0) return { text: 'Collides', kind: 'alarm' };
  if (data.frames === 0 || data.reasons) return { text: 'No motion', kind: 'warn' };
  if (!data.isChecked) return { text: 'Not checked', kind: 'warn' };
  return data.isFree ? { text: 'Proven free', kind: 'good' } : { text: 'Not proven', kind: 'warn' };
}
