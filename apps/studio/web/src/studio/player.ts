// The open result: its motion and time, or why there is none, and the moments that matter. While one is open the view
// shows it instead of the live state.
import { readResult, type ReportData } from '../outcome/data';
import { Evidence, isAlarming, spanOf } from '../outcome/evidence';
import { findMoments, timelineMarks, type Moment } from '../outcome/moments';
import { spaceOfStl } from '../outcome/swept';
import { clearanceRgb, spanAt } from '../ui/clearance';
import { signal, type Signal } from '../ui/dom';
import { createTimeline, type Timeline } from '../ui/timeline';
import type { Part, Track, Triangles } from '../view/contract';
import { decodeTrackPack } from '../view/pack/track_pack';
import { poseOfPart } from './poses';
import type { Result } from './protocol';
import type { Studio } from './studio';

/** `track` and `timeline` are null where the task found no motion. */
export interface OpenResult {
  result: Result; data: ReportData; moments: readonly Moment[]; track: Track | null; timeline: Timeline | null;
  swept: Triangles | null;
}

export interface LoadedResult { data: ReportData; track: Track | null }

export function resultFile(name: string, file: string): string {
  return `results/${encodeURIComponent(name)}/${encodeURIComponent(file)}`;
}

async function fetchFile(name: string, file: string): Promise<Response> {
  const response = await fetch(resultFile(name, file));
  if (!response.ok) throw new Error(`${name}/${file} cannot be read: ${await response.text() || response.statusText}`);
  return response;
}

/** What is known of a stored result, and its motion. */
export async function loadResult(name: string, movers: number): Promise<LoadedResult> {
  const data = readResult(await (await fetchFile(name, 'result.json')).text());
  if (!data) throw new Error(`${name}/result.json holds no result that could be read.`);
  if (data.frames < 2) return { data, track: null }; // the start alone is no motion, and has no file
  const bytes = await (await fetchFile(name, 'track')).arrayBuffer();
  return { data, track: await decodeTrackPack(new Uint8Array(bytes), movers) };
}

async function loadSwept({ name, files }: Result): Promise<Triangles | null> {
  return files.includes('swept.stl') ? spaceOfStl(await (await fetchFile(name, 'swept.stl')).arrayBuffer()) : null;
}

const kTracePlaces = 400;

export class Player {
  readonly open: Signal<OpenResult | null> = signal<OpenResult | null>(null);
  readonly ghosts: Signal<boolean>;
  /** The part whose way is drawn. */
  readonly traced: Signal<Part | null> = signal<Part | null>(null);
  /** Whether the space that the motion sweeps is drawn. */
  readonly sweptShown: Signal<boolean> = signal(true);
  private shown: Float32Array | null = null;
  private wanted: string | null = null;
  private evidence: Evidence | null = null;

  constructor(private readonly studio: Studio) {
    this.ghosts = signal(studio.memory.get<boolean>('ghosts') ?? true);
    this.ghosts.watch((on) => {
      studio.memory.set('ghosts', on);
      this.drawGhosts();
    });
    this.traced.watch(() => this.drawTrace());
    this.sweptShown.watch(() => this.drawSwept());
  }

  /** Poses of all movers as the open result has them now; null: none is open. */
  shownPoses(): Float32Array | null {
    return this.shown;
  }

  async openResult(name: string, time?: number): Promise<void> {
    const present = this.open.get();
    if (present?.result.name === name) {
      if (time !== undefined) present.timeline?.seek(time);
      return;
    }
    const result = this.studio.results.get().find((each) => each.name === name);
    if (!result) return;
    this.wanted = name;
    try {
      const [loaded, swept] = await Promise.all([loadResult(name, this.studio.pack.start.length), loadSwept(result)]);
      if (this.wanted === name) this.show(result, loaded, swept, time); // else another was asked for meanwhile
    } catch (error) {
      this.studio.complain(error);
    }
  }

  close(): void {
    this.wanted = null;
    const present = this.open.get();
    if (!present) return;
    this.leave(present);
    this.shown = null;
    this.open.set(null);
    this.drawGhosts();
    this.drawTrace();
    this.drawSwept();
    this.studio.view.setPoses(this.studio.poses.all);
    this.studio.stateChanged.emit();
  }

