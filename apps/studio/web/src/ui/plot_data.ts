// What the plots draw, without drawing it.
import type { Track } from '../view/contract';
import type { ClearanceSpan } from './clearance';
import { dimensionOf, shownUnit, toShown } from './units';

/** Times and millimetres of a step plot: each value holds from its time to the next. */
export function clearanceSteps(spans: readonly ClearanceSpan[]): [number[], (number | null)[]] {
  const times: number[] = [];
  const values: (number | null)[] = [];
  spans.forEach((span, k) => {
    times.push(span.begin);
    values.push(span.clearance * 1e3);
    const next = spans[k + 1];
    if (!next) {
      times.push(span.end);
      values.push(span.clearance * 1e3);
    } else if (next.begin > span.end + 1e-9) { // nothing is known in between
      times.push(span.end);
      values.push(null);
    }
  });
  return [times, values];
}

export interface JointSeries { label: string; values: Float32Array; limits: [number | null, number | null] | null }
export interface JointGroup { unit: string; series: JointSeries[] }

/** The joints' entries by unit, in shown units (deg, mm); entries of joints that have several are numbered. */
export function jointGroups(track: Pick<Track, 'joints' | 'values'>): JointGroup[] {
  const groups = new Map<string, JointGroup>();
  let entry = 0;
  for (const joint of track.joints) {
    const dimension = dimensionOf(joint.unit);
    // Quaternions and mixed joints have no unit that fits all their entries.
    const unit = joint.nq === 1 ? shownUnit(dimension) : '';
    for (let k = 0; k < joint.nq; k++, entry++) {
      const shown = (value: number): number => (joint.nq === 1 ? toShown(value, dimension) : value);
      const [lower, upper] = joint.limits[k] ?? [null, null];
      let group = groups.get(unit);
      if (!group) groups.set(unit, (group = { unit, series: [] }));
      group.series.push({
        label: joint.nq === 1 ? joint.name : `${joint.name} [${k}]`,
        values: track.values(entry).map(shown),
        limits: lower === null && upper === null
          ? null : [lower === null ? null : shown(lower), upper === null ? null : shown(upper)],
      });
    }
  }
  return [...groups.values()];
}

/** How much the values move; those that move most are worth seeing first. */
export function travel(values: Float32Array): number {
  let least = Infinity;
  let most = -Infinity;
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return most > least ? most - least : 0;
}

/** Indices of the `count` series that move most, in their order. */
export function mostMoving(series: readonly JointSeries[], count: number): number[] {
  return series.map((each, k) => ({ k, moved: travel(each.values) }))
    .sort((x, y) => y.moved - x.moved || x.k - y.k).slice(0, count)
    .map((each) => each.k).sort((x, y) => x - y);
}
