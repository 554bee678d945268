// Measuring: two picks give the distance of the points at once and, from the engine, the exact one of the parts.
import { h, replace, signal, type Signal } from '../ui/dom';
import { icon } from '../ui/icons';
import { formatLength } from '../ui/units';
import type { Part, Pick, Point } from '../view/contract';
import type { Studio } from './studio';

export interface Measure {
  id: number; a: Part; b: Part; points: number;
  /** Of the parts, exact; null: not asked or refused. */
  exact: number | null;
  /** The live state it was taken in. */
  q: readonly number[];
}

export function distanceOf(a: Point, b: Point): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

export class Measures {
  readonly list: Signal<readonly Measure[]> = signal<readonly Measure[]>([]);
  readonly first: Signal<Pick | null> = signal<Pick | null>(null);
  private count = 0;

  constructor(readonly studio: Studio) {
    studio.tool.watch((tool) => { if (tool !== 'measure') this.dropFirst(); });
  }

  pick(pick: Pick): void {
    const first = this.first.get();
    if (!first) {
      this.first.set(pick);
      this.studio.view.marks.gap('measure-first', pick.point, pick.point, '', 'measure');
      return;
    }
    this.dropFirst();
    void this.add(first, pick);
  }

  remove(id: number): void {
    this.list.set(this.list.get().filter((each) => each.id !== id));
    this.studio.view.marks.remove(`measure-${id}`);
    this.studio.view.marks.remove(`measure-${id}-exact`);
  }

  dropFirst(): void {
    this.first.set(null);
    this.studio.view.marks.remove('measure-first');
  }

  private async add(from: Pick, to: Pick): Promise<void> {
    const id = ++this.count;
    const { view, nameOf, player } = this.studio;
    const points = distanceOf(from.point, to.point);
    view.marks.gap(`measure-${id}`, from.point, to.point, formatLength(points), 'measure');
    const measure: Measure = { id, a: from.part, b: to.part, points, exact: null, q: this.studio.q.get() };
    this.list.set([...this.list.get(), measure]);
    // The engine knows the live state, not the moment of a result; and a part is not apart from itself.
    if (from.part === to.part || player.open.get()) return;
    const body = (part: Part): { body: string } => ({ body: nameOf.call(this.studio, part) });
    const answer = await this.studio.ask({ do: 'distance', a: body(from.part), b: body(to.part) });
    if (!answer || !this.list.get().some((each) => each.id === id)) return;
    const text = `parts ${formatLength(answer.distance)}`;
    view.marks.gap(`measure-${id}-exact`, answer.on_a, answer.on_b, text, answer.distance > 0 ? 'clear' : 'touch');
    this.list.set(this.list.get().map((each) => (each.id === id ? { ...each, exact: answer.distance } : each)));
  }
}

export function measureList(measures: Measures): HTMLElement {
  const { studio } = measures;
  const list = h('ul', { class: 'measures' });
  const section = h('section', { class: 'panel-section', 'aria-label': 'Measures' }, h('h2', null, 'Measures'), list);
  const show = (): void => {
    const all = measures.list.get();
    section.hidden = all.length === 0;
    replace(list, all.map((measure) => row(measure)));
  };
  const row = (measure: Measure): HTMLElement => {
    const [a, b] = [studio.nameOf(measure.a), studio.nameOf(measure.b)];
    const moved = measure.q.some((value, k) => value !== studio.q.get()[k]);
    return h('li', null,
      h('div', { class: 'grow' }, h('div', { class: 'ellipsis', title: `${a} – ${b}` }, a === b ? a : `${a} – ${b}`),
        h('div', { class: 'number' }, `points ${formatLength(measure.points)}`,
          measure.exact !== null && `, parts ${formatLength(measure.exact)}`),
        moved && h('div', { class: 'dim' }, 'things have moved since')),
      h('button', { type: 'button', class: 'icon quiet', 'aria-label': `Remove the measure ${a} – ${b}`,
        on: { click: () => measures.remove(measure.id) } }, icon('close', 12)));
  };
  measures.list.watch(show);
  studio.q.watch(() => { if (measures.list.get().length > 0) show(); });
  return section;
}
