// Plots over time with uPlot: clearance as steps, joints by unit. They share the cursor; a click seeks.
import './plots.css';
import 'uplot/dist/uPlot.min.css';
import uPlot from 'uplot';
import type { Track } from '../view/contract';
import { type ClearanceSpan } from './clearance';
import { h } from './dom';
import { clearanceSteps, jointGroups, mostMoving, type JointGroup } from './plot_data';

export interface Plots {
  readonly element: HTMLElement;
  /** The line that says which moment is shown in 3D. */
  setTime(time: number): void;
  /** Draws again in the colours of the present theme. */
  refresh(): void;
  dispose(): void;
}

export interface PlotOptions { onSeek(time: number): void; height?: number }

/** Told apart with all common kinds of colour blindness; one set for each theme. */
const kInks = {
  light: ['#1f5fc4', '#b3480a', '#00735a', '#8a3a8f', '#946200', '#35708f', '#b3261e', '#555e6b'],
  dark: ['#7db0ff', '#ff9e5e', '#4fcfae', '#dd9be2', '#e8c34a', '#8fcbe8', '#ff8a80', '#b4bcc8'],
};
const kSync = 'geste';
const kShownFirst = 8;

function ink(k: number): string {
  const inks = document.documentElement.dataset.theme === 'dark' ? kInks.dark : kInks.light;
  return inks[k % inks.length];
}

function css(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim() || '#888';
}

/** The clearance along a motion; each value holds for its span. */
export function createClearancePlot(spans: readonly ClearanceSpan[], options: PlotOptions): Plots {
  const [times, values] = clearanceSteps(spans);
  const stepped = uPlot.paths.stepped!({ align: 1 });
  const plot = new TimePlot('Clearance', 'mm', [times, values], [{
    label: 'clearance', stroke: () => ink(0), width: 1.5, paths: stepped, points: { show: false },
    fill: () => `${ink(0)}22`, value: (_, value) => (value === null ? '–' : `${value.toFixed(2)} mm`),
  }], options, { range: (_, __, most) => [0, Math.max(most * 1.05, 1e-6)] });
  return group([plot]);
}

/** One plot for each unit, with the joints that move most shown first. */
export function createJointPlots(track: Track, options: PlotOptions): Plots {
  return group(jointGroups(track).map((each) => jointPlot(each, track, options)));
}

function jointPlot(joints: JointGroup, track: Track, options: PlotOptions): TimePlot {
  const shown = new Set(mostMoving(joints.series, kShownFirst));
  const series = joints.series.map((each, k): uPlot.Series => ({
    label: each.label, show: shown.has(k), stroke: () => ink(k), width: 1.5, points: { show: false },
    dash: k % 16 >= 8 ? [6, 4] : undefined,
    value: (_, value) => (value === null ? '–' : `${value.toFixed(2)}${joints.unit && ` ${joints.unit}`}`),
  }));
  const data = [Array.from(track.times), ...joints.series.map((each) => Array.from(each.values))];
  return new TimePlot('Joints', joints.unit, data, series, options);
}

function group(plots: readonly TimePlot[]): Plots {
  return {
    element: h('div', { class: 'plots' }, plots.map((plot) => plot.element)),
    setTime: (time) => plots.forEach((plot) => plot.setTime(time)),
    refresh: () => plots.forEach((plot) => plot.refresh()),
    dispose: () => plots.forEach((plot) => plot.dispose()),
  };
}

class TimePlot {
  readonly element: HTMLElement;
  private readonly plot: uPlot;
  private readonly hand = h('div', { class: 'plot-hand' });
  private readonly observer?: ResizeObserver;
  private time = NaN;

  constructor(title: string, unit: string, data: (number | null)[][], series: uPlot.Series[],
              private readonly options: PlotOptions, yScale: uPlot.Scale = {}) {
    const host = h('div', { class: 'plot-host' });
    this.element = h('figure', { class: 'plot' },
      h('figcaption', null, title, unit && h('span', { class: 'dim' }, ` (${unit})`)), host);
    const axis = (): uPlot.Axis => ({
      stroke: () => css('--text-dim'), font: '11px system-ui, sans-serif',
      grid: { stroke: () => css('--line'), width: 1 }, ticks: { show: false },
    });
    this.plot = new uPlot({
      width: 320, height: options.height ?? 160, padding: [8, 10, 0, 0],
      scales: { x: { time: false }, y: yScale },
      axes: [{ ...axis(), size: 26, values: (_, ticks) => ticks.map((t) => `${t} s`) }, { ...axis(), size: 52, space: 20 }],
      series: [{ label: 'time', value: (_, t) => (t === null ? '–' : `${t.toFixed(3)} s`) }, ...series],
      cursor: { sync: { key: kSync, scales: ['x', null] }, drag: { x: true, y: false }, points: { size: 6 } },
      legend: { live: true },
      hooks: { draw: [() => this.placeHand()] },
    }, data as uPlot.AlignedData, host);
    this.plot.over.append(this.hand);
    host.querySelector('.u-legend')?.setAttribute('tabindex', '0'); // it scrolls, so the keyboard must reach it
    this.plot.over.addEventListener('click', (event) => this.seekTo(event));
    if (typeof ResizeObserver !== 'undefined') {
      this.observer = new ResizeObserver(() => {
        const width = Math.floor(host.clientWidth);
        if (width > 0 && width !== this.plot.width) this.plot.setSize({ width, height: this.plot.height });
      });
      this.observer.observe(host);
    }
  }

  setTime(time: number): void {
    this.time = time;
    this.placeHand();
  }

  refresh(): void {
    this.plot.redraw(false, true);
    // The legend takes its colours once, when it is made. Its first row is the time, which has none.
    const [, ...markers] = this.plot.root.querySelectorAll<HTMLElement>('.u-legend .u-marker');
    markers.forEach((marker, k) => { marker.style.borderColor = ink(k); });
  }

  dispose(): void {
    this.observer?.disconnect();
    this.plot.destroy();
  }

  private placeHand(): void {
    const left = this.plot.valToPos(this.time, 'x');
    const seen = Number.isFinite(left) && left >= -1 && left <= this.plot.over.clientWidth + 1;
    this.hand.style.display = seen ? 'block' : 'none';
    if (seen) this.hand.style.transform = `translateX(${left}px)`;
  }

  private seekTo(event: MouseEvent): void {
    const left = event.clientX - this.plot.over.getBoundingClientRect().left;
    this.options.onSeek(this.plot.posToVal(left, 'x'));
  }
}
