// Time while a motion plays. No DOM, no timers: whoever owns the clock tells how much real time passed.

export const kSpeeds = [0.1, 0.25, 0.5, 1, 2, 4, 8] as const;

export class PlaybackClock {
  time: number;
  speed = 1;
  loop = false;
  playing = false;

  constructor(readonly begin: number, readonly end: number) {
    this.time = begin;
  }

  get duration(): number {
    return this.end - this.begin;
  }

  seek(time: number): void {
    if (Number.isFinite(time)) this.time = Math.min(this.end, Math.max(this.begin, time));
  }

  /** From the end it starts over. */
  play(): void {
    if (this.duration <= 0) return;
    if (this.time >= this.end) this.time = this.begin;
    this.playing = true;
  }

  pause(): void {
    this.playing = false;
  }

  /** Lets `seconds` of real time pass; stops at the end or begins again. True where the time moved. */
  advance(seconds: number): boolean {
    if (!this.playing || seconds <= 0) return false;
    let next = this.time + seconds * this.speed;
    if (next >= this.end) {
      if (this.loop) {
        next = this.begin + ((next - this.begin) % this.duration);
      } else {
        next = this.end;
        this.playing = false;
      }
    }
    const moved = next !== this.time;
    this.time = next;
    return moved;
  }

  /** To the next (+1) or previous (-1) of the sorted times. */
  step(times: ArrayLike<number>, direction: 1 | -1): void {
    const slack = 1e-9 * Math.max(1, this.duration);
    let low = 0;
    let high = times.length;
    while (low < high) { // first of the times that is beyond the present one, or at it when going back
      const middle = (low + high) >> 1;
      if (direction > 0 ? times[middle] <= this.time + slack : times[middle] < this.time - slack) low = middle + 1;
      else high = middle;
    }
    const found = direction > 0 ? low : low - 1;
    this.seek(found < 0 ? this.begin : found >= times.length ? this.end : times[found]);
  }

  /** One notch faster or slower. */
  shiftSpeed(direction: 1 | -1): void {
    const nearest = kSpeeds.reduce((best, each, k) =>
      Math.abs(each - this.speed) < Math.abs(kSpeeds[best] - this.speed) ? k : best, 0);
    this.speed = kSpeeds[Math.min(kSpeeds.length - 1, Math.max(0, nearest + direction))];
  }
}
