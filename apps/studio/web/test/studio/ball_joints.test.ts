// Ball joints: quaternions as three numbers that can be set one by one.
import { describe, expect, it } from 'vitest';
import { jointEntries } from '../../src/studio/joint_rows';
import type { JointInfo } from '../../src/studio/protocol';
import {
  fromRotationVector, kHalfTurn, toRotationVector, withComponent, type Quaternion,
} from '../../src/studio/rotation_vector';
import type { Point } from '../../src/view/contract';

const kTurned: Point = [0.3, -0.8, 1.1];
const kStraight = [0, 0, 0, 1];

const near = (found: readonly number[], wanted: readonly number[]): void => {
  expect(found.length).toBe(wanted.length);
  found.forEach((each, k) => expect(each).toBeCloseTo(wanted[k], 9));
};

describe('rotation vectors', () => {
  it('are the axis times the angle', () => {
    near(toRotationVector([0, 0, Math.SQRT1_2, Math.SQRT1_2]), [0, 0, Math.PI / 2]);
    near(fromRotationVector([Math.PI / 3, 0, 0]), [0.5, 0, 0, Math.sqrt(3) / 2]);
  });

  it('come back as they were, small ones too', () => {
    for (const size of [1, 1e-5, 1e-10, 1e-200, 0, 2.2]) {
      const vector = kTurned.map((each) => each * size) as unknown as Point;
      const back = toRotationVector(fromRotationVector(vector));
      back.forEach((each, k) => expect(Math.abs(each - vector[k])).toBeLessThanOrEqual(1e-12 * Math.abs(size)));
    }
  });

  it('take the shorter way round, whatever the sign and the length of the quaternion', () => {
    const q = fromRotationVector(kTurned);
    near(toRotationVector(q.map((each) => -each) as unknown as Quaternion), kTurned);
    near(toRotationVector(q.map((each) => 0.7 * each) as unknown as Quaternion), kTurned);
    expect(Math.hypot(...toRotationVector(fromRotationVector([4, 0, 0])))).toBeCloseTo(2 * Math.PI - 4, 9);
  });

  it('do not jump to the other side at half a turn', () => {
    for (const vector of [[kHalfTurn, 0, 0], [0, -kHalfTurn, 0]] as Point[]) near(toRotationVector(fromRotationVector(vector)), vector);
  });
});

describe('one number of a rotation vector', () => {
  it('is set as wanted while there is room', () => {
    near(withComponent(kTurned, 1, 0.2, 2), [0.3, 0.2, 1.1]);
  });

  it('makes the others give way at the largest angle, in their proportion', () => {
    const [x, y, z] = withComponent([0.5, 0.2, 0.4], 0, 0.9, 1);
    expect(x).toBe(0.9);
    expect(Math.hypot(x, y, z)).toBeCloseTo(1, 12);
    expect(y / z).toBeCloseTo(0.5, 12);
  });

  it('goes no further than the largest angle', () => {
    near(withComponent([0.1, 0.1, 0.1], 2, -7, 1), [0, 0, -1]);
  });
});

describe('ball joints', () => {
  const ball = (upper: number | null): JointInfo => ({ name: 'lamp/head', type: 'spherical', role: 'independent', q: 0, nq: 4,
    body: 'lamp/head', limits: [[null, upper]], units: ['1', '1', '1', '1'] });

  it('have three sliders in degrees up to the largest angle', () => {
    const entries = jointEntries(ball(0.5));
    expect(entries.map(({ label, dimension, range, limited }) => ({ label, dimension, range, limited }))).toEqual(
      ['x', 'y', 'z'].map((label) => ({ label, dimension: 'angle', range: [-0.5, 0.5], limited: true })));
    expect(entries[0].hint).toContain('28.6 deg');
  });

  it('turn up to half a turn without a limit', () => {
    for (const joint of [ball(null), ball(Math.PI), ball(0), { ...ball(1), limits: [] }]) {
      for (const { range, limited } of jointEntries(joint)) {
        expect(range![1]).toBeCloseTo(Math.PI, 4);
        expect(limited).toBe(false);
      }
    }
  });

  it('read and write the quaternion in q', () => {
    const [x, , z] = jointEntries(ball(1));
    const turned = z.write(x.write(kStraight, 0.3), -0.4);
    expect(turned).toHaveLength(4);
    expect(Math.hypot(...turned)).toBeCloseTo(1, 12);
    expect(x.read(turned)).toBeCloseTo(0.3, 12);
    expect(z.read(turned)).toBeCloseTo(-0.4, 12);
  });

  it('are at their limit by the angle of all three', () => {
    const entries = jointEntries(ball(1));
    const at = (vector: Point): boolean[] => entries.map((entry) => entry.isAtLimit(fromRotationVector(vector)));
    expect(at([0.6, 0, 0.8])).toEqual([true, true, true]);
    expect(at([0.6, 0, 0.7])).toEqual([false, false, false]);
    expect(jointEntries(ball(null))[0].isAtLimit(fromRotationVector([kHalfTurn, 0, 0]))).toBe(false);
  });
});
