// The moments of a motion that matter, and how they are shown: the tightest, a contact, collisions at its ends; without a
// motion what blocks it.
import type { TimelineMark } from '../ui/timeline';
import { formatLength, formatSeconds } from '../ui/units';
import { boundText, pairText, tightestSpan } from '../ui/clearance';
import type { Point } from '../view/contract';
import type { ReportData } from './data';

export interface Moment {
  id: string; kind: 'tightest' | 'contact' | 'collision' | 'gap' | 'blocking' | 'wall';
  at: number; a: string; b: string;
  parts?: string[]; // where they are not just the two
  title: string; figure: string; more?: string; // "Tightest moment", "1.89 mm at 0 s", what else is known
  points: [Point, Point] | null;
}

export function findMoments(data: ReportData): Moment[] {
  const moments: Moment[] = [];
  if (data.contact) {
    const { at, a, b, distance, point } = data.contact;
    const depth = distance < 0 ? `${formatLength(-distance)} deep ` : '';
    moments.push({ id: 'contact', kind: 'contact', at, a, b, title: 'First contact', figure: `${depth}at ${formatSeconds(at)}`, points: twice(point) });
  }
  const tightest = data.contact ? null : tightestMoment(data);
  if (tightest) moments.push(tightest);
  data.collisions.forEach(({ where, a, b, depth, point }, k) => {
    moments.push({
      id: `collision${k}`, kind: 'collision', at: where === 'goal' ? data.end : data.begin, a, b,
      title: `Collision at the ${where === 'goal' ? 'goal' : 'start'}`,
      figure: depth === null ? '' : `${formatLength(depth)} deep`, points: twice(point),
    });
  });
  return [...moments, ...blockedMoments(data)];
}

/** What was found out about a search without a motion, shown where the motion would begin. */
function blockedMoments({ reasons, begin: at }: ReportData): Moment[] {
  if (!reasons) return [];
  const moments: Moment[] = [];
  const { gap } = reasons;
  if (gap) {
    moments.push({
      id: 'gap', kind: 'gap', at, a: gap.moved, b: gap.between.join(', '), parts: gap.between,
      title: 'Narrowest place', figure: `${formatLength(gap.missing)} thinner it comes through`,
      points: gap.onMoved && gap.onOther && [gap.onMoved, gap.onOther],
    });
  }
  const listed = (kind: Moment['kind'], names: string[], title: string): Moment[] => names.map((name, k) => (
    { id: `${kind}${k}`, kind, at, a: name, b: '', title, figure: '', points: null }));
  return [...moments, ...listed('blocking', reasons.without, 'Without it there is a motion, found and proven'), ...listed('wall', reasons.walls, 'Encloses it, proven'),
    ...listed('blocking', reasons.suspects, 'Suspected: met most often by the search').map((moment) => ({ ...moment, id: `suspect-${moment.id}` }))];
}

function tightestMoment(data: ReportData): Moment | null {
  const known = data.tightest;
  const span = tightestSpan(data.spans);
  if (!known && !span) return null;
  const { at, a, b } = known ?? { at: span!.begin, a: span!.a ?? '', b: span!.b ?? '' };
  const distance = known ? known.distance : span!.clearance;
  const points: Moment['points'] = known?.onA && known.onB ? [known.onA, known.onB] : null;
  return {
    id: 'tightest', kind: 'tightest', at, a, b, title: 'Tightest moment', figure: `${formatLength(distance)} at ${formatSeconds(at)}`,
    more: known ? boundText(distance, data.clearance) : ' (proven bound)', points,
  };
}

function twice(point: Point | null): Moment['points'] {
  return point && [point, point];
}

/** Those that lie on the motion, for the timeline and the plots. */
export function timelineMarks(moments: readonly Moment[]): TimelineMark[] {
  return moments.flatMap(({ kind, at, a, b, title, figure }) =>
    kind !== 'tightest' && kind !== 'contact' ? [] : [{ time: at, kind, label: `${title}: ${figure}, ${pairText(a, b)}` }]);
}
