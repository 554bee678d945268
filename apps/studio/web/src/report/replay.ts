// The 3D replay: the view follows the timeline, and moments that matter are marked when they are shown.
import { Evidence, isAlarming, spanOf } from '../outcome/evidence';
import { bindLooks, Looks } from '../ui/looks';
import { Emitter, signal } from '../ui/dom';
import type { Timeline } from '../ui/timeline';
import { ViewFailure, type Part, type ScenePack, type Track, type Triangles, type View } from '../view/contract';
import { createView } from '../view/view';
import type { Moment } from '../outcome/moments';
import { makeFinder, type FindParts } from '../outcome/names';
import type { Theme } from '../ui/theme';

export class Replay {
  readonly looks: Looks;
  readonly find: FindParts;
  /** Collision shapes instead of what is seen. */
  readonly collision = signal(false);
  readonly selected = new Emitter<readonly Part[]>();
  view: View | null = null;
  private readonly poses: Float32Array;
  private selection: readonly Part[] = [];
  private evidence: Evidence | null = null;
  /** The space passed through, where there is one. */
  readonly sweptShown = signal(true);

  constructor(readonly pack: ScenePack, private readonly track: Track | null, private readonly moments: readonly Moment[],
              readonly swept: Triangles | null = null) {
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
    this.evidence = new Evidence(this.view, this.find, this.moments, spanOf(this.track));
    bindLooks(this.looks, this.view);
    this.sweptShown.watch((on) => this.view?.space('swept', on ? this.swept : null));
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
    this.evidence?.leave();
    this.view?.select(parts);
    this.selected.emit(parts);
  }

  selectedParts(): readonly Part[] {
    return this.selection;
  }

  showTime(time: number): void {
    this.track?.poses(time, this.poses);
    this.view?.setPoses(this.poses);
    this.evidence?.showTime(time);
  }

  /** Goes there and looks at the two parts. */
  showMoment(moment: Moment, timeline: Timeline | null): void {
    timeline?.setPlaying(false);
    if (timeline) timeline.seek(moment.at);
    else this.showTime(moment.at);
    const parts = this.evidence?.partsOf(moment) ?? [];
    this.looks.show(parts, true);
    this.select(isAlarming(moment) ? [] : parts);
    this.evidence?.look(moment);
  }
}
