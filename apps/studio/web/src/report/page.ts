// The page: what stands where, and what follows what.
import { h, type Signal } from '../ui/dom';
import { icon, type IconName } from '../ui/icons';
import type { Theme } from '../ui/theme';
import { createTimeline, type Timeline } from '../ui/timeline';
import { createTree } from '../ui/tree';
import type { ReportData } from '../outcome/data';
import { listenToKeys } from './keys';
import { readLink, timeOf } from './link';
import { momentsOf } from '../outcome/moment_cards';
import { findMoments, timelineMarks, type Moment } from '../outcome/moments';
import type { Packs } from './packs';
import { formatSeconds } from '../ui/units';
import { createClearancePlot, createJointPlots, type Plots } from '../ui/plots';
import { preparePrint } from './print';
import { Replay } from './replay';
import { figuresOf, headOf, notesOf, originOf } from './sections';
import { createStage, type Stage } from './stage';

export interface ThemeSwitch { theme: Signal<Theme>; toggle(): void }

export class ReportPage {
  private readonly moments: Moment[];
  private readonly replay: Replay | null;
  private readonly timeline: Timeline | null;
  private readonly plots: Plots[];
  private readonly stage: Stage;

  constructor(root: HTMLElement, private readonly data: ReportData, private readonly packs: Packs, private readonly look: ThemeSwitch) {
    this.moments = findMoments(data);
    this.replay = packs.pack && new Replay(packs.pack, packs.track, this.moments, packs.swept);
    this.timeline = this.makeTimeline();
    this.plots = this.makePlots();
    this.stage = createStage(this.replay);
    root.replaceChildren(headOf(data, this.makeTools()), this.makeMain());
    this.openReplay();
    this.follow();
  }

  private makeTimeline(): Timeline | null {
    const { data: { begin, end, spans, frames }, packs: { track } } = this;
    if (frames === 0 && !track) return null;
    return createTimeline({
      begin: track?.begin ?? begin, end: track?.end ?? end, frames: track?.times ?? [begin, end], spans,
      marks: timelineMarks(this.moments),
    });
  }

  private makePlots(): Plots[] {
    const seek = (time: number): void => this.timeline?.seek(time);
    const plots: Plots[] = [];
    if (this.data.spans.length > 0) plots.push(createClearancePlot(this.data.spans, this.packs.track ?? this.data, timelineMarks(this.moments), seek));
    if (this.packs.track && this.packs.track.joints.length > 0) plots.push(createJointPlots(this.packs.track, seek));
    return plots;
  }

  private makeTools(): HTMLElement {
    const tool = (name: IconName, label: string, click: () => void): HTMLElement =>
      h('button', { type: 'button', class: 'icon', title: label, 'aria-label': label, on: { click } }, icon(name));
    return h('div', { class: 'report-tools no-print' },
      tool('report', 'Print', () => window.print()), tool('theme', 'Dark or light (T)', () => this.look.toggle()));
  }

  private makeMain(): HTMLElement {
    const moments = momentsOf(this.moments, (moment) => this.showMoment(moment));
    const timeline = this.timeline && h('div', { class: 'replay-time no-print' }, this.timeline.element);
    return h('main', { class: this.plots.length > 0 || moments ? '' : 'plain' },
      h('section', { class: 'replay', 'aria-label': 'Replay' }, this.stage.element, timeline),
      this.replay && h('section', { class: 'parts no-print', 'aria-label': 'Parts' }, this.makeTree(this.replay)),
      (moments || this.plots.length > 0) && h('section', { class: 'insight', 'aria-label': 'Clearance and joints' },
        moments, this.plots.map((plot) => h('div', { class: 'card' }, plot.element))),
      h('section', { class: 'details', 'aria-label': 'Details' },
        notesOf(this.data, this.packs.problems), figuresOf(this.data), originOf(this.data)));
  }

  private makeTree(replay: Replay): HTMLElement {
    const tree = createTree(replay.pack, replay.looks, {
      onSelect: (parts) => replay.select(parts), onFrame: (parts) => replay.view?.frame(parts, true),
    });
    replay.selected.on((parts) => tree.select(parts));
    return tree.element;
  }

  private openReplay(): void {
    const failure = this.replay ? this.replay.open(this.stage.host, this.look.theme.get()) : this.packs.problems[0];
    this.stage.say(failure ?? '');
    const { view } = this.replay ?? {};
    view?.onGraphics((state) => this.stage.say(state === 'lost' ? 'The browser took the graphics away; waiting for them.' : ''));
  }

  private follow(): void {
    const show = (time: number): void => {
      this.replay?.showTime(time);
      if (this.timeline) this.stage.caption(`The picture and the values of the joints are of ${formatSeconds(time)}.`);
      for (const plot of this.plots) plot.setTime(time);
    };
    this.timeline?.timeChanged.on(show);
    this.look.theme.watch((theme) => {
      this.replay?.view?.setTheme(theme);
      for (const plot of this.plots) plot.refresh();
    });
    show(this.timeline?.clock.time ?? this.data.begin);
    listenToKeys(this.replay, this.timeline, () => this.look.toggle());
    preparePrint(this.stage.host, this.replay, this.look.theme);
    window.addEventListener('hashchange', () => this.takeLink());
    this.takeLink();
  }

  private showMoment(moment: Moment): void {
    if (this.replay) this.replay.showMoment(moment, this.timeline);
    else this.timeline?.seek(moment.at);
  }

  /** Does what the address asks for. */
  private takeLink(): void {
    const link = readLink(location.hash);
    document.body.classList.toggle('picture', link.picture);
    if (link.theme) this.look.theme.set(link.theme);
    const time = this.timeline && timeOf(link, this.timeline.clock.begin, this.timeline.clock.end);
    if (time !== null) this.timeline!.seek(time);
    if (link.isolate) this.replay?.looks.isolate(this.replay.find(...link.isolate));
    if (link.view) this.replay?.view?.setView(link.view, false);
    else if (link.isolate) this.replay?.view?.frame(undefined, false);
    void this.tellReady();
  }

  /** For those who take pictures: when all is drawn, or why it never will be. */
  private async tellReady(): Promise<void> {
    delete document.body.dataset.ready;
    await this.replay?.view?.settled();
    document.title = `${this.data.scene || 'geste'}: ${this.data.verdict}`;
    if (!this.replay?.view) document.body.dataset.problem = 'no 3D';
    document.body.dataset.ready = '1';
  }
}
