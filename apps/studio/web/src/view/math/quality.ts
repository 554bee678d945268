// How coarse moving pictures may be so that they stay smooth; what stands still is always drawn in full.

/** Frames that take longer get coarser, in ms; shorter ones finer again. Far apart, so that it does not swing. */
const kTooSlowMs = 45;
const kFastMs = 14;
const kCoarsest = 16;
/** With full quality only every so many frames is timed: it makes the processor wait for the graphics. */
const kTimedEvery = 12;

export class Quality {
  private factor = 1;
  private untilTimed = 0;

  /** Errors may be so many times larger than in a still picture. */
  get coarseness(): number {
    return this.factor;
  }

  /** Whether the next moving frame is to be timed. */
  wantsTime(): boolean {
    if (this.factor > 1 || this.untilTimed <= 0) {
      this.untilTimed = kTimedEvery;
      return true;
    }
    --this.untilTimed;
    return false;
  }

  took(ms: number): void {
    if (ms > kTooSlowMs) this.factor = Math.min(kCoarsest, this.factor * 2);
    else if (ms < kFastMs) this.factor = Math.max(1, this.factor / 2);
  }
}
