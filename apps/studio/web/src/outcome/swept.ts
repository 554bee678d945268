// The space that is passed through, as bare triangles: from the pack in a report, or from swept.stl.
import type { Point, ScenePack, Triangles } from '../view/contract';
import { compose, transform } from '../view/math/poses';

/** Everything in the pack, where it stands. */
export function spaceOfPack(pack: ScenePack): Triangles {
  const corners: number[] = [];
  for (const { body, mesh, pose } of pack.geometry) {
    if (mesh < 0) continue;
    const world = compose(pack.start[pack.bodies[body].mover], pose);
    const { positions, levels } = pack.meshes[mesh];
    for (const k of levels[0]?.indices ?? []) {
      corners.push(...transform(world, [positions[3 * k], positions[3 * k + 1], positions[3 * k + 2]] as Point));
    }
  }
  return Float32Array.from(corners);
}

const kHead = 84;
const kFacet = 50;

/** Of a binary STL; null where it is none. */
export function spaceOfStl(bytes: ArrayBuffer): Triangles | null {
  if (bytes.byteLength < kHead) return null;
  const view = new DataView(bytes);
  const count = view.getUint32(kHead - 4, true);
  if (bytes.byteLength !== kHead + count * kFacet) return null;
  const corners = new Float32Array(9 * count);
  for (let facet = 0; facet < count; facet++) {
    // Behind the normal.
    for (let k = 0; k < 9; k++) corners[9 * facet + k] = view.getFloat32(kHead + facet * kFacet + 12 + 4 * k, true);
  }
  return corners.every(Number.isFinite) ? corners : null;
}
