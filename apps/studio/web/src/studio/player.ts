// The open result: its motion, where it comes near what, and time. While one is open the view shows it instead of
// the live state.
import { readSpans, spanAt, tightestSpan, clearanceRgb, type ClearanceSpan } from '../ui/clearance';
import { signal, type Signal } from '../ui/dom';
import { createTimeline, type Timeline, type TimelineMark } from '../ui/timeline';
import { formatLength } from '../ui/units';
import type { Part, Track } from '../view/contract';
import { decodeTrackPack } from '../view/pack/track_pack';
import { poseOfPart } from './poses';
import type { Result } from './protocol';
import type { Studio } from './studio';

export interface OpenResult { result: Result; track: Track; spans: ClearanceSpan[]; timeline: Timeline }

interface StoredContact { at_s: number; a: string; b: string; point: [number, number, number] }
interface Certificate { profile?: unknown; contact?: StoredContact }

export function resultFile(name: string, file: string): string {
  return `results/${encodeURIComponent(name)}/${encodeURIComponent(file)}`;
}

/** The motion and the certificate of a stored result. */
export async function loadResult(name: string, movers: number): Promise<{ track: Track; certificate: Certificate }> {
  const get = async (file: string): Promise<Response> => {
    const response = await fetch(resultFile(name, file));
    if (!response.ok) throw new Error(`${name}/${file} cannot be read: ${await response.text() || response.statusText}`);
    return response;
  };
  const track = get('track').then(async (response) => decodeTrackPack(new Uint8Array(await response.arrayBuffer()), movers));
  const document = get('result.json').then((response) => response.json() as Promise<{ certificate?: Certificate }>);
  return { track: await track, certificate: (await document).certificate ?? {} };
}

/** Marks of a timeline: where it is tightest, where it touches. */
export function makeMarks(spans: readonly ClearanceSpan[], contact?: StoredContact): TimelineMark[] {
  const marks: TimelineMark[] = [];
  const tightest = tightestSpan(spans);
  if (tightest) {
    const pair = tightest.a ? `, ${tightest.a} – ${tightest.b}` : '';
    marks.push({ time: tightest.begin, kind: 'tightest', label: `Tightest: ${formatLength(tightest.clearance)}${pair}` });
  }
  if (contact) marks.push({ time: contact.at_s, kind: 'contact', label: `Contact: ${contact.a} – ${contact.b}` });
  return marks;
}

const kTracePlaces = 400;

export class Player {
  readonly open: Signal<OpenResult | null> = signal<OpenResult | null>(null);
  readonly ghosts: Signal<boolean>;
  /** The part whose way is drawn. */
  readonly traced: Signal<Part | null> = signal<Part | null>(null);
  private shown: Float32Array | null = null;
  private wanted: string | null = null;

  constructor(private readonly studio: Studio) {
    this.ghosts = signal(studio.memory.get<boolean>('ghosts') ?? true);
    this.ghosts.watch((on) => {
      studio.memory.set('ghosts', on);
      this.drawGhosts();
    });
    this.traced.watch(() => this.drawTrace());
  }

  /** Poses of all movers as the open result has them now; null: none is open. */
  shownPoses(): Float32Array | null {
    return this.shown;
  }

  async openResult(name: string, time?: number): Promise<void> {
    const present = this.open.get();
    if (present?.result.name === name) {
      if (time !== undefined) present.timeline.seek(time);
      return;
    }
    const result = this.studio.results.get().find((each) => each.name === name);
    if (!result) return;
    this.wanted = name;
    try {
      const { track, certificate } = await loadResult(name, this.studio.pack.start.length);
      if (this.wanted === name) this.show(result, track, certificate, time); // else another was asked for meanwhile
    } catch (error) {
      this.studio.complain(error);
    }
  }

  close(): void {
    this.wanted = null;
    const present = this.open.get();
    if (!present) return;
    present.timeline.dispose();
    this.shown = null;
    this.open.set(null);
    this.drawGhosts();
    this.drawTrace();
    this.studio.view.marks.remove('contact');
    this.studio.view.alarm([]);
    this.studio.view.setPoses(this.studio.poses.all);
    this.studio.stateChanged.emit();
  }

  private show(result: Result, track: Track, certificate: Certificate, time?: number): void {
    this.open.get()?.timeline.dispose();
    const spans = readSpans(certificate.profile);
    const timeline = createTimeline({ begin: track.begin, end: track.end, frames: track.times, spans,
      marks: makeMarks(spans, certificate.contact) });
    const { memory } = this.studio;
    timeline.clock.speed = memory.get<number>('speed') ?? 1;
    timeline.setLoop(memory.get<boolean>('loop') ?? false);
    timeline.modeChanged.on(() => {
      memory.set('speed', timeline.clock.speed);
      memory.set('loop', timeline.clock.loop);
    });
    this.shown = new Float32Array(this.studio.poses.all.length);
    timeline.timeChanged.on((t) => {
      track.poses(t, this.shown!);
      this.studio.view.setPoses(this.shown!);
    });
    this.open.set({ result, track, spans, timeline });
    timeline.seek(time ?? track.begin);
    this.drawGhosts();
    this.drawTrace();
    this.drawContact(certificate.contact);
  }

  private drawContact(contact?: StoredContact): void {
    const { view } = this.studio;
    view.marks.remove('contact');
    const parts = contact ? [contact.a, contact.b].map((name) => this.studio.partOf(name)) : [];
    view.alarm(parts.filter((part) => part !== null));
    if (contact?.point) view.marks.gap('contact', contact.point, contact.point, 'contact', 'touch');
  }

  private drawGhosts(): void {
    const track = this.open.get()?.track;
    const at = (t: number): Float32Array => {
      const poses = new Float32Array(this.studio.poses.all.length);
      track!.poses(t, poses);
      return poses;
    };
    const on = track && this.ghosts.get();
    this.studio.view.ghost('start', on ? at(track.begin) : null, '#5b8def');
    this.studio.view.ghost('goal', on ? at(track.end) : null, '#3fae7a');
  }

  private drawTrace(): void {
    const present = this.open.get();
    const part = this.traced.get();
    if (!present || part === null) return this.studio.view.trace('trace', null);
    const { begin, end } = present.track;
    const points = new Float32Array(3 * kTracePlaces);
    const colours = new Float32Array(3 * kTracePlaces);
    const poses = new Float32Array(this.studio.poses.all.length);
    for (let k = 0; k < kTracePlaces; k++) {
      const t = begin + ((end - begin) * k) / (kTracePlaces - 1);
      present.track.poses(t, poses);
      points.set(poseOfPart(this.studio.pack.bodies, part, poses).slice(0, 3), 3 * k);
      const span = spanAt(present.spans, t);
      const rgb = span ? clearanceRgb(span.clearance) : [128, 134, 144];
      colours.set(rgb.map((each) => each / 255), 3 * k);
    }
    this.studio.view.trace('trace', points, colours);
  }
}
