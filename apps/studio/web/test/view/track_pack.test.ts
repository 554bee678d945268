import { describe, expect, it } from 'vitest';
import { decodeTrackPack } from '../../src/view/pack/track_pack';
import { HERE, makeTrackPack, type TrackSource } from './pack_maker';

const S = Math.SQRT1_2;
/** A quarter turn about Z while going 2 m along X; then still. The last quaternion has its sign turned. */
const TRACK: TrackSource = {
  times: [1, 2, 4],
  movers: [{ mover: 1, poses: [[0, 0, 0, 0, 0, 0, 1], [2, 0, 0, 0, 0, S, S], [2, 0, 0, 0, 0, -S, -S]] }],
  still: [[0, HERE], [2, [5, 6, 7, 0, 1, 0, 0]]],
  joints: [
    { name: 'a', type: 'revolute', unit: 'rad', nq: 1, limits: [[-1, null]], values: [[0, 1, 2]] },
    { name: 'b', type: 'planar', unit: 'm', nq: 2, limits: [[null, null], [0, 1]], values: [[3, 4, 5], [6, 7, 8]] },
  ],
};

async function poseAt(t: number, mover: number): Promise<number[]> {
  const track = await decodeTrackPack(await makeTrackPack(TRACK), 3);
  const out = new Float32Array(21);
  track.poses(t, out);
  return [...out.subarray(mover * 7, mover * 7 + 7)];
}

describe('track packs', () => {
  it('give times, joints and values back', async () => {
    const track = await decodeTrackPack(await makeTrackPack(TRACK), 3);
    expect([...track.times]).toEqual([1, 2, 4]);
    expect([track.begin, track.end]).toEqual([1, 4]);
    expect(track.joints[0]).toEqual({ name: 'a', type: 'revolute', unit: 'rad', nq: 1, limits: [[-1, null]] });
    expect([...track.values(0)]).toEqual([0, 1, 2]);
    expect([...track.values(2)]).toEqual([6, 7, 8]);
  });

  it('are held outside and met at the frames', async () => {
    expect(await poseAt(-9, 1)).toEqual([0, 0, 0, 0, 0, 0, 1]);
    const end = await poseAt(99, 1);
    expect(end[0]).toBeCloseTo(2, 5);
    expect(Math.abs(end[5])).toBeCloseTo(S, 5);
    expect(await poseAt(3, 2)).toEqual([5, 6, 7, 0, 1, 0, 0]);
  });

  it('turn at constant speed between frames, the shorter way', async () => {
    const third = await poseAt(4 / 3, 1);
    expect(third[0]).toBeCloseTo(2 / 3, 5);
    expect(third[5]).toBeCloseTo(Math.sin(Math.PI / 12), 5); // half of a third of a quarter turn
    expect(third[6]).toBeCloseTo(Math.cos(Math.PI / 12), 5);
    const still = await poseAt(3, 1); // q and -q are the same turn
    expect(Math.abs(still[5])).toBeCloseTo(S, 5);
    expect(Math.abs(still[6])).toBeCloseTo(S, 5);
  });

  it('of another scene, or damaged, are refused', async () => {
    const pack = await makeTrackPack(TRACK);
    await expect(decodeTrackPack(pack, 4)).rejects.toThrowError(/the scene has 4/);
    await expect(decodeTrackPack(pack, 2)).rejects.toThrowError(/not within/);
    await expect(decodeTrackPack(pack.subarray(0, pack.length - 60), 3)).rejects.toThrowError(/damaged/);
    const back = await makeTrackPack({ ...TRACK, times: [1, 3, 2] });
    await expect(decodeTrackPack(back, 3)).rejects.toThrowError(/do not rise/);
    await expect(decodeTrackPack(new Uint8Array(3), 3)).rejects.toThrowError(/ends after 3 bytes/);
  });
});
