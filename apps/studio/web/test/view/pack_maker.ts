// Writes packs as docs/design/scene-pack.md says, for tests: an answer to the reader that shares no code with it.

import { MeshoptEncoder } from 'meshoptimizer/meshopt_encoder.module.js';

export type PoseList = number[];
export interface MeshSource {
  kind?: string; positions: number[]; normals: number[]; // 3 per vertex
  levels: { indices: number[]; error: number }[];
}
export interface SceneSource {
  name: string; start: PoseList[];
  actors: { name: string; kind: string }[];
  bodies: { name: string; actor: number; mover: number; parent: number; pose?: PoseList; mass?: number }[];
  geometry: {
    name: string; body: number; mesh: number; pose?: PoseList; colour?: number[]; visual?: boolean; collision?: boolean;
  }[];
  meshes: MeshSource[];
}
export interface TrackSource {
  times: number[];
  movers: { mover: number; poses: PoseList[] }[];
  still: [number, PoseList][];
  joints: { name: string; type: string; unit: string; nq: number; limits: (number | null)[][]; values: number[][] }[];
}

export const HERE: PoseList = [0, 0, 0, 0, 0, 0, 1];

class Buffers {
  private readonly chunks: Uint8Array[] = [];
  private length = 0;

  add(bytes: Uint8Array): { offset: number; bytes: number } {
    const place = { offset: this.length, bytes: bytes.length };
    const padded = new Uint8Array(Math.ceil(bytes.length / 8) * 8);
    padded.set(bytes);
    this.chunks.push(padded);
    this.length += padded.length;
    return place;
  }

  vertices(data: ArrayBufferView, stride: number): { offset: number; bytes: number } {
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    return this.add(MeshoptEncoder.encodeVertexBufferLevel(bytes, bytes.length / stride, stride, 2, 0));
  }

  pack(magic: string, head: unknown): Uint8Array {
    const text = new TextEncoder().encode(JSON.stringify(head));
    const headBytes = Math.ceil(text.length / 4) * 4;
    const out = new Uint8Array(8 + headBytes + this.length).fill(32, 8, 8 + headBytes);
    out.set(new TextEncoder().encode(magic));
    new DataView(out.buffer).setUint32(4, headBytes, true);
    out.set(text, 8);
    let at = 8 + headBytes;
    for (const chunk of this.chunks) {
      out.set(chunk, at);
      at += chunk.length;
    }
    return out;
  }
}

export async function makeScenePack(scene: SceneSource): Promise<Uint8Array> {
  await MeshoptEncoder.ready;
  const buffers = new Buffers();
  const meshes = scene.meshes.map((mesh) => writeMesh(mesh, buffers));
  const drawn = scene.geometry.filter((g) => g.mesh >= 0 && g.visual !== false);
  const triangles = drawn.reduce((sum, g) => sum + meshes[g.mesh].triangles, 0);
  return buffers.pack('GSP1', {
    version: 1, name: scene.name, triangles, movers: scene.start.length, start: scene.start, actors: scene.actors,
    bodies: scene.bodies.map((body) => ({ pose: HERE, mass: 1, ...body })),
    geometry: scene.geometry.map((g) => ({ pose: HERE, colour: [0.5, 0.5, 0.5, 1], visual: true, collision: true, ...g })),
    meshes,
  });
}

function writeMesh(mesh: MeshSource, buffers: Buffers) {
  const vertices = mesh.positions.length / 3;
  const low = [0, 1, 2].map((k) => Math.min(...column(mesh.positions, k)));
  const high = [0, 1, 2].map((k) => Math.max(...column(mesh.positions, k)));
  const centre = low.map((l, k) => (l + high[k]) / 2);
  const size = Math.max(...low.map((l, k) => high[k] - l), 1e-6);
  const wide = size / 65534 > 20e-6;
  const step = wide ? 20e-6 : size / 65534;
  const width = wide ? 3 : 4;
  const integers = new (wide ? Int32Array : Int16Array)(vertices * width);
  const normals = new Int8Array(vertices * 4);
  for (let v = 0; v < vertices; ++v) {
    for (let k = 0; k < 3; ++k) {
      integers[v * width + k] = Math.round((mesh.positions[3 * v + k] - centre[k]) / step);
      normals[v * 4 + k] = Math.round(mesh.normals[3 * v + k] * 127);
    }
  }
  return {
    kind: mesh.kind ?? 'mesh', vertices, triangles: mesh.levels[0].indices.length / 3, centre, step, wide,
    positions: buffers.vertices(integers, wide ? 12 : 8), normals: buffers.vertices(normals, 4),
    levels: mesh.levels.map(({ indices, error }) => ({ ...writeIndices(indices, buffers), indices: indices.length, error })),
  };
}

