// What a result shows in 3D: its moments as marks, the parts they concern, and the way to look at one of them. The same
// in the report and in the studio.
import { pairText } from '../ui/clearance';
import type { Part, Point, Track, View } from '../view/contract';
import type { Moment } from './moments';
import type { FindParts } from './names';

/** A moment is shown while the time is so near to it, in s; or a thousandth of the motion. */
const kNear = 1e-3;

/** How long a motion is, in s; null where nothing moves. */
export function spanOf(track: Track | null): number | null {
  return track && track.end > track.begin ? track.end - track.begin : null;
}

/** `span`: how long the motion is, in s; null: there is none, so that all that is known is shown at once. */
export class Evidence {
  private chosen: Moment | null = null;

  constructor(
    private readonly view: View, private readonly find: FindParts, private readonly moments: readonly Moment[],
    private readonly span: number | null,
  ) {}

  /** Marks what belongs to this time. */
  showTime(time: number): void {
    const shown = this.moments.filter((moment) => this.isShown(moment, time));
    const marked = shown.filter((moment) => moment.points);
    for (const moment of this.moments) {
      if (shown.includes(moment)) this.mark(moment, marked.length === 1 || moment === this.chosen);
      else this.view.marks.remove(moment.id);
    }
    if (this.chosen && !shown.includes(this.chosen)) this.leave();
    this.view.alarm(this.partsOf(...shown.filter(isAlarming)));
  }

  private isShown(moment: Moment, time: number): boolean {
    return this.span === null || Math.abs(time - moment.at) <= Math.max(kNear, this.span * kNear);
  }

  /** Many words over each other are none: where several moments are shown at once, only the chosen one has them. */
  private mark(moment: Moment, hasWords: boolean): void {
    if (!moment.points) return;
    const words = hasWords ? `${pairText(moment.a, moment.b)}: ${moment.figure}` : '';
    this.view.marks.gap(moment.id, ...moment.points, words, moment.kind === 'tightest' ? 'clear' : 'touch');
  }

  partsOf(...moments: readonly Moment[]): Part[] {
    return this.find(...moments.flatMap(({ a, b, parts }) => parts ?? [a, b]));
  }

  /** Looks at the moment, which has words from now on; the time must be that of the moment already. */
  look(moment: Moment): void {
    this.chosen = moment;
    this.showTime(moment.at);
    const parts = this.partsOf(moment);
    const place = moment.points ? middleOf(moment.points) : this.middleOfParts(parts);
    if (place && parts.length > 0) this.view.focus(place, parts);
  }

  private middleOfParts(parts: readonly Part[]): Point | null {
    const box = parts.length > 0 ? this.view.bounds(parts) : null;
    return box && middleOf([box.min, box.max]);
  }

  /** Ends what `look` began. */
  leave(): void {
    if (!this.chosen) return;
    this.chosen = null;
    this.view.unfocus();
  }

  clear(): void {
    this.leave();
    for (const { id } of this.moments) this.view.marks.remove(id);
    this.view.alarm([]);
  }
}

function middleOf([a, b]: readonly [Point, Point]): Point {
  return [0, 1, 2].map((k) => (a[k] + b[k]) / 2) as unknown as Point;
}

/** Walls are all around: marking them would hide what blocks. */
export function isAlarming({ kind }: Moment): boolean {
  return kind !== 'tightest' && kind !== 'wall';
}
