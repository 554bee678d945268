// From where a place is seen best: the direction in which the fewest things stand before it.

import type { Point } from '../contract';

const kAzimuths = 12;
const kElevations = [30, 10, 55, -20, 80].map((degrees) => (degrees * Math.PI) / 180);

/** Directions from the place to the eye: `now` first, then all around. */
export function sightDirections(now: Point): Point[] {
  const all: Point[] = [unit(now)];
  for (const up of kElevations) {
    for (let k = 0; k < kAzimuths; k++) {
      const around = (2 * Math.PI * (k + 0.5)) / kAzimuths;
      all.push([Math.cos(up) * Math.cos(around), Math.cos(up) * Math.sin(around), Math.sin(up)]);
    }
  }
  return all;
}

/** The direction that hides least; of those alike the one that turns the picture least. */
export function chooseSight(now: Point, hidden: (direction: Point) => number): Point {
  const from = unit(now);
  let best = from;
  let least = Infinity;
  for (const direction of sightDirections(now)) {
    const turn = Math.acos(Math.min(1, Math.max(-1, dot(direction, from)))) / Math.PI; // 0 to 1: never outweighs what hides
    const cost = hidden(direction) + 0.9 * turn;
    if (cost >= least) continue;
    least = cost;
    best = direction;
  }
  return best;
}

/** Two directions across `direction` and each other. */
export function acrossOf(direction: Point): [Point, Point] {
  const [x, y, z] = unit(direction);
  const first = unit(Math.abs(z) < 0.9 ? [y, -x, 0] : [0, z, -y]);
  return [first, [y * first[2] - z * first[1], z * first[0] - x * first[2], x * first[1] - y * first[0]]];
}

function dot(a: Point, b: Point): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function unit(v: Point): Point {
  const length = Math.hypot(...v);
  return length < 1e-9 ? [1, 0, 0] : [v[0] / length, v[1] / length, v[2] / length];
}
