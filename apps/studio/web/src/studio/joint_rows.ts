// What the tab "Joints" shows of each joint: its entries with their units and ranges. No DOM.
import { dimensionOf, type Dimension } from '../ui/units';
import type { JointInfo } from './protocol';

export interface JointEntry {
  label: string; dimension: Dimension; index: number;
  /** A slider's range; null: no slider, where a range would be a guess. */
  range: [number, number] | null;
  limited: boolean;
}

const kAxes: Record<string, string[]> = { planar: ['x', 'y', 'angle'], universal: ['first', 'second'] };

/** Entries that a person can set one by one: none for joints that turn freely about all axes. */
export function jointEntries(joint: JointInfo): JointEntry[] {
  if (joint.type === 'free' || joint.type === 'spherical') return [];
  return Array.from({ length: joint.nq }, (_, index): JointEntry => {
    const dimension = dimensionOf(joint.units[index] ?? '');
    const [lower, upper] = joint.limits[index] ?? [null, null];
    const limited = isFinite(lower) && isFinite(upper) && lower < upper;
    const turn: [number, number] | null = dimension === 'angle' ? [-Math.PI, Math.PI] : null;
    const label = joint.nq === 1 ? '' : kAxes[joint.type]?.[index] ?? String(index);
    return { label, dimension, index, limited, range: limited ? [lower, upper] : turn };
  });
}

function isFinite(value: number | null | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

/** By actor, in the order they come: "arm/joint1" belongs to "arm". */
export function groupJoints(joints: readonly JointInfo[]): [string, JointInfo[]][] {
  const groups = new Map<string, JointInfo[]>();
  for (const joint of joints) {
    const slash = joint.name.indexOf('/');
    const actor = slash > 0 ? joint.name.slice(0, slash) : '';
    groups.set(actor, [...(groups.get(actor) ?? []), joint]);
  }
  return [...groups];
}

export function isAtLimit(value: number, entry: JointEntry): boolean {
  if (!entry.limited || !entry.range) return false;
  const slack = 1e-6 * (entry.range[1] - entry.range[0]);
  return value <= entry.range[0] + slack || value >= entry.range[1] - slack;
}
