// The 3D replay: the view follows the timeline, and moments that matter are marked when they are shown.
import { bindLooks, Looks } from '../ui/looks';
import { Emitter, signal } from '../ui/dom';
import type { Timeline } from '../ui/timeline';
import { ViewFailure, type Part, type ScenePack, type Track, type View } from '../view/contract';
import { createView } from '../view/view';
import { pairText } from '../ui/clearance';
import type { Moment } from './moments';
import { makeFinder, type FindParts } from './names';
import type { Theme } from '../ui/theme';

/** A moment is shown while the time is so near to it, in s; or a thousandth of the motion. */
const kNear = 1e-3;

export class Replay {
  readonly looks: Looks;
  readonly find: FindParts;
  /** Collision shapes instead of what is seen. */
  readonly collision = signal(false);
  readonly selected = new Emitter<readonly Part[]>();
  view: View | null = null;
  private readonly poses: Float32Array;
  private selection: readonly Part[] = [];
  private chosen: Moment | null = null;

  /** `hasMotion`: false where there is none, so that all that is known is shown at once. */
  constructor(readonly pack: ScenePack, private readonly track: Track | null, private readonly moments: readonly Moment[],
              private readonly hasMotion: boolean, readonly swept: readonly Part[] = []) {
    this.looks = new Looks(pack.bodies.length);
    this.find = makeFinder(pack);
    this.poses = Float32Array.from(pack.start.flat());
  }

  /** Why there is no 3D, or null when it stands. */
  open(host: HTMLElement, theme: Theme): string | null {
    try {
      this.view = createView(host, this.pack, { theme });
    } catch (failure) {
      if (!(failure instanceof ViewFailure)) throw failure;
      return failure.message;
    }
    bindLooks(this.looks, this.view);
    this.collision.watch((on) => this.view?.showCollision(on));
    this.view.onPick((pick, event) => this.pickPart(pick?.part ?? null, event.ctrlKey || event.shiftKey || event.metaKey));
    return null;
  }

  private pickPart(part: Part | null, more: boolean): void {
    if (part === null) this.select(more ? this.selection : []);
    else if (!more) this.select([part]);
    else this.select(this.selection.includes(part) ? this.selection.filter((each) => each !== part) : [...this.selection, part]);
  }

  select(parts: readonly Part[]): void {
    this.selection = parts;
    this.view?.select(parts);
    this.selected.emit(parts);
  }

  isSweptShown(): boolean {
    return this.swept.some((part) => !this.looks.isHidden(part));
  }

  toggleSwept(): void {
    this.looks.show(this.swept, !this.isSweptShown());
  }

  selectedParts(): readonly Part[] {
    return this.selection;
  }

  showTime(time: number): void {
    this.track?.poses(time, this.poses);
    this.view?.setPoses(this.poses);
    this.markMoments(time);
  }

  private markMoments(time: number): void {
    const near = Math.max(kNear, this.track ? (this.track.end - this.track.begin) * kNear : 0);
    const isShown = (moment: Moment): boolean =>
      !this.hasMotion || (this.track !== null && Math.abs(time - moment.at) <= near);
    const shown = this.moments.filter(isShown);
    const marked = shown.filter((moment) => moment.points);
    for (const moment of this.moments) {
      if (shown.includes(moment)) this.mark(moment, marked.length === 1 || moment === this.chosen);
      else this.view?.marks.remove(moment.id);
    }
    const colliding = shown.filter(isAlarming);
    this.view?.alarm(this.find(...colliding.flatMap(partsOf)));
  }

  /** Many words over each other are none: where several moments are shown at once, only the chosen one has them. */
  private mark(moment: Moment, hasWords: boolean): void {
    if (!moment.points) return;
    const words = hasWords ? `${pairText(moment.a, moment.b)}: ${moment.figure}` : '';
    this.view?.marks.gap(moment.id, ...moment.points, words, moment.kind === 'tightest' ? 'clear' : 'touch');
  }

  /** Goes there and looks at the two parts. */
  showMoment(moment: Moment, timeline: Timeline | null): void {
    this.chosen = moment;
    timeline?.setPlaying(false);
    if (timeline) timeline.seek(moment.at);
    else this.showTime(moment.at);
    const parts = this.find(...partsOf(moment));
    this.looks.show(parts, true);
    if (!isAlarming(moment)) this.select(parts);
    if (parts.length > 0) this.view?.frame(parts, true);
  }
}

function partsOf({ a, b, parts }: Moment): string[] {
  return parts ?? [a, b];
}

/** Walls are all around: marking them would hide what blocks. */
function isAlarming({ kind }: Moment): boolean {
  return kind !== 'tightest' && kind !== 'wall';
}
