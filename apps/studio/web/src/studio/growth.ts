// What a search has proven so far, drawn while its job runs.
import type { View } from '../view/contract';
import type { Job } from './protocol';
import { signal } from '../ui/dom';

const kId = 'growth';

export class Growth {
  /** How many lines are drawn. */
  readonly count = signal(0);
  private job: Job['job'] | null = null;

  constructor(private readonly view: View) {}

  /** A list of places, two for each line, x y z each. What belongs to no running job comes too late. */
  show(job: Job['job'], lines: readonly number[]): void {
    if (job === this.job) this.draw(lines);
  }

  follow(job: Job | null): void {
    const running = job?.state === 'running' ? job.job : null;
    if (running === this.job) return;
    this.job = running;
    this.draw([]);
  }

  private draw(lines: readonly number[]): void {
    this.view.lines(kId, lines.length >= 6 ? new Float32Array(lines) : null);
    this.count.set(Math.floor(lines.length / 6));
  }
}
