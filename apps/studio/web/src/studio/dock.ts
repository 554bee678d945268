// The bottom of the page: the timeline and plots of an open result, and the clearance, which is always in sight.
import { momentsOf } from '../outcome/moment_cards';
import { timelineMarks } from '../outcome/moments';
import { badgeOf } from '../outcome/verdict';
import { h, replace, setAttribute, signal, type Signal } from '../ui/dom';
import { createClearancePlot, createJointPlots, type Plots } from '../ui/plots';
import type { Theme } from '../ui/theme';
import type { Clashes } from './clashes';
import type { OpenResult } from './player';
import { createReadout } from './readout';
import type { Studio } from './studio';

export function createDock(studio: Studio, theme: Signal<Theme>, clashes: Clashes): HTMLElement {
  const player = h('section', { class: 'dock-player', 'aria-label': 'Motion' });
  const showPlots = signal(studio.memory.get<boolean>('plots') ?? false);
  let shown: ShownResult | null = null;
  studio.player.open.watch((open) => {
    shown?.dispose();
    shown = open ? new ShownResult(studio, open, showPlots) : null;
    player.hidden = shown === null;
    replace(player, shown?.element);
  });
  // The variables of the new theme are in force when the attribute is set, which a listener before this one did.
  theme.watch(() => shown?.refresh());
  return h('footer', { class: 'dock' }, player, createReadout(studio, clashes));
}

class ShownResult {
  readonly element: HTMLElement;
  private plots: Plots[] = [];
  private readonly plotHost = h('div', { class: 'dock-plots', tabindex: 0, role: 'group', 'aria-label': 'Plots' });
  private readonly endings: (() => void)[] = [];

  constructor(studio: Studio, private readonly open: OpenResult, showPlots: Signal<boolean>) {
    const { timeline, result, data, moments, swept } = open;
    const plotButton = h('button', { type: 'button', on: { click: () => showPlots.set(!showPlots.get()) } }, 'Plots');
    const badge = badgeOf(data);
    this.element = h('div', null,
      h('div', { class: 'dock-head row wrap' },
        h('strong', { class: 'ellipsis' }, result.name), h('span', { class: `badge ${badge.kind}` }, badge.text),
        h('span', { class: 'dim ellipsis grow', title: result.verdict }, result.verdict),
        timeline && [ghostToggle(studio), traceChoice(studio), plotButton], swept && sweptToggle(studio),
        h('button', { type: 'button', on: { click: () => studio.player.close() } }, 'Back to live')),
      momentsOf(moments, (moment) => studio.player.showMoment(moment)), timeline?.element, this.plotHost);
    if (!timeline) {
      this.plotHost.hidden = true;
      return;
    }
    this.endings.push(showPlots.watch((on) => {
      studio.memory.set('plots', on);
      setAttribute(plotButton, 'aria-pressed', on);
      this.plotHost.hidden = !on;
      if (on && this.plots.length === 0) this.makePlots();
    }));
    this.endings.push(timeline.timeChanged.on((t) => this.plots.forEach((plot) => plot.setTime(t))));
  }

  refresh(): void {
    this.plots.forEach((plot) => plot.refresh());
  }

  dispose(): void {
    this.endings.forEach((end) => end());
    this.plots.forEach((plot) => plot.dispose());
  }

  private makePlots(): void {
    const { data: { spans }, track, timeline, moments } = this.open;
    if (!track || !timeline) return;
    const seek = (t: number): void => timeline.seek(t);
    if (spans.length > 0) this.plots.push(createClearancePlot(spans, track, timelineMarks(moments), seek));
    if (track.joints.length > 0) this.plots.push(createJointPlots(track, seek));
    replace(this.plotHost, this.plots.map((plot) => plot.element));
    this.plots.forEach((plot) => plot.setTime(timeline.clock.time));
  }
}

function ghostToggle(studio: Studio): HTMLElement {
  const { ghosts } = studio.player;
  const button = h('button', { type: 'button', title: 'Show start and goal',
    'aria-pressed': ghosts.get(), on: { click: () => {
      ghosts.set(!ghosts.get());
      setAttribute(button, 'aria-pressed', ghosts.get());
    } } }, 'Ghosts');
  return button;
}

function sweptToggle(studio: Studio): HTMLElement {
  const { sweptShown } = studio.player;
  const button = h('button', { type: 'button', title: 'Show the space that is passed through', 'aria-pressed': sweptShown.get(),
    on: { click: () => {
      sweptShown.set(!sweptShown.get());
      setAttribute(button, 'aria-pressed', sweptShown.get());
    } } }, 'Swept space');
  return button;
}

/** The way of what is selected when it is pressed. */
function traceChoice(studio: Studio): HTMLElement {
  const { traced } = studio.player;
  const show = (): void => {
    const part = traced.get();
    setAttribute(button, 'aria-pressed', part !== null);
    button.title = part === null ? 'Draw the way of the selected part' : `Way of ${studio.nameOf(part)}`;
  };
  const button = h('button', { type: 'button', on: { click: () => {
    const part = studio.selection.get()[0];
    if (traced.get() === null && part === undefined) {
      studio.toasts.show('Select a part first: its way will be drawn.');
      return;
    }
    traced.set(traced.get() === null ? part : null);
    show();
  } } }, 'Trace');
  show();
  return button;
}
