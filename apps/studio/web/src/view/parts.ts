// How each part looks at the moment: what was asked for, and what comes of it. Knows nothing of drawing.

import type { Look, Part, ScenePack } from './contract';

export interface Drawn { visible: boolean; r: number; g: number; b: number; opacity: number } // colour: linear

const kSelected = linearOf('#2f8fff');
const kAlarm = linearOf('#e5383b');
/** How much of a mark's colour covers the part's own. */
const kTint = 0.72;

/** One channel of sRGB, 0 to 1, as linear light. */
export function toLinear(s: number): number {
  return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
}

/** Of "#rrggbb", as linear light. */
export function linearOf(hex: string): [number, number, number] {
  const value = /^#[0-9a-f]{6}$/i.test(hex) ? parseInt(hex.slice(1), 16) : 0x888888;
  return [value >> 16, (value >> 8) & 255, value & 255].map((byte) => toLinear(byte / 255)) as [number, number, number];
}

function isSame(a: ReadonlySet<Part>, b: ReadonlySet<Part>): boolean {
  return a.size === b.size && [...a].every((part) => b.has(part));
}

export class Parts {
  readonly visible: boolean[];
  private readonly colour: ([number, number, number] | null)[];
  private readonly opacity: number[];
  private selected = new Set<Part>();
  private alarmed = new Set<Part>();
  private faded: ReadonlyMap<Part, number> = new Map();
  private paired: readonly Part[] = [];
  collisionShown = false;

  constructor(private readonly pack: ScenePack) {
    const count = pack.bodies.length;
    this.visible = new Array(count).fill(true);
    this.colour = new Array(count).fill(null);
    this.opacity = new Array(count).fill(1);
  }

  look(part: Part, look: Look): void {
    if (look.visible !== undefined) this.visible[part] = look.visible;
    if (look.colour !== undefined) this.colour[part] = look.colour === null ? null : linearOf(look.colour);
    if (look.opacity !== undefined) this.opacity[part] = Math.min(1, Math.max(0, look.opacity));
  }

  /** Says whether that changes anything; so does `alarm`. */
  select(parts: readonly Part[]): boolean {
    const before = this.selected;
    this.selected = new Set(parts);
    return !isSame(before, this.selected);
  }

  alarm(parts: readonly Part[]): boolean {
    const before = this.alarmed;
    this.alarmed = new Set(parts);
    return !isSame(before, this.alarmed);
  }

  /**
   * How much is left of the opacity of parts that something is seen through, whatever their looks; and the two that are
   * told apart by colour.
   */
  fade(parts: ReadonlyMap<Part, number>, pair: readonly Part[] = []): void {
    this.faded = parts;
    this.paired = pair;
  }

  private markOf(part: Part): readonly number[] | null {
    if (this.paired[0] === part) return kAlarm;
    if (this.paired.includes(part)) return kSelected;
    return this.alarmed.has(part) ? kAlarm : this.selected.has(part) ? kSelected : null;
  }

  isFaded(part: Part): boolean {
    return this.faded.has(part);
  }

  /** Whether this geometry belongs to what is shown, visual or collision shapes. */
  isShown(geometry: number): boolean {
    const g = this.pack.geometry[geometry];
    return g.mesh >= 0 && this.visible[g.body] && (this.collisionShown ? g.collision : g.visual);
  }

  drawn(geometry: number): Drawn {
    const g = this.pack.geometry[geometry];
    const own = this.colour[g.body] ?? g.colour;
    const mark = this.markOf(g.body);
    const [r, gr, b] = mark ? mark.map((m, k) => kTint * m + (1 - kTint) * own[k]) : own;
    const ownOpacity = Number.isFinite(g.colour[3]) ? Math.min(1, Math.max(0, g.colour[3])) : 1;
    return { visible: this.isShown(geometry), r, g: gr, b, opacity: ownOpacity * this.opacity[g.body] * (this.faded.get(g.body) ?? 1) };
  }
}
