// What the address asks for after its #: a moment, a view, a theme, one part, or the picture alone.
import type { NamedView } from '../view/contract';
import { isNamedView } from '../view/math/camera';

export interface Link {
  share?: number; seconds?: number; view?: NamedView; theme?: 'dark' | 'light'; isolate?: string[]; picture: boolean;
}

/** What is not understood is left out. */
export function readLink(hash: string): Link {
  const params = new URLSearchParams(hash.replace(/^#/, ''));
  const link: Link = { picture: params.get('picture') === '1' };
  const [share, seconds] = [readNumber(params.get('t')), readNumber(params.get('s'))];
  if (share !== null) link.share = Math.min(1, Math.max(0, share));
  if (seconds !== null) link.seconds = seconds;
  const view = params.get('view');
  if (view && isNamedView(view)) link.view = view;
  const theme = params.get('theme');
  if (theme === 'dark' || theme === 'light') link.theme = theme;
  const isolate = params.getAll('isolate').filter(Boolean);
  if (isolate.length > 0) link.isolate = isolate;
  return link;
}

/** The moment that a link names; null: none. */
export function timeOf(link: Link, begin: number, end: number): number | null {
  if (link.seconds !== undefined) return Math.min(end, Math.max(begin, link.seconds));
  return link.share === undefined ? null : begin + link.share * (end - begin);
}

function readNumber(text: string | null): number | null {
  return text === null || text.trim() === '' || !Number.isFinite(Number(text)) ? null : Number(text);
}
