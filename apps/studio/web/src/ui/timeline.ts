// The timeline of a motion: scrubber over a ribbon coloured by clearance, marks, play, speed and loop.
import './timeline.css';
import { clearanceColour, clearanceLegend, spanAt, type ClearanceSpan } from './clearance';
import { Emitter, h, replace, setAttribute } from './dom';
import { icon, type IconName } from './icons';
import { kSpeeds, PlaybackClock } from './playback';
import { createRibbon, type Ribbon } from './ribbon';
import { formatLength } from './units';

export interface TimelineMark { time: number; label: string; kind: 'tightest' | 'contact' | 'note' }

export interface TimelineOptions {
  begin: number;
  end: number;
  /** Times of the stored frames, for steps. */
  frames: ArrayLike<number>;
  spans: readonly ClearanceSpan[];
  marks: readonly TimelineMark[];
}

export interface Timeline {
  readonly element: HTMLElement;
  readonly clock: PlaybackClock;
  /** Each change of the time, from whatever cause. */
  readonly timeChanged: Emitter<number>;
  /** Play, pause, speed and loop. */
  readonly modeChanged: Emitter<void>;
  seek(time: number): void;
  setPlaying(playing: boolean): void;
  setLoop(loop: boolean): void;
  setSpeed(speed: number): void;
  /** To the next or previous frame; or by so many seconds. */
  step(direction: 1 | -1): void;
  jump(seconds: number): void;
  dispose(): void;
}

export function createTimeline(options: TimelineOptions): Timeline {
  return new TimelineBar(options);
}

const kDigits = 3;

class TimelineBar implements Timeline {
  readonly element: HTMLElement;
  readonly clock: PlaybackClock;
  readonly timeChanged = new Emitter<number>();
  readonly modeChanged = new Emitter<void>();
  private frame = 0;
  private last = 0;
  private readonly play = this.makeButton('play', 'Play (Space)', () => this.setPlaying(!this.clock.playing));
  private readonly loop = this.makeButton('loop', 'Loop (L)', () => this.setLoop(!this.clock.loop));
  private readonly speed = h('select', { 'aria-label': 'Speed', title: 'Speed', value: '1',
    on: { change: () => this.setSpeed(Number(this.speed.value)) } },
  kSpeeds.map((speed) => h('option', { value: speed }, `${speed}×`)));
  private readonly scrubber: HTMLInputElement;
  private readonly readout = h('output', { class: 'timeline-readout number', 'aria-live': 'off' });
  private readonly ribbon: Ribbon;

  constructor(private readonly options: TimelineOptions) {
    const { begin, end } = options;
    this.ribbon = createRibbon(options.spans, begin, end);
    this.clock = new PlaybackClock(begin, end);
    this.scrubber = h('input', { type: 'range', class: 'timeline-scrubber', min: begin, max: end, step: 'any',
      value: begin, 'aria-label': 'Time', disabled: end <= begin,
      on: { input: () => this.seek(Number(this.scrubber.value)), keydown: (event) => this.onScrubberKey(event) } });
    this.element = h('div', { class: 'timeline' },
      h('div', { class: 'timeline-buttons' },
        this.makeButton('first', 'To the start (Home)', () => this.seek(begin)), this.play,
        this.makeButton('last', 'To the end (End)', () => this.seek(end)), this.loop, this.speed),
      h('div', { class: 'timeline-track' },
        h('div', { class: 'timeline-marks' }, options.marks.map((mark) => this.makeMark(mark))),
        this.ribbon.element, this.scrubber),
      h('div', { class: 'timeline-side' }, this.readout, options.spans.length > 0 && clearanceLegend()));
    this.showMode();
    this.showTime();
  }

  seek(time: number): void {
    this.clock.seek(time);
    this.tell();
  }

  setPlaying(playing: boolean): void {
    if (playing) this.clock.play();
    else this.clock.pause();
    if (this.clock.playing && this.frame === 0) {
      this.last = performance.now();
      this.frame = requestAnimationFrame(this.tick);
    }
    this.showMode();
    this.modeChanged.emit();
  }

  setLoop(loop: boolean): void {
    this.clock.loop = loop;
    this.showMode();
    this.modeChanged.emit();
  }

  setSpeed(speed: number): void {
    if (Number.isFinite(speed) && speed > 0) this.clock.speed = speed;
    this.showMode();
    this.modeChanged.emit();
  }

  step(direction: 1 | -1): void {
    this.setPlaying(false);
    this.clock.step(this.options.frames, direction);
    this.tell();
  }

  jump(seconds: number): void {
    this.seek(this.clock.time + seconds);
  }

  dispose(): void {
    cancelAnimationFrame(this.frame);
    this.clock.pause();
    this.ribbon.dispose();
  }

  private readonly tick = (now: number): void => {
    this.frame = 0;
    const seconds = Math.max(0, now - this.last) / 1e3;
    this.last = now;
    if (this.clock.advance(seconds)) this.tell();
    if (this.clock.playing) {
      this.frame = requestAnimationFrame(this.tick);
    } else {
      this.showMode();
      this.modeChanged.emit();
    }
  };

  private tell(): void {
    this.showTime();
    this.timeChanged.emit(this.clock.time);
  }

  private showTime(): void {
    const { time, end } = this.clock;
    this.scrubber.value = String(time);
    const span = spanAt(this.options.spans, time);
    const clearance = span ? `, clearance at least ${formatLength(span.clearance)}` : '';
    setAttribute(this.scrubber, 'aria-valuetext', `${time.toFixed(kDigits)} of ${end.toFixed(kDigits)} s${clearance}`);
    replace(this.readout, h('span', { class: 'timeline-now' }, time.toFixed(kDigits)), ` / ${end.toFixed(kDigits)} s`,
      span && h('span', { class: 'timeline-clearance', title: pairText(span) },
        h('span', { class: 'timeline-dot', style: { background: clearanceColour(span.clearance) } }),
        `≥ ${formatLength(span.clearance)}`));
  }

  private showMode(): void {
    const { playing, loop, speed } = this.clock;
    const label = playing ? 'Pause (Space)' : 'Play (Space)';
    replace(this.play, icon(playing ? 'pause' : 'play'));
    setAttribute(this.play, 'aria-label', label);
    setAttribute(this.play, 'title', label);
    setAttribute(this.loop, 'aria-pressed', loop);
    this.speed.value = String(speed);
  }

  private makeButton(name: IconName, label: string, click: () => void): HTMLButtonElement {
    return h('button', { type: 'button', class: 'icon', title: label, 'aria-label': label, on: { click } }, icon(name));
  }

  private makeMark(mark: TimelineMark): HTMLElement {
    const { begin, end } = this.options;
    const left = end > begin ? ((mark.time - begin) / (end - begin)) * 100 : 0;
    const label = `${mark.label}, at ${mark.time.toFixed(kDigits)} s`;
    return h('button', { type: 'button', class: `timeline-mark ${mark.kind}`, style: { left: `${left}%` },
      title: label, 'aria-label': label, on: { click: () => this.seek(mark.time) } });
  }

  private onScrubberKey(event: KeyboardEvent): void {
    const direction = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key] as 1 | -1 | undefined;
    if (!direction || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.shiftKey) this.jump(direction * this.clock.duration / 20);
    else this.step(direction);
  }
}

function pairText(span: ClearanceSpan): string {
  return span.a && span.b ? `${span.a} – ${span.b}` : '';
}