function writeIndices(indices: number[], buffers: Buffers) {
  const bytes = new Uint8Array(Uint32Array.from(indices).buffer);
  return buffers.add(MeshoptEncoder.encodeIndexBuffer(bytes, indices.length, 4));
}

function column(values: number[], k: number): number[] {
  return values.filter((_, i) => i % 3 === k);
}

export async function makeTrackPack(track: TrackSource): Promise<Uint8Array> {
  await MeshoptEncoder.ready;
  const buffers = new Buffers();
  const times = buffers.add(new Uint8Array(Float64Array.from(track.times).buffer));
  const movers = track.movers.map(({ mover, poses }) => ({
    mover, centre: [0, 0, 0], step: 1e-6,
    positions: buffers.vertices(Int32Array.from(poses.flatMap((p) => p.slice(0, 3).map((x) => Math.round(x * 1e6)))), 12),
    rotations: buffers.vertices(Int32Array.from(poses.flatMap((p) => p.slice(3).map((x) => Math.round(x * 2 ** 20)))), 16),
  }));
  const values = Float32Array.from(track.joints.flatMap((joint) => joint.values.flat()));
  return buffers.pack('GTP1', {
    version: 1, frames: track.times.length, begin: track.times[0], end: track.times.at(-1), times, movers,
    still: track.still, joints: track.joints.map(({ values: _, ...joint }) => joint),
    values: values.length > 0 ? buffers.vertices(values, 4) : { offset: 0, bytes: 0 },
  });
}

/** A box around the origin with flat faces: 24 vertices, 12 triangles. */
export function makeBoxMesh(x: number, y: number, z: number): MeshSource {
  const half = [x / 2, y / 2, z / 2];
  const positions: number[] = [];
  const normals: number[] = [];
  const indices: number[] = [];
  for (let axis = 0; axis < 3; ++axis) {
    for (const side of [-1, 1]) {
      const first = positions.length / 3;
      for (const [u, v] of [[-1, -1], [1, -1], [1, 1], [-1, 1]]) {
        const p = [0, 0, 0];
        p[axis] = side * half[axis];
        p[(axis + 1) % 3] = u * half[(axis + 1) % 3];
        p[(axis + 2) % 3] = v * half[(axis + 2) % 3];
        positions.push(...p);
        normals.push(...[0, 1, 2].map((k) => (k === axis ? side : 0)));
      }
      const face = side > 0 ? [0, 1, 2, 0, 2, 3] : [0, 2, 1, 0, 3, 2];
      indices.push(...face.map((i) => first + i));
    }
  }
  return { positions, normals, levels: [{ indices, error: 0 }] };
}

/** A ball of rings and sectors, with a coarser level of every second ring and sector. */
export function makeBallMesh(radius: number, rings = 16): MeshSource {
  const sectors = rings * 2;
  const positions: number[] = [];
  const normals: number[] = [];
  for (let i = 0; i <= rings; ++i) {
    for (let j = 0; j <= sectors; ++j) {
      const [a, b] = [(i / rings) * Math.PI, (j / sectors) * 2 * Math.PI];
      const n = [Math.sin(a) * Math.cos(b), Math.sin(a) * Math.sin(b), Math.cos(a)];
      normals.push(...n);
      positions.push(...n.map((c) => c * radius));
    }
  }
  const level = (by: number) => {
    const indices: number[] = [];
    for (let i = 0; i < rings; i += by) {
      for (let j = 0; j < sectors; j += by) {
        const [a, b] = [i * (sectors + 1) + j, (i + by) * (sectors + 1) + j];
        indices.push(a, b, b + by, a, b + by, a + by);
      }
    }
    return { indices, error: by === 1 ? 0 : radius * (1 - Math.cos((Math.PI * by) / sectors)) };
  };
  return { kind: 'sphere', positions, normals, levels: [level(1), level(2), level(4)] };
}
