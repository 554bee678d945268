// Two results side by side: one camera, one time, and a table of their figures with the differences.
import { clearanceColour, clearanceLegend, spanAt, type ClearanceSpan } from '../ui/clearance';
import { openDialog } from '../ui/dialog';
import { h, replace } from '../ui/dom';
import { bindLooks } from '../ui/looks';
import { createRibbon } from '../ui/ribbon';
import { createTimeline } from '../ui/timeline';
import { formatFigure, formatLength } from '../ui/units';
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
    ['tightest', { value: result.tightest_m ?? result.clearance_m, unit: 'm' }], ['duration', { value: result.duration_s, unit: 's' }],
  ]);
  for (const [name, raw] of Object.entries(result.figures ?? {})) {
    const figure = readFigure(raw);
    if (figure && !figures.has(name)) figures.set(name, figure);
  }
  return figures;
}

function write({ value, unit }: Figure, signed = false): string {
  if (value === null || !Number.isFinite(value)) return '–';
  const text = formatFigure(value, unit);
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

interface Side { track: Track | null; spans: ClearanceSpan[]; element: HTMLElement; host: HTMLElement; note: HTMLElement; dispose(): void }

interface Span { begin: number; end: number }

export async function openCompare(studio: Studio, a: Result, b: Result): Promise<void> {
  try {
    const movers = studio.pack.start.length;
    const loaded = await Promise.all([a, b].map(({ name }) => loadResult(name, movers)));
    const tracks = loaded.map(({ track }) => track).filter((track) => track !== null);
    const time: Span = { begin: Math.min(...tracks.map(({ begin }) => begin)), end: Math.max(...tracks.map(({ end }) => end)) };
    if (tracks.length === 0) Object.assign(time, { begin: 0, end: 0 });
    const sides = loaded.map(({ track, data }, k) => makeSide([a, b][k].name, track, data.spans, time));
    const timeline = createTimeline({ ...time, frames: tracks[0]?.times ?? [0], spans: [], marks: [] });
    const endings = [() => timeline.dispose(), ...sides.map((side) => side.dispose)];
    openDialog('Compare two results', h('div', { class: 'compare' },
      h('div', { class: 'compare-views' }, sides.map((side) => side.element)),
      timeline.element, clearanceLegend(), figureTable(a, b)), { wide: true, onClose: () => endings.forEach((end) => end()) });
    const views = sides.map((side) => makeView(studio, side, endings));
    shareCamera(views, studio.view.camera());
    const poses = new Float32Array(studio.poses.all.length);
    timeline.timeChanged.on((t) => sides.forEach((side, k) => {
      if (side.track) side.track.poses(t, poses);
      else poses.set(studio.pack.start.flat()); // without a motion it stays where it would begin
      views[k].setPoses(poses);
      showClearance(side, t);
    }));
    timeline.seek(time.begin);
  } catch (error) {
    studio.complain(error);
  }
}

function makeSide(name: string, track: Track | null, spans: ClearanceSpan[], { begin, end }: Span): Side {
  const host = h('div', { class: 'compare-view' });
  const note = h('span', { class: 'number' });
  const ribbon = createRibbon(spans, begin, end);
  const element = h('figure', null,
    h('figcaption', { class: 'row' }, h('span', { class: 'grow ellipsis' }, name), note), host, ribbon.element);
  return { track, spans, element, host, note, dispose: () => ribbon.dispose() };
}

function showClearance({ track, spans, note }: Side, t: number): void {
  if (!track) return replace(note, 'no motion');
  const span = spanAt(spans, t);
  replace(note, span && h('span', { class: 'timeline-dot', style: { background: clearanceColour(span.clearance) } }),
    span ? `at least ${formatLength(span.clearance)}` : 'nothing is proven');
}

function makeView(studio: Studio, side: Side, endings: (() => void)[]): View {
  const theme = document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light';
  const view = createView(side.host, studio.pack, { theme });
  endings.push(bindLooks(studio.looks, view), () => view.dispose());
  return view;
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

function figureTable(a: Result, b: Result): HTMLElement {
  const cell = (text: string): HTMLElement => h('td', { class: 'number' }, text);
  return h('div', { class: 'compare-figures', tabindex: 0, role: 'group', 'aria-label': 'Figures' }, h('table', null,
    h('thead', null, h('tr', null, ['Figure', a.name, b.name, 'Difference'].map((text) => h('th', { scope: 'col' }, text)))),
    h('tbody', null, compareFigures(a, b).map((row) => h('tr', null,
      h('th', { scope: 'row' }, row.name), cell(row.a), cell(row.b), cell(row.difference))))));
}
