// Boxes along the axes.

import type { Point, Pose } from '../contract';
import { rotate, transform } from './poses';

export interface Box { min: [number, number, number]; max: [number, number, number] }

export function emptyBox(): Box {
  return { min: [Infinity, Infinity, Infinity], max: [-Infinity, -Infinity, -Infinity] };
}

export function isEmpty(box: Box): boolean {
  return !(box.min[0] <= box.max[0]);
}

export function boxOfPositions(positions: Float32Array): Box {
  const box = emptyBox();
  for (let i = 0; i < positions.length; ++i) {
    const k = i % 3;
    if (positions[i] < box.min[k]) box.min[k] = positions[i];
    if (positions[i] > box.max[k]) box.max[k] = positions[i];
  }
  return box;
}

export function centreOf(box: Box): Point {
  return [0, 1, 2].map((k) => (box.min[k] + box.max[k]) / 2) as unknown as Point;
}

/** Half of the diagonal. */
export function radiusOf(box: Box): number {
  return Math.hypot(box.max[0] - box.min[0], box.max[1] - box.min[1], box.max[2] - box.min[2]) / 2;
}

/** Enlarges `into` by the box that holds `box` when moved to `pose`. */
export function addMoved(into: Box, box: Box, pose: Pose): void {
  if (isEmpty(box)) return;
  const centre = transform(pose, centreOf(box));
  const reach = [0, 0, 0];
  for (let axis = 0; axis < 3; ++axis) {
    const half: [number, number, number] = [0, 0, 0];
    half[axis] = (box.max[axis] - box.min[axis]) / 2;
    rotate(pose, half).forEach((part, k) => (reach[k] += Math.abs(part)));
  }
  for (let k = 0; k < 3; ++k) {
    into.min[k] = Math.min(into.min[k], centre[k] - reach[k]);
    into.max[k] = Math.max(into.max[k], centre[k] + reach[k]);
  }
}

export function cornersOf(box: Box): Point[] {
  const corners: Point[] = [];
  for (const x of [box.min[0], box.max[0]]) {
    for (const y of [box.min[1], box.max[1]]) {
      for (const z of [box.min[2], box.max[2]]) corners.push([x, y, z]);
    }
  }
  return corners;
}
