// Clearance along a motion: the proven spans, and the colours that distances are shown in everywhere.
import { h } from './dom';
import { formatLength } from './units';

/** A stretch of time in which nothing comes nearer than `clearance` (m); the pair that comes nearest, where known. */
export interface ClearanceSpan { begin: number; end: number; clearance: number; a?: string; b?: string }

/** Reads certificate.profile of result.json; what is not a span is left out. */
export function readSpans(profile: unknown): ClearanceSpan[] {
  if (!Array.isArray(profile)) return [];
  const spans: ClearanceSpan[] = [];
  for (const each of profile as Record<string, unknown>[]) {
    const { begin_s: begin, end_s: end, clearance_m: clearance } = each ?? {};
    if (typeof begin !== 'number' || typeof end !== 'number' || typeof clearance !== 'number') continue;
    const { a, b } = each;
    spans.push({ begin, end, clearance, ...(typeof a === 'string' && typeof b === 'string' ? { a, b } : {}) });
  }
  return spans;
}

/** The span in force at time t; where two meet, the tighter one. */
export function spanAt(spans: readonly ClearanceSpan[], t: number): ClearanceSpan | null {
  let low = 0;
  let high = spans.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (spans[middle].end < t) low = middle + 1;
    else high = middle;
  }
  const found = spans[low];
  if (!found || t < found.begin || t > found.end) return null;
  const next = spans[low + 1];
  return next && next.begin <= t && next.clearance < found.clearance ? next : found;
}

export function tightestSpan(spans: readonly ClearanceSpan[]): ClearanceSpan | null {
  let best: ClearanceSpan | null = null;
  for (const span of spans) if (!best || span.clearance < best.clearance) best = span;
  return best;
}

/** The least clearance in each of `count` equal slices of [begin, end]; NaN where nothing is known. */
export function sliceClearance(
  spans: readonly ClearanceSpan[], begin: number, end: number, count: number,
): Float64Array {
  const slices = new Float64Array(count).fill(NaN);
  const perSecond = end > begin ? count / (end - begin) : 0;
  for (const span of spans) {
    const first = Math.max(0, Math.floor((span.begin - begin) * perSecond));
    const beyond = Math.max(first + 1, Math.ceil((span.end - begin) * perSecond));
    for (let k = first; k < Math.min(count, beyond); k++) {
      if (!(slices[k] <= span.clearance)) slices[k] = span.clearance;
    }
  }
  return slices;
}

/** What counts as far, and is drawn in the last colour (m). */
export const kFar = 0.2;

type Rgb = readonly [number, number, number];

// Warm to cool through a light middle: told apart with red-green and with blue-yellow blindness, and by lightness.
const kScale: readonly Rgb[] = [
  [165, 0, 38], [221, 61, 45], [246, 126, 75], [253, 179, 102], [254, 218, 139],
  [194, 228, 239], [152, 202, 225], [110, 166, 205], [74, 123, 183], [54, 75, 154],
];
const kTouching: Rgb = [214, 0, 110];

/** Where a distance lies on the scale, 0 to 1; small distances get the most room. */
export function scalePosition(distance: number): number {
  return Math.sqrt(Math.min(1, Math.max(0, distance / kFar)));
}

export function clearanceRgb(distance: number): Rgb {
  if (distance <= 0) return kTouching;
  const at = scalePosition(distance) * (kScale.length - 1);
  const k = Math.min(kScale.length - 2, Math.floor(at));
  const mix = (i: number): number => Math.round(kScale[k][i] + (kScale[k + 1][i] - kScale[k][i]) * (at - k));
  return [mix(0), mix(1), mix(2)];
}

/** As CSS; grey where nothing is known. */
export function clearanceColour(distance: number | null | undefined): string {
  if (distance === null || distance === undefined || Number.isNaN(distance)) return 'rgb(128 134 144 / 35%)';
  const [r, g, b] = clearanceRgb(distance);
  return `rgb(${r} ${g} ${b})`;
}

/** A strip that says which colour means which distance. */
export function clearanceLegend(): HTMLElement {
  const ticks = [0, 0.005, 0.02, 0.05, 0.1, kFar];
  const stops = kScale.map((_, k) => {
    const position = k / (kScale.length - 1);
    return `${clearanceColour(Math.max(1e-9, position * position * kFar))} ${(position * 100).toFixed(1)}%`;
  });
  const label = `Colours of clearance: touching, then from 0 to ${formatLength(kFar)} and more`;
  return h('div', { class: 'clearance-legend', role: 'img', 'aria-label': label },
    h('span', { class: 'clearance-legend-touch', style: { background: clearanceColour(0) } }),
    h('span', { class: 'clearance-legend-scale', style: { background: `linear-gradient(90deg, ${stops.join(', ')})` } },
      ticks.map((tick) => h('span',
        { class: 'clearance-legend-tick', style: { left: `${scalePosition(tick) * 100}%` } },
        tick === kFar ? `${tick * 1e3}+ mm` : `${tick * 1e3}`))));
}

/** Where the bound is so near to what was measured, it says nothing new. */
const kRounded = 0.995;

/** One number wherever a motion's clearance is told: as measured where it is tightest; and what is proven, where that is less. */
export function tightestText(measured: number | null | undefined, proven: number | null | undefined): string {
  if (typeof measured !== 'number') return typeof proven === 'number' ? `at least ${formatLength(proven)}` : '–';
  return formatLength(measured) + boundText(measured, proven);
}

/** " (proven: never below 1.87 mm)", or nothing. */
export function boundText(measured: number, proven: number | null | undefined): string {
  return typeof proven === 'number' && proven < measured * kRounded ? ` (proven: never below ${formatLength(proven)})` : '';
}

export function pairText(a: string, b: string): string {
  return a && b ? `${a} – ${b}` : a || b;
}
