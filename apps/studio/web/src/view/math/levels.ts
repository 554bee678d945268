// Levels of detail: which one to draw, and the vertices that a level needs.

import type { PackedMesh } from '../contract';

/** An error that is seen smaller than this many pixels does not matter. */
const kMaxErrorPx = 0.8;
/** A coarser level is left again only when its error is clearly seen, so that levels do not flicker at the border. */
const kLeaveErrorPx = 1.1;

/** Smaller things vanish between the pixels. */
const kMinRadiusPx = 0.35;

/** `errors` rise with the level; `pixelsPerMetre` at the nearest point of the thing. */
export function chooseLevel(errors: readonly number[], pixelsPerMetre: number, current: number): number {
  let level = 0;
  while (level + 1 < errors.length && errors[level + 1] * pixelsPerMetre <= kMaxErrorPx) ++level;
  const stays = current > level && current < errors.length && errors[current] * pixelsPerMetre <= kLeaveErrorPx;
  return stays ? current : level;
}

/** Pixels that a metre takes at the distance of the nearest point of a ball; `focal`: pixels at 1 m. */
export function pixelsPerMetre(focal: number, distanceToCentre: number, radius: number, near: number): number {
  return focal / Math.max(distanceToCentre - radius, near);
}

/** Whether something of this size is worth drawing at all. */
export function isSeen(radius: number, pixelsPerMetre: number): boolean {
  return radius * pixelsPerMetre > kMinRadiusPx;
}

export interface LevelMesh { positions: Float32Array; normals: Int8Array; indices: Uint32Array }

/** A level with only those vertices that it uses: far fewer for the coarse ones. */
export function compactLevel(mesh: PackedMesh, level: number): LevelMesh {
  const { indices } = mesh.levels[level];
  const vertexCount = mesh.positions.length / 3;
  const places = new Int32Array(vertexCount).fill(-1);
  const used: number[] = [];
  const compacted = indices.map((index) => {
    if (places[index] < 0) places[index] = used.push(index) - 1;
    return places[index];
  });
  const positions = new Float32Array(used.length * 3);
  const normals = new Int8Array(used.length * 4);
  used.forEach((vertex, i) => {
    for (let k = 0; k < 3; ++k) positions[3 * i + k] = mesh.positions[3 * vertex + k];
    for (let k = 0; k < 4; ++k) normals[4 * i + k] = mesh.normals[4 * vertex + k];
  });
  return { positions, normals, indices: compacted };
}
