// One stack for changes of the configuration and of looks. An entry is how things were before; what undo replaces
// becomes the entry for redo, so nothing needs to know where a change will end.
import { signal, type Signal } from '../ui/dom';
import type { LooksRecord } from '../ui/looks';

export type Snapshot = { kind: 'q'; q: number[] } | { kind: 'looks'; looks: LooksRecord };
export interface Entry { what: string; before: Snapshot }

export interface UndoHost {
  /** How things are now. */
  capture(kind: Snapshot['kind']): Snapshot;
  apply(snapshot: Snapshot): void;
}

interface Stored { past: Entry[]; future: Entry[] }

const kDepth = 60;
/** So many are kept over a reload: looks of thousands of parts fill the browser's storage. */
const kStored = 20;
/** Changes of the same thing that follow each other this fast are one (ms). */
const kMergeWithin = 1200;

export class UndoStack {
  readonly state: Signal<{ undo: string | null; redo: string | null }> = signal({ undo: null, redo: null } as
    { undo: string | null; redo: string | null });
  private past: Entry[] = [];
  private future: Entry[] = [];
  private merge = { key: '', at: -Infinity };

  constructor(private readonly host: UndoHost, private readonly save: (stored: Stored) => void = () => {},
              private readonly now: () => number = () => Date.now()) {}

  load(stored: unknown): void {
    const { past, future } = (stored ?? {}) as Partial<Stored>;
    this.past = Array.isArray(past) ? past : [];
    this.future = Array.isArray(future) ? future : [];
    this.tell();
  }

  /** Call before a change. A `mergeKey` joins a run of changes, such as those of one slider. */
  checkpoint(kind: Snapshot['kind'], what: string, mergeKey = ''): void {
    const at = this.now();
    const merges = mergeKey !== '' && mergeKey === this.merge.key && at - this.merge.at < kMergeWithin;
    this.merge = { key: mergeKey, at };
    if (merges) return;
    this.past.push({ what, before: this.host.capture(kind) });
    if (this.past.length > kDepth) this.past.shift();
    this.future = [];
    this.tell();
  }

  undo(): string | null {
    return this.swap(this.past, this.future);
  }

  redo(): string | null {
    return this.swap(this.future, this.past);
  }

  /** What undo or redo would bring back; null: nothing. */
  next(direction: 'undo' | 'redo'): Entry | null {
    return (direction === 'undo' ? this.past : this.future).at(-1) ?? null;
  }

  private swap(from: Entry[], to: Entry[]): string | null {
    const isAsNow = (entry: Entry): boolean =>
      JSON.stringify(this.host.capture(entry.before.kind)) === JSON.stringify(entry.before);
    let entry = from.pop();
    while (entry && isAsNow(entry)) entry = from.pop(); // what was refused changed nothing: no step for people
    this.merge.key = '';
    if (entry) {
      to.push({ what: entry.what, before: this.host.capture(entry.before.kind) });
      this.host.apply(entry.before);
    }
    this.tell();
    return entry?.what ?? null;
  }

  private tell(): void {
    this.state.set({ undo: this.past.at(-1)?.what ?? null, redo: this.future.at(-1)?.what ?? null });
    this.save({ past: this.past.slice(-kStored), future: this.future.slice(-kStored) });
  }
}
