// The tab "Clashes": every pair that interpenetrates, touches or is near, as a table to click through.
import { h, replace, setAttribute, signal, type Child, type Signal } from '../ui/dom';
import { formatLength, parseQuantity } from '../ui/units';
import type { Part } from '../view/contract';
import type { Clash } from './protocol';
import type { Studio } from './studio';

export type ClashKind = Clash['kind'];

/** What the last look found, and the live state it was taken in. */
export interface ClashList { pairs: readonly Clash[]; found: number; checked: number; tolerance: number; q: readonly number[] }

const kMark = 'clash';

export class Clashes {
  readonly list: Signal<ClashList | null> = signal<ClashList | null>(null);
  readonly busy: Signal<boolean> = signal(false);
  readonly chosen: Signal<Clash | null> = signal<Clash | null>(null);
  private shown: readonly Part[] = [];

  constructor(readonly studio: Studio) {
    // Whoever turns to something else has seen enough.
    studio.selection.watch((parts) => { if (parts !== this.shown) this.leave(); });
    studio.player.open.watch((open) => { if (open) this.leave(); });
  }

  async check(tolerance = this.list.get()?.tolerance ?? 0): Promise<void> {
    if (this.busy.get()) return;
    this.busy.set(true);
    const q = this.studio.q.get();
    const answer = await this.studio.ask({ do: 'clashes', tolerance });
    this.busy.set(false);
    if (!answer) return;
    this.leave();
    this.list.set({ ...answer, tolerance, q });
  }

  /** The camera goes there; the two have a colour each, and everything else is seen through. */
  show(clash: Clash): void {
    const { view, player, looks } = this.studio;
    player.close();
    const parts = [clash.a, clash.b].map((name) => this.studio.partOf(name)).filter((part) => part !== null);
    looks.show(parts, true);
    this.studio.select(parts);
    this.shown = this.studio.selection.get();
    this.chosen.set(clash);
    view.focus(clash.point, parts, { alone: true });
    view.marks.gap(kMark, clash.on_a, clash.on_b, `${clash.a} – ${clash.b}: ${clashText(clash)}`, clash.kind === 'near' ? 'clear' : 'touch');
  }

  leave(): void {
    if (!this.chosen.get()) return;
    this.chosen.set(null);
    this.studio.view.marks.remove(kMark);
    this.studio.view.unfocus();
  }
}

export function clashText({ kind, distance }: Clash): string {
  if (kind === 'crossing') return 'surfaces cross';
  if (kind === 'touch' || distance === null) return 'touching';
  return distance < 0 ? `${formatLength(-distance)} deep` : `${formatLength(distance)} apart`;
}

const kKinds: Record<ClashKind, { one: string; many: string; badge: string }> = {
  clash: { one: 'clash', many: 'clashes', badge: 'alarm' },
  crossing: { one: 'crossing of open surfaces', many: 'crossings of open surfaces', badge: 'alarm' },
  touch: { one: 'contact', many: 'contacts', badge: 'warn' },
  near: { one: 'near pair', many: 'near pairs', badge: '' },
};

/** "3 clashes, 12 contacts"; "No clash" where there is none. */
export function summaryOf({ pairs }: Pick<ClashList, 'pairs'>): string {
  const counts = (Object.keys(kKinds) as ClashKind[]).map((kind) => ({ kind, n: pairs.filter((each) => each.kind === kind).length }));
  const words = counts.filter(({ n }) => n > 0).map(({ kind, n }) => `${n} ${n === 1 ? kKinds[kind].one : kKinds[kind].many}`);
  const clashes = counts[0].n + counts[1].n;
  return [...(clashes === 0 ? ['No clash'] : []), ...words].join(', ');
}

