import { describe, expect, it } from 'vitest';
import {
  clearanceColour, clearanceRgb, kFar, readSpans, scalePosition, sliceClearance, spanAt, tightestSpan,
} from '../../src/ui/clearance';
import { clearanceSteps, jointGroups, mostMoving } from '../../src/ui/plot_data';

const kSpans = [
  { begin: 0, end: 1, clearance: 0.02, a: 'x', b: 'y' },
  { begin: 1, end: 1.5, clearance: 0.005 },
  { begin: 1.5, end: 4, clearance: 0.03 },
];

describe('spans', () => {
  it('are read from result.json; garbage is left out', () => {
    expect(readSpans([{ begin_s: 0, end_s: 1, clearance_m: 0.02, a: 'x', b: 'y' }, null, { begin_s: 'no' }]))
      .toEqual([kSpans[0]]);
    expect(readSpans(undefined)).toEqual([]);
  });

  it('are found by time; where two meet the tighter one counts', () => {
    expect(spanAt(kSpans, 0.5)).toBe(kSpans[0]);
    expect(spanAt(kSpans, 1)).toBe(kSpans[1]);
    expect(spanAt(kSpans, 1.5)).toBe(kSpans[1]);
    expect(spanAt(kSpans, 4)).toBe(kSpans[2]);
    expect(spanAt(kSpans, 4.1)).toBeNull();
    expect(spanAt([], 0)).toBeNull();
    expect(tightestSpan(kSpans)).toBe(kSpans[1]);
  });

  it('are cut into slices that keep the least, however short it is', () => {
    const brief = [{ begin: 0, end: 10, clearance: 1 }, { begin: 5.001, end: 5.002, clearance: 0.1 }];
    expect([...sliceClearance(brief, 0, 10, 4)]).toEqual([1, 1, 0.1, 1]);
    expect([...sliceClearance([{ begin: 0, end: 5, clearance: 1 }], 0, 10, 4)]).toEqual([1, 1, NaN, NaN]);
  });

  it('become steps, with a hole where nothing is known', () => {
    const [times, values] = clearanceSteps([kSpans[0], { begin: 2, end: 3, clearance: 0.01 }]);
    expect(times).toEqual([0, 1, 2, 3]);
    expect(values).toEqual([20, null, 10, 10]);
  });
});

describe('colours', () => {
  it('change along the whole scale and set touching apart', () => {
    expect(scalePosition(0)).toBe(0);
    expect(scalePosition(kFar * 2)).toBe(1);
    const seen = new Set([0, 0.002, 0.01, 0.04, 0.1, 0.2].map((d) => clearanceRgb(d).join()));
    expect(seen.size).toBe(6);
    expect(clearanceRgb(-0.01)).toEqual(clearanceRgb(0));
    expect(clearanceColour(null)).not.toBe(clearanceColour(0));
  });
});

describe('joints', () => {
  const track = {
    joints: [
      { name: 'a', type: 'revolute', unit: 'rad', nq: 1, limits: [[-Math.PI, null]] as [number | null, number | null][] },
      { name: 'base', type: 'planar', unit: 'm', nq: 2, limits: [] },
      { name: 'b', type: 'continuous', unit: 'rad', nq: 1, limits: [[null, null]] as [number | null, number | null][] },
    ],
    values: (entry: number) => Float32Array.of(0, entry + 1),
  };

  it('are grouped by unit, in degrees, with the limits they have', () => {
    const groups = jointGroups(track);
    expect(groups.map((g) => [g.unit, g.series.map((s) => s.label)]))
      .toEqual([['deg', ['a', 'b']], ['', ['base [0]', 'base [1]']]]);
    expect(groups[0].series[0].limits).toEqual([-180, null]);
    expect(groups[0].series[1].limits).toBeNull();
    expect(groups[0].series[1].values[1]).toBeCloseTo((4 * 180) / Math.PI, 3);
    expect(mostMoving(groups[0].series, 1)).toEqual([1]);
  });
});
