// Two results side by side: one camera, one time, and a table of their figures with the differences.
import { readSpans } from '../ui/clearance';
import { openDialog } from '../ui/dialog';
import { h } from '../ui/dom';
import { bindLooks } from '../ui/looks';
import { createTimeline } from '../ui/timeline';
import { formatLength, formatQuantity } from '../ui/units';
import type { Track, View } from '../view/contract';
import { createView } from '../view/view';
import { loadResult } from './player';
import type { Result } from './protocol';
import type { Studio } from './studio';

export interface FigureRow { name: string; a: string; b: string; difference: string }

interface Figure { value: number | null; unit: string }

/** A figure is a number or {"value", "unit"}; anything else is left out. */
function readFigure(figure: unknown): Figure | null {
  if (typeof figure === 'number') return { value: figure, unit: '' };
  const { value, unit } = (figure ?? {}) as { value?: unknown; unit?: unknown };
  if (typeof value !== 'number') return null;
  return { value, unit: typeof unit === 'string' && unit !== '1' ? unit : '' };
}

function allFigures(result: Result): Map<string, Figure> {
  const figures = new Map<string, Figure>([
    ['clearance', { value: result.clearance_m, unit: 'm' }], ['duration', { value: result.duration_s, unit: 's' }],
  ]);
  for (const [name, raw] of Object.entries(result.figures ?? {})) {
    const figure = readFigure(raw);
    if (figure && !figures.has(name)) figures.set(name, figure);
  }
  return figures;
}

function write({ value, unit }: Figure, signed = false): string {
  if (value === null || !Number.isFinite(value)) return '–';
  const text = unit === 'm' ? formatLength(value) : unit === 's' ? formatQuantity(value, 'time')
    : unit === 'rad' ? formatQuantity(value, 'angle') : `${Number(value.toPrecision(5))}${unit && ` ${unit}`}`;
  return signed && value > 0 ? `+${text}` : text;
}

export function compareFigures(a: Result, b: Result): FigureRow[] {
  const [first, second] = [allFigures(a), allFigures(b)];
  const none: Figure = { value: null, unit: '' };
  return [...new Set([...first.keys(), ...second.keys()])].map((name) => {
    const [x, y] = [first.get(name) ?? none, second.get(name) ?? none];
    const known = x.value !== null && y.value !== null;
    const difference = known ? write({ value: y.value! - x.value!, unit: x.unit }, true) : '–';
    return { name: name.replaceAll('_', ' '), a: write(x), b: write(y), difference };
  });
}

interface Side { result: Result; track: Track; view: View; poses: Float32Array }

export async function openCompare(studio: Studio, a: Result, b: Result): Promise<void> {
  try {
    const movers = studio.pack.start.length;
    const [first, second] = await Promise.all([loadResult(a.name, movers), loadResult(b.name, movers)]);
    const hosts = [h('div', { class: 'compare-view' }), h('div', { class: 'compare-view' })];
    const [x, y] = [first, second].map(({ track, certificate }) => ({ track, spans: readSpans(certificate.profile) }));
    const begin = Math.min(x.track.begin, y.track.begin);
    const end = Math.max(x.track.end, y.track.end);
    const timeline = createTimeline({ begin, end, frames: x.track.times, spans: x.spans, marks: [] });
    const endings: (() => void)[] = [() => timeline.dispose()];
    openDialog('Compare two results', layOut([a, b], hosts, timeline.element),
      { wide: true, onClose: () => endings.forEach((end) => end()) });
    const sides = hosts.map((host, k) => makeSide(studio, host, [a, b][k], [x, y][k].track, endings));
    shareCamera(sides.map((side) => side.view), studio.view.camera());
    timeline.timeChanged.on((t) => sides.forEach(({ track, view, poses }) => {
      track.poses(t, poses);
      view.setPoses(poses);
    }));
    timeline.seek(begin);
  } catch (error) {
    studio.complain(error);
  }
}

function makeSide(studio: Studio, host: HTMLElement, result: Result, track: Track, endings: (() => void)[]): Side {
  const theme = document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light';
  const view = createView(host, studio.pack, { theme });
  const unbind = bindLooks(studio.looks, view);
  endings.push(unbind, () => view.dispose());
  return { result, track, view, poses: new Float32Array(studio.poses.all.length) };
}

/** Whichever is turned, the other turns along. */
function shareCamera(views: readonly View[], start: ReturnType<View['camera']>): void {
  let leader: View | null = null;
  for (const view of views) {
    view.setCamera(start, false);
    view.onCamera(() => {
      if (leader !== null && leader !== view) return;
      leader = view;
      for (const other of views) if (other !== view) other.setCamera(view.camera(), false);
      leader = null;
    });
  }
}

function layOut(results: readonly [Result, Result], hosts: readonly HTMLElement[], timeline: HTMLElement): HTMLElement {
  const [a, b] = results;
  const cell = (text: string): HTMLElement => h('td', { class: 'number' }, text);
  return h('div', { class: 'compare' },
    h('div', { class: 'compare-views' }, hosts.map((host, k) =>
      h('figure', null, h('figcaption', { class: 'ellipsis' }, results[k].name), host))),
    timeline,
    h('div', { class: 'compare-figures', tabindex: 0, role: 'group', 'aria-label': 'Figures' }, h('table', null,
      h('thead', null, h('tr', null, ['Figure', a.name, b.name, 'Difference'].map((text) => h('th', { scope: 'col' }, text)))),
      h('tbody', null, compareFigures(a, b).map((row) => h('tr', null,
        h('th', { scope: 'row' }, row.name), cell(row.a), cell(row.b), cell(row.difference)))))));
}