export function createClashPanel(clashes: Clashes): HTMLElement {
  const { studio, list, busy } = clashes;
  const tolerance = h('input', { type: 'text', inputmode: 'decimal', class: 'number', size: 6, value: '0', 'aria-label': 'Tolerance in mm' });
  const check = h('button', { type: 'submit', class: 'primary' }, 'Check');
  const form = h('form', { class: 'row wrap', on: { submit: (event) => {
    event.preventDefault();
    const value = parseQuantity(tolerance.value, 'length');
    setAttribute(tolerance, 'aria-invalid', value === null || value < 0 ? 'true' : null);
    if (value !== null && value >= 0) void clashes.check(value);
  } } }, h('label', { class: 'row' }, 'Also nearer than', tolerance, h('span', { class: 'dim' }, 'mm')), check);
  const said = h('p', { role: 'status' });
  const stale = h('p', { class: 'dim' }, 'Things have moved since: check again.');
  const table = new ClashTable(clashes);
  busy.watch((on) => {
    check.disabled = on;
    if (on) said.textContent = 'Checking every pair …';
  });
  const showAge = (): void => { stale.hidden = !list.get() || isSame(list.get()!.q, studio.q.get()); };
  list.watch((found) => {
    said.textContent = found ? `${summaryOf(found)}. ${found.checked} pairs checked.` : 'Looks at every pair of parts as they stand now, those fixed to each other too.';
    table.fill(found);
    showAge();
  });
  studio.q.watch(showAge);
  return h('div', { class: 'panel clashes' }, h('section', { class: 'panel-section' }, form, said, stale), table.element);
}

function isSame(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, k) => value === b[k]);
}

/** More rows than this are not drawn: the worst come first. */
const kMostRows = 1000;

class ClashTable {
  readonly element = h('div', { class: 'clash-table' });
  private rows: { clash: Clash; button: HTMLButtonElement }[] = [];
  private readonly hidden = new Set<ClashKind>();
  private found: ClashList | null = null;

  constructor(private readonly clashes: Clashes) {
    clashes.chosen.watch((chosen) => this.rows.forEach(({ clash, button }) =>
      setAttribute(button, 'aria-current', clash === chosen ? 'true' : null)));
  }

  fill(found: ClashList | null): void {
    this.found = found;
    const shown = (found?.pairs ?? []).filter(({ kind }) => !this.hidden.has(kind));
    this.rows = shown.slice(0, kMostRows).map((clash, k) => ({ clash, button: this.makeRow(clash, k) }));
    const more = (found?.found ?? 0) - (found?.pairs.length ?? 0) + shown.length - this.rows.length;
    replace(this.element, this.makeFilter(), h('ol', { class: 'clash-rows', 'aria-label': 'Pairs, the worst first' },
      this.rows.map(({ button }) => h('li', null, button))), more > 0 && h('p', { class: 'panel-section dim' }, `and ${more} more`));
  }

  /** Which kinds are listed, where there are several. */
  private makeFilter(): Child {
    const kinds = [...new Set(this.found?.pairs.map(({ kind }) => kind))];
    if (kinds.length < 2) return null;
    return h('div', { class: 'row wrap panel-section', role: 'group', 'aria-label': 'Kinds' }, kinds.map((kind) =>
      h('button', { type: 'button', 'aria-pressed': !this.hidden.has(kind), on: { click: () => {
        if (!this.hidden.delete(kind)) this.hidden.add(kind);
        this.fill(this.found);
      } } }, kind)));
  }

  private makeRow(clash: Clash, k: number): HTMLButtonElement {
    const { a, b, kind, deflection, distance } = clash;
    const isFit = kind === 'clash' && distance !== null && -distance <= deflection;
    return h('button', { type: 'button', class: 'clash-row quiet', title: isFit
      ? `No deeper than the ${formatLength(deflection)} that the triangles of the two may be off` : `${a} – ${b}`,
    on: { click: () => this.clashes.show(clash), keydown: (event) => this.onKey(event, k) } },
    h('span', { class: `badge ${kKinds[kind].badge}` }, kind), h('span', { class: 'clash-pair' }, h('span', null, a), h('span', null, b)),
    h('span', { class: 'number' }, clashText(clash), isFit && h('span', { class: 'dim' }, ' (fit?)')));
  }

  /** Arrows go from row to row, and show each. */
  private onKey(event: KeyboardEvent, k: number): void {
    const next = { ArrowDown: k + 1, ArrowUp: k - 1, Home: 0, End: this.rows.length - 1 }[event.key];
    const row = next === undefined ? undefined : this.rows[next];
    if (!row) return;
    event.preventDefault();
    event.stopPropagation();
    row.button.focus();
    this.clashes.show(row.clash);
  }
}
