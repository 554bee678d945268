// Sends the newest of many values: at most one on its way and one waiting, and none twice in one animation frame.

export class NewestSender<T> {
  private waiting: { value: T } | null = null;
  private busy = false;
  private scheduled = false;

  constructor(private readonly send: (value: T) => Promise<unknown>,
              private readonly nextFrame: (work: () => void) => void = (work) => requestAnimationFrame(work)) {}

  /** A value that waits is replaced; the last one offered is always sent. */
  offer(value: T): void {
    this.waiting = { value };
    this.schedule();
  }

  /** Forgets what waits. */
  drop(): void {
    this.waiting = null;
  }

  private schedule(): void {
    if (this.scheduled || this.busy || !this.waiting) return;
    this.scheduled = true;
    this.nextFrame(() => {
      this.scheduled = false;
      this.flush();
    });
  }

  private flush(): void {
    if (this.busy || !this.waiting) return;
    const { value } = this.waiting;
    this.waiting = null;
    this.busy = true;
    const done = (): void => {
      this.busy = false;
      this.schedule();
    };
    this.send(value).then(done, done);
  }
}
