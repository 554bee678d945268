// How parts are drawn: hidden, coloured, transparent. The one owner of this state; tree, view and undo follow it.
import type { Look, Part, View } from '../view/contract';
import { Emitter } from './dom';

/** Only what differs from how the part comes. */
export interface PartLook { hidden?: true; colour?: string; opacity?: number }

/** All looks, for undo and for storage: [part, look]. */
export type LooksRecord = [Part, PartLook][];

export class Looks {
  readonly changed = new Emitter<readonly Part[]>();
  private readonly looks = new Map<Part, PartLook>();

  constructor(readonly count: number) {}

  of(part: Part): PartLook {
    return this.looks.get(part) ?? {};
  }

  isHidden(part: Part): boolean {
    return this.looks.get(part)?.hidden === true;
  }

  get hiddenCount(): number {
    let count = 0;
    for (const look of this.looks.values()) if (look.hidden) count++;
    return count;
  }

  show(parts: Iterable<Part>, visible: boolean): void {
    this.change(parts, (look) => ({ ...look, hidden: visible ? undefined : true }));
  }

  /** Null: the colour it comes with. */
  paint(parts: Iterable<Part>, colour: string | null): void {
    this.change(parts, (look) => ({ ...look, colour: colour ?? undefined }));
  }

  fade(parts: Iterable<Part>, opacity: number): void {
    this.change(parts, (look) => ({ ...look, opacity: opacity >= 1 ? undefined : opacity }));
  }

  isolate(parts: Iterable<Part>): void {
    const kept = new Set(parts);
    if (kept.size === 0) return;
    this.change(this.all(), (look, part) => ({ ...look, hidden: kept.has(part) ? undefined : true }));
  }

  showAll(): void {
    this.show([...this.looks.keys()], true);
  }

  record(): LooksRecord {
    return [...this.looks].sort((x, y) => x[0] - y[0]);
  }

  restore(record: LooksRecord): void {
    const wanted = new Map(record.filter(([part]) => Number.isInteger(part) && part >= 0 && part < this.count));
    this.change(new Set([...this.looks.keys(), ...wanted.keys()]), (_, part) => wanted.get(part) ?? {});
  }

  private *all(): Iterable<Part> {
    for (let part = 0; part < this.count; part++) yield part;
  }

  private change(parts: Iterable<Part>, next: (look: PartLook, part: Part) => Partial<PartLook>): void {
    const touched: Part[] = [];
    for (const part of parts) {
      const before = this.of(part);
      const { hidden, colour, opacity } = next(before, part);
      if (hidden === before.hidden && colour === before.colour && opacity === before.opacity) continue;
      touched.push(part);
      const look: PartLook = {
        ...(hidden && { hidden }), ...(colour !== undefined && { colour }), ...(opacity !== undefined && { opacity }),
      };
      if (Object.keys(look).length === 0) this.looks.delete(part);
      else this.looks.set(part, look);
    }
    if (touched.length > 0) this.changed.emit(touched);
  }
}

/** The view draws what the looks say, now and after each change; the answer ends it. */
export function bindLooks(looks: Looks, view: View): () => void {
  const draw = (parts: readonly Part[]): void => {
    // Parts that look alike go to the view in one call.
    const groups = new Map<string, { look: Look; parts: Part[] }>();
    for (const part of parts) {
      const { hidden, colour = null, opacity = 1 } = looks.of(part);
      const key = `${hidden}|${colour}|${opacity}`;
      let group = groups.get(key);
      if (!group) groups.set(key, (group = { look: { visible: !hidden, colour, opacity }, parts: [] }));
      group.parts.push(part);
    }
    for (const group of groups.values()) view.look(group.parts, group.look);
  };
  draw(looks.record().map(([part]) => part));
  return looks.changed.on(draw);
}
