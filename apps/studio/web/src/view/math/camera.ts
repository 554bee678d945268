// Where the camera stands for a named view, and how far off it must be to see a box.

import type { NamedView, Point } from '../contract';
import { centreOf, cornersOf, type Box } from './bounds';

/**
 * From the target towards the camera. Things face +X, so that is where one sees their front. Top and bottom lean a
 * hair so that Y points up in the picture.
 */
const kDirections: Record<NamedView, Point> = {
  iso: [1, -1, 0.75],
  front: [1, 0, 0],
  back: [-1, 0, 0],
  left: [0, 1, 0],
  right: [0, -1, 0],
  top: [0, -1e-4, 1],
  bottom: [0, -1e-4, -1],
};

/** Room around what is framed. */
const kAir = 1.08;

export function viewDirection(view: NamedView): Point {
  return normalise(kDirections[view]);
}

export function isNamedView(text: string): text is NamedView {
  return Object.hasOwn(kDirections, text);
}

/** The camera that looks at the box from `direction` with all of it in the picture, and a little air around. */
export function fitCamera(
  box: Box, direction: Point, fovY: number, aspect: number,
): { position: Point; target: Point; distance: number } {
  const target = centreOf(box);
  const back = normalise(direction);
  const right = normalise(cross([0, 0, 1], back));
  const up = cross(back, right);
  const tanY = Math.tan(fovY / 2);
  const tanX = tanY * aspect;
  let distance = 0;
  for (const corner of cornersOf(box)) {
    const p: Point = [corner[0] - target[0], corner[1] - target[1], corner[2] - target[2]];
    const wide = Math.max(Math.abs(dot(p, right)) / tanX, Math.abs(dot(p, up)) / tanY);
    distance = Math.max(distance, wide * kAir + dot(p, back));
  }
  distance = Math.max(distance, 1e-3);
  const position = target.map((x, k) => x + distance * back[k]) as unknown as Point;
  return { position, target, distance };
}

/** Distance between grid lines, a power of ten, so that some dozens are seen from this distance. */
export function gridSpacing(distance: number): number {
  return 10 ** Math.floor(Math.log10(Math.max(distance, 1e-6) / 3));
}

function dot(a: Point, b: Point): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function cross(a: Point, b: Point): Point {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/** Straight up has no right hand side; X is as good as any. */
function normalise(v: Point): Point {
  const length = Math.hypot(...v);
  return length < 1e-9 ? [1, 0, 0] : [v[0] / length, v[1] / length, v[2] / length];
}
