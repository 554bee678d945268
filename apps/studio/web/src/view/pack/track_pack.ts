// Track packs: a stored motion. Poses are decoded once and interpolated on demand.

import type { Pose, Track } from '../contract';
import { blendPose, findFrame } from '../math/poses';
import { decoderReady, decodeVertices, openPack, type OpenPack, type Value } from './pack_reader';
import { readPose } from './scene_pack';

const kQuaternionScale = 1 / (1 << 20);

interface MovingMover { mover: number; positions: Float64Array; rotations: Float64Array } // 3 and 4 per frame

/** `movers`: how many the scene has. Throws PackFault when the pack is damaged or belongs to another scene. */
export async function decodeTrackPack(data: Uint8Array, movers: number): Promise<Track> {
  await decoderReady();
  const pack = openPack(data, 'GTP1', 'track');
  const { head } = pack;
  const frames = head.at('frames').whole(1, 1 << 24);
  const times = readTimes(pack, frames);
  const moving = head.at('movers').list().map((mover) => readMover(pack, mover, frames, movers));
  const still = head.at('still').list().map((item) => readStill(item, movers));
  requireEachOnce([...moving.map((m) => m.mover), ...still.map((s) => s.mover)], movers, head);
  const joints = head.at('joints').list().map(readJoint);
  const values = readValues(pack, joints.reduce((sum, joint) => sum + joint.nq, 0), frames);
  return {
    times, begin: head.at('begin').number(), end: head.at('end').number(), joints,
    values: (entry) => values.subarray(entry * frames, (entry + 1) * frames),
    poses: (t, out) => writePoses(times, moving, still, t, out),
  };
}

function writePoses(
  times: Float64Array, moving: MovingMover[], still: { mover: number; pose: Pose }[], t: number, out: Float32Array,
): void {
  const { frame, share } = findFrame(times, t);
  for (const { mover, pose } of still) out.set(pose, mover * 7);
  for (const { mover, positions, rotations } of moving) blendPose(positions, rotations, frame, share, out, mover * 7);
}

function readTimes(pack: OpenPack, frames: number): Float64Array {
  const value = pack.head.at('times');
  const bytes = pack.bytes(value);
  if (bytes.length !== frames * 8) value.fail(`has ${bytes.length} bytes for ${frames} frames`);
  const times = new Float64Array(bytes.slice().buffer);
  for (let i = 0; i < frames; ++i) {
    if (!Number.isFinite(times[i]) || (i > 0 && times[i] < times[i - 1])) value.fail('do not rise');
  }
  return times;
}

function readMover(pack: OpenPack, value: Value, frames: number, movers: number): MovingMover {
  const centre = value.at('centre').numbers(3);
  const step = value.at('step').number();
  const places = new Int32Array(decodeVertices(pack, value.at('positions'), frames, 12).buffer);
  const turns = new Int32Array(decodeVertices(pack, value.at('rotations'), frames, 16).buffer);
  return {
    mover: value.at('mover').whole(0, movers - 1),
    positions: Float64Array.from(places, (n, i) => centre[i % 3] + step * n),
    rotations: Float64Array.from(turns, (n) => n * kQuaternionScale),
  };
}

function readStill(value: Value, movers: number): { mover: number; pose: Pose } {
  const items = value.list();
  if (items.length !== 2) value.fail('is no pair of mover and pose');
  return { mover: items[0].whole(0, movers - 1), pose: readPose(items[1]) };
}

function requireEachOnce(found: number[], movers: number, head: Value): void {
  if (new Set(found).size !== found.length || found.length !== movers) {
    head.at('movers').fail(`and "still" name ${found.length} movers; the scene has ${movers}, each once`);
  }
}

function readJoint(value: Value): Track['joints'][number] {
  const nq = value.at('nq').whole(0, 16);
  const limits = value.at('limits').list().map((pair): [number | null, number | null] => {
    const [lower, upper, ...more] = pair.list();
    if (!upper || more.length > 0) pair.fail('is no pair');
    return [lower.numberOrNull(), upper.numberOrNull()];
  });
  return { name: value.at('name').text(), type: value.at('type').text(), unit: value.at('unit').text(), nq, limits };
}

function readValues(pack: OpenPack, entries: number, frames: number): Float32Array {
  if (entries === 0) return new Float32Array(0);
  return new Float32Array(decodeVertices(pack, pack.head.at('values'), entries * frames, 4).buffer);
}
