// State frames (GSF1): the newest configuration and the movers that moved.

export interface StateFrame { seq: number; ack: number | null; q: number[]; movers: number[]; poses: Float32Array }

const kMagic = 'GSF1';

/** Throws where the bytes are no state frame. */
export function decodeStateFrame(bytes: ArrayBuffer): StateFrame {
  if (bytes.byteLength < 8) throw new Error('State frame: shorter than its head.');
  const view = new DataView(bytes);
  const magic = String.fromCharCode(...new Uint8Array(bytes, 0, 4));
  if (magic !== kMagic) throw new Error(`State frame: begins with "${magic}" instead of ${kMagic}.`);
  const length = view.getUint32(4, true);
  const begin = 8 + length;
  if (begin > bytes.byteLength || length % 4 !== 0) throw new Error('State frame: the length of its head is wrong.');
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 8, length))) as Partial<StateFrame>;
  const { seq, ack = null, q, movers } = head;
  if (typeof seq !== 'number' || !Array.isArray(q) || !Array.isArray(movers)) {
    throw new Error('State frame: its head lacks seq, q or movers.');
  }
  if (bytes.byteLength - begin < movers.length * 28) throw new Error('State frame: poses are missing.');
  const poses = new Float32Array(movers.length * 7);
  for (let k = 0; k < poses.length; k++) poses[k] = view.getFloat32(begin + 4 * k, true);
  return { seq, ack, q, movers, poses };
}

/** Where every mover is: 7 numbers each. Frames tell only what changed, so the rest is kept here. */
export class MoverPoses {
  readonly all: Float32Array;

  constructor(start: readonly (readonly number[])[]) {
    this.all = new Float32Array(start.length * 7);
    start.forEach((pose, k) => this.all.set(pose, 7 * k));
  }

  apply(frame: StateFrame): void {
    frame.movers.forEach((mover, k) => {
      if (!Number.isInteger(mover) || mover < 0 || 7 * mover >= this.all.length) return;
      this.all.set(frame.poses.subarray(7 * k, 7 * k + 7), 7 * mover);
    });
  }
}
