// Looking at one place: where the eye goes, and what is seen through so that nothing hides it.

import * as THREE from 'three';
import type { Camera, Part, Point } from '../contract';
import { isEmpty, radiusOf, type Box } from '../math/bounds';
import { acrossOf, chooseSight } from '../math/sight';
import type { Picker } from './picker';

export interface Sight { camera: Camera; faded: Map<Part, number> }

/** What is left of the opacity: of what stands in the way; of the two themselves, where one hides the place. */
const kInTheWay = 0.1;
const kOwn = 0.45;
/** How much more a part itself counts than what is merely faded. */
const kOwnWeight = 8;
/** Of the part's radius: how much of the picture it fills; how near to the place surfaces do not hide it. */
const kRoom = 1.5;
const kNear = 0.02;
const kRing = 8;

/**
 * Sees the place with the parts about it. `boxOf` is the box of one part; `others`: everything else, all of which is
 * seen through with `alone`, else only what is in the way.
 */
export function findSight(
  place: Point, parts: readonly Part[], others: readonly Part[], present: Camera, fov: number,
  picker: Picker, boxOf: (part: Part) => Box | null, alone: boolean,
): Sight {
  const radius = sizeAround(parts, boxOf);
  const distance = (kRoom * radius) / Math.sin(fov / 2);
  const own = new Set(parts);
  const hiding = (direction: Point, from: Point = place): Set<Part> =>
    picker.partsOn(new THREE.Ray(new THREE.Vector3(...from), new THREE.Vector3(...direction)), kNear * radius, distance);
  const now: Point = [0, 1, 2].map((k) => present.position[k] - present.target[k]) as unknown as Point;
  const direction = chooseSight(now, (each) => {
    let cost = 0;
    for (const part of hiding(each)) cost += own.has(part) ? kOwnWeight : alone ? 0 : 1;
    return cost;
  });
  const faded = new Map<Part, number>();
  if (alone) for (const part of others) faded.set(part, kInTheWay);
  for (const part of hiding(direction)) faded.set(part, own.has(part) ? kOwn : kInTheWay);
  for (const from of ringAround(place, direction, radius / 2)) {
    for (const part of hiding(direction, from)) if (!own.has(part)) faded.set(part, kInTheWay);
  }
  const position = place.map((x, k) => x + distance * direction[k]) as unknown as Point;
  return { camera: { position, target: place }, faded };
}

/** Of the smallest of the parts: the other may be a whole frame. */
function sizeAround(parts: readonly Part[], boxOf: (part: Part) => Box | null): number {
  const sizes = parts.map(boxOf).filter((box) => box !== null && !isEmpty(box)).map((box) => radiusOf(box!));
  return Math.max(1e-4, sizes.length > 0 ? Math.min(...sizes) : 0.1);
}

function ringAround(place: Point, direction: Point, radius: number): Point[] {
  const [u, v] = acrossOf(direction);
  return Array.from({ length: kRing }, (_, k) => {
    const [c, s] = [Math.cos((2 * Math.PI * k) / kRing) * radius, Math.sin((2 * Math.PI * k) / kRing) * radius];
    return [0, 1, 2].map((i) => place[i] + c * u[i] + s * v[i]) as unknown as Point;
  });
}
