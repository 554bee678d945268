// Rotations of ball joints as three numbers that a hand can set one by one: the axis times the angle. The joint itself
// holds a quaternion.
import type { Point } from '../view/contract';

/** x y z w, as in q. */
export type Quaternion = readonly [number, number, number, number];

/** A little less than half a turn: at half a turn one rotation has two vectors, and the numbers would jump between them. */
export const kHalfTurn = Math.PI * (1 - 1e-6);

/** The shorter way round: its length is at most half a turn. */
export function toRotationVector([x, y, z, w]: Quaternion): Point {
  const sine = Math.hypot(x, y, z);
  if (sine === 0) return [0, 0, 0];
  const scale = (2 * Math.atan2(sine, Math.abs(w)) * (w < 0 ? -1 : 1)) / sine;
  return [x * scale, y * scale, z * scale];
}

export function fromRotationVector([x, y, z]: Point): Quaternion {
  const angle = Math.hypot(x, y, z);
  const scale = angle < 1e-9 ? 0.5 : Math.sin(angle / 2) / angle;
  return [x * scale, y * scale, z * scale, Math.cos(angle / 2)];
}

/** The vector with one number as wanted. Where all three would turn further than `largest`, the two others give way. */
export function withComponent(vector: Point, k: 0 | 1 | 2, wanted: number, largest: number): Point {
  const value = Math.max(-largest, Math.min(largest, wanted));
  const others = Math.hypot(...vector.filter((_, i) => i !== k));
  const room = Math.sqrt(Math.max(0, largest * largest - value * value));
  const share = others > room ? room / others : 1;
  return vector.map((each, i) => (i === k ? value : each * share)) as unknown as Point;
}
