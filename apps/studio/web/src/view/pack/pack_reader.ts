// What all packs share (docs/design/scene-pack.md): magic, head, buffers. Packs come from files that anybody may have
// changed, so every number is checked before it is used; what does not fit gives a PackFault that names the place.

import { MeshoptDecoder } from 'meshoptimizer/meshopt_decoder.module.js';

export class PackFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PackFault';
  }
}

/** More elements than this in one buffer is damage, not data: it would take gigabytes. */
const kMaxCount = 1 << 27;

const kHeaderBytes = 8;

/** A value of the head with the path that leads to it, so that faults can say where they are. */
export class Value {
  constructor(readonly raw: unknown, readonly path: string) {}

  at(key: string): Value {
    if (typeof this.raw !== 'object' || this.raw === null || Array.isArray(this.raw)) this.fail('is no object');
    return new Value((this.raw as Record<string, unknown>)[key], `${this.path}.${key}`);
  }

  list(): Value[] {
    if (!Array.isArray(this.raw)) this.fail('is no list');
    return this.raw.map((item, i) => new Value(item, `${this.path}[${i}]`));
  }

  text(): string {
    if (typeof this.raw !== 'string') this.fail('is no text');
    return this.raw;
  }

  flag(): boolean {
    if (typeof this.raw !== 'boolean') this.fail('is neither true nor false');
    return this.raw;
  }

  number(): number {
    if (typeof this.raw !== 'number' || !Number.isFinite(this.raw)) this.fail('is no number');
    return this.raw;
  }

  numberOrNull(): number | null {
    return this.raw === null ? null : this.number();
  }

  /** A whole number of low..high. */
  whole(low: number, high: number): number {
    const n = this.number();
    if (!Number.isInteger(n) || n < low || n > high) this.fail(`is ${n}, not within ${low} to ${high}`);
    return n;
  }

  count(): number {
    return this.whole(0, kMaxCount);
  }

  numbers(length: number): number[] {
    const items = this.list();
    if (items.length !== length) this.fail(`has ${items.length} numbers, not ${length}`);
    return items.map((item) => item.number());
  }

  fail(what: string): never {
    throw new PackFault(`The pack is damaged: ${this.path} ${what}.`);
  }
}

export interface OpenPack {
  head: Value;
  /** The bytes of a buffer as they are stored. */
  bytes(buffer: Value): Uint8Array;
}

/** Reads magic and head. `kind` names the pack in messages: "scene", "track". */
export function openPack(data: Uint8Array, magic: string, kind: string): OpenPack {
  const fail = (why: string): never => {
    throw new PackFault(`The ${kind} pack is damaged: ${why}.`);
  };
  if (data.length < kHeaderBytes) fail(`it ends after ${data.length} bytes`);
  const found = String.fromCharCode(...data.subarray(0, 4));
  if (found !== magic) fail(`it begins with ${JSON.stringify(found)} instead of "${magic}"`);
  const headBytes = new DataView(data.buffer, data.byteOffset).getUint32(4, true);
  const bufferStart = kHeaderBytes + headBytes;
  if (headBytes % 4 !== 0 || bufferStart > data.length) fail('the length of its head is wrong');
  const head = parseHead(data.subarray(kHeaderBytes, bufferStart), kind);
  if (head.at('version').number() !== 1) {
    throw new PackFault(`The ${kind} pack has version ${String(head.at('version').raw)}; this page reads version 1.`);
  }
  const buffers = data.subarray(bufferStart);
  return { head, bytes: (buffer) => slice(buffers, buffer) };
}

function parseHead(bytes: Uint8Array, kind: string): Value {
  try {
    return new Value(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)), kind);
  } catch {
    throw new PackFault(`The ${kind} pack is damaged: its head is no JSON.`);
  }
}

function slice(buffers: Uint8Array, buffer: Value): Uint8Array {
  const offset = buffer.at('offset').whole(0, buffers.length);
  const size = buffer.at('bytes').whole(0, buffers.length - offset);
  return buffers.subarray(offset, offset + size);
}

/** To be awaited once before anything is decoded. */
export function decoderReady(): Promise<void> {
  return MeshoptDecoder.ready;
}

/** `count` elements of `stride` bytes, encoded by meshoptimizer's vertex codec. */
export function decodeVertices(pack: OpenPack, buffer: Value, count: number, stride: number): Uint8Array {
  const target = makeTarget(buffer, count, stride);
  if (count === 0) return target;
  const source = pack.bytes(buffer);
  checked(buffer, () => MeshoptDecoder.decodeVertexBuffer(target, count, stride, source));
  return target;
}

/** Indices of triangles, each below `vertices`. */
export function decodeIndices(pack: OpenPack, buffer: Value, count: number, vertices: number): Uint32Array {
  if (count % 3 !== 0) buffer.fail(`has ${count} indices, which are not three per triangle`);
  const target = makeTarget(buffer, count, 4);
  if (count > 0) checked(buffer, () => MeshoptDecoder.decodeIndexBuffer(target, count, 4, pack.bytes(buffer)));
  const indices = new Uint32Array(target.buffer, 0, count);
  for (const index of indices) if (index >= vertices) buffer.fail(`names vertex ${index} of ${vertices}`);
  return indices;
}

/** The codecs never shrink more than some hundredfold; what claims more is damaged and must not fill the memory. */
function makeTarget(buffer: Value, count: number, stride: number): Uint8Array {
  const stored = buffer.at('bytes').number();
  if (count * stride > 65536 + stored * 1024) buffer.fail(`claims ${count} elements in ${stored} bytes`);
  return new Uint8Array(count * stride);
}

function checked(buffer: Value, decode: () => void): void {
  try {
    decode();
  } catch {
    buffer.fail('cannot be decoded');
  }
}
