// What the tab "Joints" shows of each joint: its entries with their units and ranges. No DOM.
import { dimensionOf, formatQuantity, type Dimension } from '../ui/units';
import type { JointInfo } from './protocol';
import { fromRotationVector, kHalfTurn, toRotationVector, withComponent, type Quaternion } from './rotation_vector';

/** The part of q that belongs to one joint. */
export type JointValues = readonly number[];

/** One number that a person can set. */
export interface JointEntry {
  label: string; dimension: Dimension;
  /** A slider's range; null: no slider, where a range would be a guess. */
  range: [number, number] | null;
  limited: boolean;
  /** How far it may go, for people. */
  hint: string;
  read(values: JointValues): number;
  /** The joint's values with this one as wanted. */
  write(values: JointValues, wanted: number): number[];
  isAtLimit(values: JointValues): boolean;
}

const kAxes: Record<string, string[]> = { planar: ['x', 'y', 'angle'], universal: ['first', 'second'] };
/** Of a range: so near to its end counts as there. */
const kSlack = 1e-6;

/** None for joints that are placed by a pose instead. */
export function jointEntries(joint: JointInfo): JointEntry[] {
  if (joint.type === 'free') return [];
  if (joint.type === 'spherical') return ballEntries(joint);
  return Array.from({ length: joint.nq }, (_, index) => plainEntry(joint, index));
}

/** One number of q. */
function plainEntry(joint: JointInfo, index: number): JointEntry {
  const dimension = dimensionOf(joint.units[index] ?? '');
  const [lower, upper] = joint.limits[index] ?? [null, null];
  const limited = isFinite(lower) && isFinite(upper) && lower < upper;
  const turn: [number, number] | null = dimension === 'angle' ? [-Math.PI, Math.PI] : null;
  const range = limited ? [lower, upper] as [number, number] : turn;
  return {
    label: joint.nq === 1 ? '' : kAxes[joint.type]?.[index] ?? String(index), dimension, range, limited,
    hint: limited ? `${formatQuantity(lower, dimension)} to ${formatQuantity(upper, dimension)}` : 'turns without limits',
    read: (values) => values[index],
    write: (values, wanted) => values.map((each, k) => (k === index ? wanted : each)),
    isAtLimit(values) {
      if (!limited) return false;
      const slack = kSlack * (upper - lower);
      return values[index] <= lower + slack || values[index] >= upper - slack;
    },
  };
}

/** A ball joint: the three numbers of its rotation vector. Its limit is the largest angle, of all three together. */
function ballEntries(joint: JointInfo): JointEntry[] {
  const angle = joint.limits[0]?.[1] ?? null;
  const limited = isFinite(angle) && angle > 0 && angle < kHalfTurn;
  const largest = limited ? angle : kHalfTurn;
  const vectorOf = (values: JointValues) => toRotationVector(values as unknown as Quaternion);
  return (['x', 'y', 'z'] as const).map((label, k) => ({
    label, dimension: 'angle', range: [-largest, largest], limited,
    hint: `about ${label}; all three together ${limited ? `at most ${formatQuantity(largest, 'angle')}` : 'at most half a turn'}`,
    read: (values) => vectorOf(values)[k],
    write: (values, wanted) => [...fromRotationVector(withComponent(vectorOf(values), k as 0 | 1 | 2, wanted, largest))],
    isAtLimit: (values) => limited && Math.hypot(...vectorOf(values)) >= largest * (1 - kSlack),
  }));
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
