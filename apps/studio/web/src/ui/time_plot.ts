// A plot over time that follows the scrubber: a hand at the moment shown, marks at those that matter, limits as
// dashed lines. Hovering shows values, a click seeks. All plots of the page share the cursor.
import './plots.css';
import 'uplot/dist/uPlot.min.css';
import uPlot from 'uplot';
import { h } from './dom';

export interface PlotMark { time: number; kind: string }
export interface PlotSeries {
  label: string; values: readonly (number | null)[]; ink(): string; isStepped?: boolean; isShown: boolean;
  limits?: readonly [number | null, number | null] | null;
}
export interface TimePlotOptions {
  label: string; begin: number; end: number; times: readonly number[]; series: readonly PlotSeries[]; marks: readonly PlotMark[];
  height: number; fromZero: boolean;
  onSeek(time: number): void;
  /** The moment under the cursor, else the one shown in 3D. */
  onMoment(time: number): void;
}

const kSync = 'geste';

function css(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim() || '#888';
}

export class TimePlot {
  readonly element: HTMLElement;
  private readonly plot: uPlot;
  private readonly hand = h('div', { class: 'plot-hand' });
  private readonly observer = new ResizeObserver(() => this.fit());
  private time = 0;

  constructor(private readonly options: TimePlotOptions) {
    this.element = h('div', { class: 'plot-host', role: 'img', 'aria-label': options.label });
    const data = [options.times, ...options.series.map((each) => each.values)];
    this.plot = new uPlot(this.settings(), data as unknown as uPlot.AlignedData, this.element);
    this.plot.over.append(this.hand);
    this.plot.over.addEventListener('click', (event) => {
      const left = event.clientX - this.plot.over.getBoundingClientRect().left;
      options.onSeek(this.plot.posToVal(left, 'x'));
    });
    this.observer.observe(this.element);
  }

  private settings(): uPlot.Options {
    const { options } = this;
    const axis: uPlot.Axis = {
      stroke: () => css('--text-dim'), font: '11px system-ui, sans-serif',
      grid: { stroke: () => css('--line'), width: 1 }, ticks: { show: false },
    };
    return {
      width: 320, height: options.height, padding: [10, 12, 0, 0],
      scales: { x: { time: false, range: () => [options.begin, Math.max(options.end, options.begin + 1e-6)] }, y: { range: (_, low, high) => this.range(low, high) } },
      axes: [{ ...axis, size: 26, values: (_, ticks) => ticks.map((t) => `${t} s`) }, { ...axis, size: 48 }],
      series: [{}, ...options.series.map(toSeries)],
      cursor: { sync: { key: kSync, scales: ['x', null] }, drag: { x: false, y: false }, points: { size: 6 } },
      legend: { show: false },
      hooks: {
        draw: [() => this.drawLimits(), () => this.drawMarks(), () => this.placeHand()],
        setCursor: [() => this.tellMoment()],
      },
    };
  }

  /** Room for the values; for the limits too where one series is shown alone. */
  private range(low: number | null, high: number | null): [number, number] {
    let [least, most] = [low ?? 0, high ?? 1];
    const shown = this.plot?.series.slice(1).flatMap((each, k) => (each.show ? [this.options.series[k]] : [])) ?? [];
    for (const limit of shown.length === 1 ? shown[0].limits ?? [] : []) {
      if (limit !== null) [least, most] = [Math.min(least, limit), Math.max(most, limit)];
    }
    const air = (most - least || Math.abs(most) || 1) * 0.06;
    return [this.options.fromZero && least >= 0 ? 0 : least - air, most + air];
  }

  private fit(): void {
    const width = Math.floor(this.element.clientWidth);
    if (width > 0 && width !== this.plot.width) this.plot.setSize({ width, height: this.plot.height });
  }

  show(series: number, isShown: boolean): void {
    this.plot.setSeries(series + 1, { show: isShown });
  }

  setTime(time: number): void {
    this.time = time;
    this.placeHand();
    this.tellMoment();
  }

  /** In the colours of the present theme. */
  refresh(): void {
    this.plot.redraw(false, true);
  }

  dispose(): void {
    this.observer.disconnect();
    this.plot.destroy();
  }

  private tellMoment(): void {
    const left = this.plot.cursor.left ?? -1;
    this.options.onMoment(left >= 0 ? this.plot.posToVal(left, 'x') : this.time);
  }

  private placeHand(): void {
    const left = this.plot.valToPos(this.time, 'x');
    const isSeen = Number.isFinite(left) && left >= -1 && left <= this.plot.over.clientWidth + 1;
    this.hand.style.display = isSeen ? 'block' : 'none';
    if (isSeen) this.hand.style.transform = `translateX(${left}px)`;
  }

  private drawMarks(): void {
    const { ctx, bbox } = this.plot;
    const size = 5 * devicePixelRatio;
    for (const { time, kind } of this.options.marks) {
      const x = this.plot.valToPos(time, 'x', true);
      if (!(x >= bbox.left - 1 && x <= bbox.left + bbox.width + 1)) continue;
      ctx.save();
      ctx.strokeStyle = ctx.fillStyle = css(kind === 'contact' ? '--alarm' : '--warn');
      ctx.lineWidth = devicePixelRatio;
      line(ctx, x, bbox.top, x, bbox.top + bbox.height, [2, 3]);
      ctx.beginPath();
      ctx.moveTo(x - size, bbox.top - size);
      ctx.lineTo(x + size, bbox.top - size);
      ctx.lineTo(x, bbox.top + size);
      ctx.fill();
      ctx.restore();
    }
  }

  private drawLimits(): void {
    const { ctx, bbox } = this.plot;
    this.options.series.forEach((each, k) => {
      if (!this.plot.series[k + 1].show) return;
      for (const limit of each.limits ?? []) {
        if (limit === null) continue;
        const y = this.plot.valToPos(limit, 'y', true);
        if (!(y >= bbox.top - 1 && y <= bbox.top + bbox.height + 1)) continue;
        ctx.save();
        ctx.strokeStyle = each.ink();
        ctx.lineWidth = devicePixelRatio;
        line(ctx, bbox.left, y, bbox.left + bbox.width, y, [6, 4]);
        ctx.restore();
      }
    });
  }
}

function toSeries(series: PlotSeries): uPlot.Series {
  return {
    label: series.label, show: series.isShown, stroke: () => series.ink(), width: 1.5, points: { show: false },
    ...(series.isStepped && { paths: uPlot.paths.stepped!({ align: 1 }), fill: () => `${series.ink()}22` }),
  };
}

function line(ctx: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number, dash: number[]): void {
  ctx.setLineDash(dash.map((length) => length * devicePixelRatio));
  ctx.beginPath();
  ctx.moveTo(x0, y0);
  ctx.lineTo(x1, y1);
  ctx.stroke();
}
