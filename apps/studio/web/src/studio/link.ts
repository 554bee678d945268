// Deep links: what is looked at, in the hash of the address.
import type { Camera, Point } from '../view/contract';

export interface Link { time?: number; result?: string; camera?: Camera; selection?: string[] }

const kDigits = 4;

function number(value: number): string {
  return String(Number(value.toFixed(kDigits)));
}

export function writeLink(link: Link): string {
  const params = new URLSearchParams();
  if (link.result !== undefined) params.set('result', link.result);
  if (link.time !== undefined) params.set('t', number(link.time));
  if (link.camera) params.set('camera', [...link.camera.position, ...link.camera.target].map(number).join(','));
  for (const name of link.selection ?? []) params.append('select', name);
  return params.toString();
}

/** What is not understood is left out. */
export function readLink(hash: string): Link {
  const params = new URLSearchParams(hash.replace(/^#/, ''));
  const link: Link = {};
  const result = params.get('result');
  if (result) link.result = result;
  const time = params.get('t');
  if (time !== null && time !== '' && Number.isFinite(Number(time))) link.time = Number(time);
  const camera = (params.get('camera') ?? '').split(',').map(Number);
  if (camera.length === 6 && camera.every(Number.isFinite)) {
    link.camera = { position: camera.slice(0, 3) as unknown as Point, target: camera.slice(3) as unknown as Point };
  }
  const selection = params.getAll('select');
  if (selection.length > 0) link.selection = selection;
  return link;
}

/** The address without the token, which the server has turned into a cookie. */
export function withoutToken(address: string): string {
  const url = new URL(address);
  url.searchParams.delete('token');
  return url.pathname + url.search + url.hash;
}