  /** Goes to the moment and looks at what it concerns. */
  showMoment(moment: Moment): void {
    const present = this.open.get();
    if (!present || !this.evidence) return;
    present.timeline?.setPlaying(false);
    present.timeline?.seek(moment.at);
    const parts = this.evidence.partsOf(moment);
    this.studio.looks.show(parts, true);
    this.studio.select(isAlarming(moment) ? [] : parts);
    this.evidence.look(moment);
  }

  /** Ends the look at a moment: all parts are drawn as usual again. */
  leaveMoment(): void {
    this.evidence?.leave();
  }

  private leave(present: OpenResult | null): void {
    present?.timeline?.dispose();
    this.evidence?.clear();
    this.evidence = null;
  }

  private show(result: Result, { data, track }: LoadedResult, swept: Triangles | null, time?: number): void {
    this.leave(this.open.get());
    const { view, pack } = this.studio;
    const moments = findMoments(data);
    this.evidence = new Evidence(view, (...names) => this.studio.findParts(...names), moments, spanOf(track));
    const timeline = track && spanOf(track) !== null ? this.makeTimeline(track, data, moments) : null;
    this.shown = Float32Array.from(pack.start.flat()); // where a motion would begin
    const showTime = (t: number): void => {
      track?.poses(t, this.shown!);
      view.setPoses(this.shown!);
      this.evidence?.showTime(t);
    };
    timeline?.timeChanged.on(showTime);
    this.open.set({ result, data, moments, track, timeline, swept });
    if (timeline) timeline.seek(time ?? timeline.clock.begin);
    else showTime(track?.begin ?? data.begin);
    this.drawGhosts();
    this.drawTrace();
    this.drawSwept();
  }

  private makeTimeline({ begin, end, times }: Track, { spans }: ReportData, moments: readonly Moment[]): Timeline {
    const timeline = createTimeline({ begin, end, frames: times, spans, marks: timelineMarks(moments) });
    const { memory } = this.studio;
    timeline.clock.speed = memory.get<number>('speed') ?? 1;
    timeline.setLoop(memory.get<boolean>('loop') ?? false);
    timeline.modeChanged.on(() => {
      memory.set('speed', timeline.clock.speed);
      memory.set('loop', timeline.clock.loop);
    });
    return timeline;
  }

  private drawSwept(): void {
    const swept = this.open.get()?.swept ?? null;
    this.studio.view.space('swept', this.sweptShown.get() ? swept : null);
  }

  private drawGhosts(): void {
    const track = this.open.get()?.track;
    const at = (t: number): Float32Array => {
      const poses = new Float32Array(this.studio.poses.all.length);
      track!.poses(t, poses);
      return poses;
    };
    const on = track && spanOf(track) !== null && this.ghosts.get();
    this.studio.view.ghost('start', on ? at(track.begin) : null, '#5b8def');
    this.studio.view.ghost('goal', on ? at(track.end) : null, '#3fae7a');
  }

  private drawTrace(): void {
    const present = this.open.get();
    const part = this.traced.get();
    if (!present?.track || part === null) return this.studio.view.trace('trace', null);
    const { track, data: { spans } } = present;
    const { begin, end } = track;
    const points = new Float32Array(3 * kTracePlaces);
    const colours = new Float32Array(3 * kTracePlaces);
    const poses = new Float32Array(this.studio.poses.all.length);
    for (let k = 0; k < kTracePlaces; k++) {
      const t = begin + ((end - begin) * k) / (kTracePlaces - 1);
      track.poses(t, poses);
      points.set(poseOfPart(this.studio.pack.bodies, part, poses).slice(0, 3), 3 * k);
      const span = spanAt(spans, t);
      const rgb = span ? clearanceRgb(span.clearance) : [128, 134, 144];
      colours.set(rgb.map((each) => each / 255), 3 * k);
    }
    this.studio.view.trace('trace', points, colours);
  }
}
