// Scene packs: bytes to ScenePack, every offset, count and index checked.

import type { Actor, Body, Geometry, PackedMesh, Pose, ScenePack } from '../contract';
import { decodeIndices, decoderReady, decodeVertices, openPack, type OpenPack, type Value } from './pack_reader';

/** Throws PackFault with one clear line when the pack is damaged. */
export async function decodeScenePack(data: Uint8Array): Promise<ScenePack> {
  await decoderReady();
  const pack = openPack(data, 'GSP1', 'scene');
  const { head } = pack;
  const movers = head.at('movers').count();
  const start = head.at('start').list().map(readPose);
  if (start.length !== movers) head.at('start').fail(`has ${start.length} poses for ${movers} movers`);
  const actors = head.at('actors').list().map(readActor);
  const bodyList = head.at('bodies').list();
  const bodies = bodyList.map((body) => readBody(body, actors.length, bodyList.length, movers));
  const meshes = head.at('meshes').list().map((mesh) => readMesh(pack, mesh));
  const geometry = head.at('geometry').list().map((item) => readGeometry(item, bodies.length, meshes.length));
  return {
    name: head.at('name').text(), triangles: head.at('triangles').number(), start, actors, bodies, geometry, meshes,
  };
}

export function readPose(value: Value): Pose {
  const [x, y, z, qx, qy, qz, qw] = value.numbers(7);
  const length = Math.hypot(qx, qy, qz, qw);
  if (!(length > 0.5 && length < 2)) value.fail('has no unit quaternion');
  return [x, y, z, qx / length, qy / length, qz / length, qw / length];
}

function readActor(value: Value): Actor {
  return { name: value.at('name').text(), kind: value.at('kind').text() };
}

function readBody(value: Value, actors: number, bodies: number, movers: number): Body {
  return {
    name: value.at('name').text(),
    actor: value.at('actor').whole(-1, actors - 1),
    mover: value.at('mover').whole(0, movers - 1),
    parent: value.at('parent').whole(-1, bodies - 1),
    pose: readPose(value.at('pose')),
    mass: value.at('mass').number(),
    ...readAssemblies(value.at('assemblies')),
  };
}

/** Packs of scenes without assemblies have none. */
function readAssemblies(value: Value): Pick<Body, 'assemblies'> {
  return value.raw === undefined ? {} : { assemblies: value.list().map((name) => name.text()) };
}

function readGeometry(value: Value, bodies: number, meshes: number): Geometry {
  const [r, g, b, a] = value.at('colour').numbers(4);
  return {
    name: value.at('name').text(),
    body: value.at('body').whole(0, bodies - 1),
    mesh: value.at('mesh').whole(-1, meshes - 1),
    pose: readPose(value.at('pose')),
    colour: [r, g, b, a],
    visual: value.at('visual').flag(),
    collision: value.at('collision').flag(),
  };
}

function readMesh(pack: OpenPack, value: Value): PackedMesh {
  const vertices = value.at('vertices').count();
  const levels = value.at('levels').list().map((level) => ({
    indices: decodeIndices(pack, level, level.at('indices').count(), vertices),
    error: level.at('error').number(),
  }));
  if (levels.length === 0) value.at('levels').fail('is empty');
  const normals = decodeVertices(pack, value.at('normals'), vertices, 4);
  return {
    kind: value.at('kind').text(), positions: readPositions(pack, value, vertices),
    normals: new Int8Array(normals.buffer), levels,
  };
}

function readPositions(pack: OpenPack, mesh: Value, vertices: number): Float32Array {
  const centre = mesh.at('centre').numbers(3);
  const step = mesh.at('step').number();
  const wide = mesh.at('wide').flag();
  const bytes = decodeVertices(pack, mesh.at('positions'), vertices, wide ? 12 : 8);
  const integers = wide ? new Int32Array(bytes.buffer) : new Int16Array(bytes.buffer);
  const width = wide ? 3 : 4;
  const positions = new Float32Array(vertices * 3);
  for (let v = 0; v < vertices; ++v) {
    for (let k = 0; k < 3; ++k) positions[3 * v + k] = centre[k] + step * integers[width * v + k];
  }
  return positions;
}
