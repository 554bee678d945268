// Pixels of a screenshot, to judge what is really seen. Reads what browsers write: 8 bits, RGB or RGBA, not interlaced.
import { inflateSync } from 'node:zlib';

export type Rgb = readonly [number, number, number];
export interface Picture { width: number; height: number; at(x: number, y: number): Rgb }

const kColourTypes: Record<number, number> = { 2: 3, 6: 4 }; // channels by PNG's colour type

export function readPng(png: Buffer): Picture {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const channels = kColourTypes[png[25]];
  if (png[24] !== 8 || !channels || png[28] !== 0) throw new Error('This is no PNG as browsers write them.');
  const bytes = unfilter(inflateSync(joinData(png)), width * channels, height, channels);
  return { width, height, at(x, y) {
    const k = (y * width + x) * channels;
    return [bytes[k], bytes[k + 1], bytes[k + 2]];
  } };
}

function joinData(png: Buffer): Buffer {
  const data: Buffer[] = [];
  for (let at = 8; at < png.length;) {
    const size = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') data.push(png.subarray(at + 8, at + 8 + size));
    at += size + 12;
  }
  return Buffer.concat(data);
}

/** Each row stands as differences to the pixel before it, above it, or both. */
function unfilter(rows: Buffer, rowBytes: number, height: number, step: number): Uint8Array {
  const out = new Uint8Array(rowBytes * height);
  for (let y = 0; y < height; ++y) {
    const kind = rows[y * (rowBytes + 1)];
    for (let x = 0; x < rowBytes; ++x) {
      const to = y * rowBytes + x;
      const left = x >= step ? out[to - step] : 0;
      const above = y > 0 ? out[to - rowBytes] : 0;
      const corner = x >= step && y > 0 ? out[to - rowBytes - step] : 0;
      out[to] = rows[y * (rowBytes + 1) + 1 + x] + predict(kind, left, above, corner);
    }
  }
  return out;
}

function predict(kind: number, left: number, above: number, corner: number): number {
  switch (kind) {
    case 0: return 0;
    case 1: return left;
    case 2: return above;
    case 3: return (left + above) >> 1;
  }
  const [toLeft, toAbove, toCorner] = [above - corner, left - corner, left + above - 2 * corner].map(Math.abs);
  return toLeft <= toAbove && toLeft <= toCorner ? left : toAbove <= toCorner ? above : corner;
}

/** How many pixels are like this. */
export function countPixels({ width, height, at }: Picture, isLike: (colour: Rgb, x: number, y: number) => boolean): number {
  let count = 0;
  for (let y = 0; y < height; ++y) for (let x = 0; x < width; ++x) if (isLike(at(x, y), x, y)) ++count;
  return count;
}

/** Whether no channel differs by more than `most`. */
export function isNear(a: Rgb, b: Rgb, most: number): boolean {
  return a.every((each, k) => Math.abs(each - b[k]) <= most);
}
