// Plots over the motion: clearance with the pair that comes nearest, and joints to choose from.
import { clearanceColour, pairText, spanAt, type ClearanceSpan } from './clearance';
import { h, replace, type Child } from './dom';
import { clearanceSteps, jointGroups, mostMoving, type JointGroup } from './plot_data';
import { formatLength, formatSeconds } from './units';
import type { Track } from '../view/contract';
import { findFrame } from '../view/math/poses';
import { TimePlot, type PlotMark } from './time_plot';

export interface Plots {
  readonly element: HTMLElement;
  /** The line that says which moment is shown in 3D. */
  setTime(time: number): void;
  /** Draws again in the colours of the present theme. */
  refresh(): void;
  dispose(): void;
}

/** Told apart with all common kinds of colour blindness; one set for each theme. */
const kInks = {
  light: ['#1f5fc4', '#b3480a', '#00735a', '#8a3a8f', '#946200', '#35708f', '#b3261e', '#555e6b'],
  dark: ['#7db0ff', '#ff9e5e', '#4fcfae', '#dd9be2', '#e8c34a', '#8fcbe8', '#ff8a80', '#b4bcc8'],
};
const kShownFirst = 6;

function ink(k: number): string {
  const inks = document.documentElement.dataset.theme === 'dark' ? kInks.dark : kInks.light;
  return inks[k % inks.length];
}

function figure(title: string, unit: string, ...content: Child[]): HTMLElement {
  return h('figure', { class: 'plot' }, h('figcaption', null, title, unit && h('span', { class: 'dim' }, ` (${unit})`)), content);
}

export function createClearancePlot(
  spans: readonly ClearanceSpan[], { begin, end }: { begin: number; end: number }, marks: readonly PlotMark[],
  onSeek: (time: number) => void,
): Plots {
  const [times, values] = clearanceSteps(spans);
  const readout = h('p', { class: 'plot-readout' });
  const plot = new TimePlot({
    label: 'Clearance along the motion, in millimetres over seconds', begin, end, times, marks, height: 150, fromZero: true, onSeek,
    series: [{ label: 'clearance', values, ink: () => ink(0), isStepped: true, isShown: true }],
    onMoment: (time) => replace(readout, ...clearanceWords(spanAt(spans, time), time)),
  });
  return {
    element: figure('Clearance', 'mm', plot.element, readout), setTime: (t) => plot.setTime(t),
    refresh: () => plot.refresh(), dispose: () => plot.dispose(),
  };
}

function clearanceWords(span: ClearanceSpan | null, time: number): Child[] {
  const when = h('span', { class: 'number' }, formatSeconds(time));
  if (!span) return [when, ' nothing is known'];
  return [when, h('span', { class: 'timeline-dot', style: { background: clearanceColour(span.clearance) } }),
    h('span', { class: 'number' }, `≥ ${formatLength(span.clearance)}`),
    span.a && span.b && h('span', { class: 'pair' }, pairText(span.a, span.b))];
}

export function createJointPlots(track: Track, onSeek: (time: number) => void): Plots {
  const plots = jointGroups(track).map((group) => createJointPlot(group, track, onSeek));
  return {
    element: h('div', { class: 'plots' }, plots.map((plot) => plot.element)),
    setTime: (t) => plots.forEach((plot) => plot.setTime(t)),
    refresh: () => plots.forEach((plot) => plot.refresh()),
    dispose: () => plots.forEach((plot) => plot.dispose()),
  };
}

function createJointPlot(group: JointGroup, track: Track, onSeek: (time: number) => void): Plots {
  const shown = new Set(mostMoving(group.series, kShownFirst));
  const outputs = group.series.map(() => h('span', { class: 'number joint-value' }));
  const swatches = group.series.map(() => h('span', { class: 'joint-swatch' }));
  const paint = (): void => swatches.forEach((swatch, k) => (swatch.style.background = ink(k)));
  const plot: TimePlot = new TimePlot({
    label: `Joints over seconds${group.unit && `, in ${group.unit}`}`, begin: track.begin, end: track.end, times: Array.from(track.times), marks: [],
    height: 170, fromZero: false, onSeek,
    series: group.series.map((each, k) => ({
      label: each.label, values: Array.from(each.values), ink: () => ink(k), isShown: shown.has(k), limits: each.limits,
    })),
    onMoment: (time) => outputs.forEach((output, k) => (output.textContent = valueAt(group, track, k, time))),
  });
  paint();
  const choice = h('fieldset', { class: 'joint-choice' }, h('legend', { class: 'visually-hidden' }, 'Joints that are drawn'),
    group.series.map((each, k) => h('label', { title: limitText(group, k) },
      h('input', { type: 'checkbox', checked: shown.has(k), on: { change: (event) => plot.show(k, (event.target as HTMLInputElement).checked) } }),
      swatches[k], h('span', { class: 'grow ellipsis' }, each.label), outputs[k])));
  return {
    element: figure('Joints', group.unit, plot.element, choice), setTime: (t) => plot.setTime(t),
    refresh: () => { paint(); plot.refresh(); },
    dispose: () => plot.dispose(),
  };
}

function valueAt(group: JointGroup, track: Track, k: number, time: number): string {
  const { frame, share } = findFrame(track.times, time);
  const { values } = group.series[k];
  const value = share > 0 ? values[frame] + share * (values[frame + 1] - values[frame]) : values[frame];
  return value.toFixed(2);
}

function limitText(group: JointGroup, k: number): string {
  const { label, limits } = group.series[k];
  const side = (limit: number | null): string => (limit === null ? 'none' : `${limit.toFixed(2)} ${group.unit}`);
  return limits ? `${label}: limits ${side(limits[0])} to ${side(limits[1])}` : `${label}: no limits`;
}
