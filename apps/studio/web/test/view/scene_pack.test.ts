import { describe, expect, it } from 'vitest';
import { PackFault } from '../../src/view/pack/pack_reader';
import { decodeScenePack } from '../../src/view/pack/scene_pack';
import { HERE, makeBallMesh, makeBoxMesh, makeScenePack, type SceneSource } from './pack_maker';

const SCENE: SceneSource = {
  name: 'small', start: [HERE, [0, 0, 1, 0, 0, 0, 1]],
  actors: [{ name: 'table', kind: 'part' }],
  bodies: [
    { name: 'table', actor: 0, mover: 0, parent: -1 },
    { name: 'ball', actor: -1, mover: 1, parent: -1, pose: [1, 0, 0, 0, 0, 0, 1] },
  ],
  geometry: [
    { name: 'top', body: 0, mesh: 0, colour: [0.2, 0.3, 0.4, 1] },
    { name: 'ball', body: 1, mesh: 1, collision: false },
    { name: 'nothing', body: 1, mesh: -1 },
  ],
  meshes: [makeBoxMesh(1, 2, 0.1), makeBallMesh(0.3)],
};

/** The pack with its head changed, the buffers as they were. */
async function withHead(change: (head: any) => void): Promise<Uint8Array> {
  const pack = await makeScenePack(SCENE);
  const length = new DataView(pack.buffer).getUint32(4, true);
  const head = JSON.parse(new TextDecoder().decode(pack.subarray(8, 8 + length)));
  change(head);
  const text = new TextEncoder().encode(JSON.stringify(head));
  const padded = Math.ceil(text.length / 4) * 4;
  const out = new Uint8Array(8 + padded + pack.length - 8 - length).fill(32);
  out.set(pack.subarray(0, 4));
  new DataView(out.buffer).setUint32(4, padded, true);
  out.set(text, 8);
  out.set(pack.subarray(8 + length), 8 + padded);
  return out;
}

describe('scene packs', () => {
  it('come back as they were written, within the rounding', async () => {
    const pack = await decodeScenePack(await makeScenePack(SCENE));
    expect(pack.name).toBe('small');
    expect(pack.triangles).toBe(12 + 16 * 32 * 2);
    expect(pack.start[1]).toEqual([0, 0, 1, 0, 0, 0, 1]);
    expect(pack.bodies[1]).toMatchObject({ name: 'ball', mover: 1, parent: -1, pose: [1, 0, 0, 0, 0, 0, 1] });
    expect(pack.geometry[1]).toMatchObject({ mesh: 1, visual: true, collision: false });
    SCENE.meshes.forEach((mesh, m) => {
      mesh.positions.forEach((x, i) => expect(Math.abs(pack.meshes[m].positions[i] - x)).toBeLessThan(11e-6));
      // The codec may turn a triangle's corners round, never its side.
      mesh.levels.forEach((level, k) => {
        expect(pack.meshes[m].levels[k].indices.length).toBe(level.indices.length);
        expect(triangles(pack.meshes[m].levels[k].indices)).toEqual(triangles(level.indices));
        expect(pack.meshes[m].levels[k].error).toBe(level.error);
      });
    });
    expect([...pack.meshes[0].normals.subarray(0, 4)]).toEqual([-127, 0, 0, 0]);
  });

  it.each<[string, (head: any) => void, RegExp]>([
    ['a body of no actor', (h) => (h.bodies[0].actor = 7), /bodies\[0\]\.actor is 7/],
    ['a mesh that is not there', (h) => (h.geometry[1].mesh = 2), /geometry\[1\]\.mesh/],
    ['a buffer beyond the end', (h) => (h.meshes[0].positions.offset = 1e9), /positions\.offset/],
    ['a buffer that is too long', (h) => (h.meshes[0].normals.bytes += 1e6), /normals\.bytes/],
    ['more vertices than bytes', (h) => (h.meshes[1].vertices = 1e8), /claims/],
    ['fewer vertices than indices name', (h) => (h.meshes[0].vertices = 8), /damaged/],
    ['a buffer of another thing', (h) => (h.meshes[0].positions = h.meshes[0].levels[0]), /cannot be decoded/],
    ['two indices per triangle', (h) => (h.meshes[0].levels[0].indices = 35), /three per triangle/],
    ['no levels', (h) => (h.meshes[0].levels = []), /levels is empty/],
    ['a pose without turn', (h) => (h.start[1] = [0, 0, 0, 0, 0, 0, 0]), /unit quaternion/],
    ['a pose of text', (h) => (h.start[1][2] = 'x'), /start\[1\]\[2\] is no number/],
    ['a missing key', (h) => delete h.geometry, /geometry is no list/],
    ['another version', (h) => (h.version = 2), /version 2/],
  ])('with %s are refused by name', async (_, change, message) => {
    await expect(decodeScenePack(await withHead(change))).rejects.toThrowError(message);
    await expect(decodeScenePack(await withHead(change))).rejects.toBeInstanceOf(PackFault);
  });

  it('cut anywhere, or with any byte changed, give a scene or a PackFault and nothing else', async () => {
    const pack = await makeScenePack(SCENE);
    let refused = 0;
    for (let i = 0; i < pack.length; i += 7) {
      const changed = pack.slice();
      changed[i] ^= 0x55;
      for (const bad of [changed, pack.subarray(0, i)]) {
        await decodeScenePack(bad).catch((fault) => {
          expect(fault).toBeInstanceOf(PackFault);
          ++refused;
        });
      }
    }
    expect(refused).toBeGreaterThan(pack.length / 7);
  });
});

function triangles(indices: ArrayLike<number>): string[] {
  const list: string[] = [];
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [indices[i], indices[i + 1], indices[i + 2]];
    const first = Math.min(a, b, c);
    list.push((first === a ? [a, b, c] : first === b ? [b, c, a] : [c, a, b]).join());
  }
  return list.sort();
}
