// Poses as plain numbers: x y z, qx qy qz qw.

import type { Point, Pose } from '../contract';

export const IDENTITY: Pose = [0, 0, 0, 0, 0, 0, 1];

export function readPoseAt(poses: ArrayLike<number>, index: number): Pose {
  const o = index * 7;
  return [poses[o], poses[o + 1], poses[o + 2], poses[o + 3], poses[o + 4], poses[o + 5], poses[o + 6]];
}

export function rotate(q: Pose, p: Point): Point {
  const [, , , x, y, z, w] = q;
  const tx = 2 * (y * p[2] - z * p[1]);
  const ty = 2 * (z * p[0] - x * p[2]);
  const tz = 2 * (x * p[1] - y * p[0]);
  return [
    p[0] + w * tx + y * tz - z * ty,
    p[1] + w * ty + z * tx - x * tz,
    p[2] + w * tz + x * ty - y * tx,
  ];
}

export function transform(pose: Pose, p: Point): Point {
  const r = rotate(pose, p);
  return [r[0] + pose[0], r[1] + pose[1], r[2] + pose[2]];
}

/** X_AC = X_AB X_BC. */
export function compose(a: Pose, b: Pose): Pose {
  const p = transform(a, [b[0], b[1], b[2]]);
  const [, , , ax, ay, az, aw] = a;
  const [, , , bx, by, bz, bw] = b;
  return [
    p[0], p[1], p[2],
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}

/** The pose as a 4x4 matrix, column by column. */
export function writeMatrix(pose: Pose, out: Float32Array | number[], offset = 0): void {
  const [px, py, pz, x, y, z, w] = pose;
  out[offset] = 1 - 2 * (y * y + z * z);
  out[offset + 1] = 2 * (x * y + z * w);
  out[offset + 2] = 2 * (x * z - y * w);
  out[offset + 3] = 0;
  out[offset + 4] = 2 * (x * y - z * w);
  out[offset + 5] = 1 - 2 * (x * x + z * z);
  out[offset + 6] = 2 * (y * z + x * w);
  out[offset + 7] = 0;
  out[offset + 8] = 2 * (x * z + y * w);
  out[offset + 9] = 2 * (y * z - x * w);
  out[offset + 10] = 1 - 2 * (x * x + y * y);
  out[offset + 11] = 0;
  out[offset + 12] = px;
  out[offset + 13] = py;
  out[offset + 14] = pz;
  out[offset + 15] = 1;
}

/** The frame before t and the share of the way to the next one; held outside. */
export function findFrame(times: Float64Array, t: number): { frame: number; share: number } {
  const last = times.length - 1;
  if (last < 1 || !(t > times[0])) return { frame: 0, share: 0 };
  if (t >= times[last]) return { frame: last - 1, share: 1 };
  let low = 0;
  let high = last;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle;
  }
  const span = times[high] - times[low];
  return { frame: low, share: span > 0 ? (t - times[low]) / span : 0 };
}

/** Between two frames places go straight; turns go the shorter way at constant speed (slerp). */
export function blendPose(
  positions: Float64Array, rotations: Float64Array, frame: number, share: number, out: Float32Array, offset: number,
): void {
  const p = frame * 3;
  const q = frame * 4;
  const hasNext = share > 0;
  for (let k = 0; k < 3; ++k) {
    const here = positions[p + k];
    out[offset + k] = hasNext ? here + share * (positions[p + 3 + k] - here) : here;
  }
  const [a, b] = hasNext ? slerpWeights(rotations, q, share) : [1, 0];
  let length = 0;
  for (let k = 0; k < 4; ++k) {
    const value = a * rotations[q + k] + (hasNext ? b * rotations[q + 4 + k] : 0);
    out[offset + 3 + k] = value;
    length += value * value;
  }
  const scale = length > 0 ? 1 / Math.sqrt(length) : 0;
  for (let k = 0; k < 4; ++k) out[offset + 3 + k] *= scale;
  if (scale === 0) out[offset + 6] = 1;
}

function slerpWeights(rotations: Float64Array, q: number, share: number): [number, number] {
  let cosine = 0;
  for (let k = 0; k < 4; ++k) cosine += rotations[q + k] * rotations[q + 4 + k];
  const sign = cosine < 0 ? -1 : 1;
  const angle = Math.acos(Math.min(1, Math.abs(cosine)));
  if (angle < 1e-3) return [1 - share, sign * share];
  const sine = Math.sin(angle);
  return [Math.sin((1 - share) * angle) / sine, (sign * Math.sin(share * angle)) / sine];
}
