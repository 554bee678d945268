// The part tree: search, selection, show and hide. Only the rows in sight are in the document, so that thousands of
// parts cost nothing; the focus stays on the tree itself and points at its active row (aria-activedescendant).
import './tree.css';
import type { Part, ScenePack } from '../view/contract';
import { h, oncePerFrame, replace, setAttribute } from './dom';
import { icon, type IconName } from './icons';
import { lookBar } from './look_bar';
import type { Looks } from './looks';
import { makeTree, nodesAbove, visibleRows, type TreeNode, type TreeRow } from './tree_rows';

export interface TreeEvents {
  onSelect(parts: readonly Part[]): void;
  onFrame(parts: readonly Part[]): void;
  /** Called before looks change, with what is about to be done: for undo. */
  beforeLook?(what: string): void;
}

export interface PartTree {
  readonly element: HTMLElement;
  select(parts: readonly Part[]): void;
  focusSearch(): void;
  dispose(): void;
}

const kRowHeight = 26;
const kMargin = 8; // rows drawn beyond what is in sight

let treeCount = 0;

export function createTree(
  pack: Pick<ScenePack, 'actors' | 'bodies'>, looks: Looks, events: TreeEvents,
): PartTree {
  return new Tree(makeTree(pack.actors, pack.bodies), looks, events);
}

class Tree implements PartTree {
  readonly element: HTMLElement;
  private readonly id = `tree${++treeCount}`;
  private readonly open = new Set<string>();
  private readonly selected = new Set<Part>();
  private rows: TreeRow[] = [];
  private active = 0;
  private anchor = 0; // where a selection with Shift begins
  private readonly search = h('input', {
    type: 'search', placeholder: 'Search parts', 'aria-label': 'Search parts', autocomplete: 'off', spellcheck: 'false',
    on: { input: () => this.rebuild(), keydown: (event) => this.onSearchKey(event) },
  });
  private readonly canvas = h('div', { class: 'tree-canvas', role: 'presentation' });
  private readonly list = h('div', {
    class: 'tree-list', role: 'tree', tabindex: 0, 'aria-label': 'Parts', 'aria-multiselectable': 'true',
    on: {
      scroll: oncePerFrame(() => this.draw()),
      keydown: (event) => this.onKey(event),
    },
  }, this.canvas);
  private readonly count = h('p', { class: 'tree-count dim', role: 'status' });
  private readonly bar;
  private readonly endings: (() => void)[] = [];

  constructor(private readonly roots: readonly TreeNode[], private readonly looks: Looks,
              private readonly events: TreeEvents) {
    this.bar = lookBar(looks, { parts: () => [...this.selected], before: (what) => events.beforeLook?.(what) });
    this.element = h('div', { class: 'tree' }, h('div', { class: 'tree-search' }, this.search),
      this.list, this.count, this.bar.element);
    if (roots.length === 1) this.open.add(roots[0].id);
    const redraw = oncePerFrame(() => this.draw());
    this.endings.push(looks.changed.on(redraw));
    if (typeof ResizeObserver !== 'undefined') {
      const observer = new ResizeObserver(redraw);
      observer.observe(this.list);
      this.endings.push(() => observer.disconnect());
    }
    this.rebuild();
  }

  select(parts: readonly Part[]): void {
    if (parts.length === this.selected.size && parts.every((part) => this.selected.has(part))) return;
    this.selected.clear();
    for (const part of parts) this.selected.add(part);
    this.bar.refresh();
    if (parts.length > 0) this.reveal(parts[0]);
    else this.draw();
  }

  focusSearch(): void {
    this.search.focus();
    this.search.select();
  }

  dispose(): void {
    for (const end of this.endings) end();
    this.bar.dispose();
  }

  private reveal(part: Part): void {
    // A whole actor or sub-assembly that is selected is shown as one; what is above it opens.
    const above = nodesAbove(this.roots, part);
    const whole = above.findIndex((node) => node.parts.every((each) => this.selected.has(each)));
    const opened = whole < 0 ? above : above.slice(0, whole);
    for (const node of opened) this.open.add(node.id);
    this.rebuild();
    const wanted = whole < 0 ? `b${part}` : above[whole].id;
    const row = this.rows.findIndex((each) => each.node.id === wanted);
    if (row >= 0) this.activate(row);
  }

  private rebuild(): void {
    this.rows = visibleRows(this.roots, this.open, this.search.value);
    this.active = Math.max(0, Math.min(this.active, this.rows.length - 1));
    this.canvas.style.height = `${this.rows.length * kRowHeight}px`;
    this.count.textContent = this.countText();
    this.draw();
  }

  private countText(): string {
    const total = this.roots.reduce((sum, root) => sum + root.parts.length, 0);
    const words = [`${total} ${total === 1 ? 'part' : 'parts'}`];
    if (this.search.value.trim()) {
      const found = this.rows.filter((row) => row.expanded === null).length;
      words.push(found === 0 ? 'no part has this name' : `${found} found`);
    }
    const hidden = this.looks.hiddenCount;
    if (hidden > 0) words.push(`${hidden} hidden`);
    return words.join(', ');
  }

  private draw(): void {
    const height = this.list.clientHeight || 600;
    const first = Math.max(0, Math.floor(this.list.scrollTop / kRowHeight) - kMargin);
    const beyond = Math.min(this.rows.length, first + Math.ceil(height / kRowHeight) + 2 * kMargin);
    const drawn = [];
    for (let k = first; k < beyond; k++) drawn.push(this.drawRow(k));
    replace(this.canvas, drawn);
    const hasActive = this.active >= first && this.active < beyond;
    setAttribute(this.list, 'aria-activedescendant', hasActive ? this.rowId(this.active) : null);
    this.count.textContent = this.countText();
  }

  private rowId(k: number): string {
    return `${this.id}-${this.rows[k].node.id}`;
  }

  private drawRow(k: number): HTMLElement {
    const { node, level, position, setSize, expanded } = this.rows[k];
    const hidden = node.parts.every((part) => this.looks.isHidden(part));
    const { colour, opacity } = this.looks.of(node.parts[0]);
    return h('div', {
      id: this.rowId(k), role: 'treeitem', 'aria-level': level, 'aria-posinset': position, 'aria-setsize': setSize,
      'aria-expanded': expanded ?? undefined, 'aria-selected': this.isSelected(node),
      'aria-label': hidden ? `${node.name}, hidden` : node.name, title: node.name,
      class: `tree-row${k === this.active ? ' active' : ''}${hidden ? ' hidden-part' : ''}`,
      style: { top: `${k * kRowHeight}px`, 'padding-left': `${(level - 1) * 14 + 2}px` },
      on: { click: (event) => this.onRowClick(k, event) },
    },
    h('span', { class: `tree-chevron${expanded ? ' open' : ''}`, dataset: { act: 'toggle' } },
      expanded !== null && icon('chevron', 12)),
    icon(kindIcon(node.kind), 14),
    h('span', { class: 'grow ellipsis' }, node.name),
    colour && h('span', { class: 'tree-swatch', style: { background: colour } }),
    opacity !== undefined && h('span', { class: 'dim number' }, `${Math.round(opacity * 100)}%`),
    h('span', { class: 'tree-eye', dataset: { act: 'eye' }, title: hidden ? 'Show (H)' : 'Hide (H)' },
      icon(hidden ? 'eyeOff' : 'eye', 14)));
  }

  private isSelected(node: TreeNode): boolean {
    return this.selected.size > 0 && node.parts.every((part) => this.selected.has(part));
  }

  private onRowClick(k: number, event: MouseEvent): void {
    const act = (event.target as Element).closest<HTMLElement>('[data-act]')?.dataset.act;
    const { node, expanded } = this.rows[k];
    this.list.focus();
    if (act === 'eye') {
      this.toggleVisible(node.parts);
    } else if (act === 'toggle' && expanded !== null) {
      this.active = k;
      this.toggleOpen(node, !expanded);
    } else if (event.detail === 2) { // the row was drawn anew after the first click, so no dblclick comes
      this.events.onFrame(node.parts);
    } else {
      this.choose(k, event.shiftKey ? 'range' : event.ctrlKey || event.metaKey ? 'toggle' : 'only');
    }
  }

  private choose(k: number, how: 'only' | 'toggle' | 'range'): void {
    const { node } = this.rows[k];
    const add = how === 'toggle' && !this.isSelected(node);
    if (how !== 'toggle') this.selected.clear();
    if (how === 'range') {
      const [from, to] = [Math.min(this.anchor, k), Math.max(this.anchor, k)];
      for (const row of this.rows.slice(from, to + 1)) for (const part of row.node.parts) this.selected.add(part);
    } else {
      this.anchor = k;
      for (const part of node.parts) if (how === 'only' || add) this.selected.add(part); else this.selected.delete(part);
    }
    this.activate(k);
    this.bar.refresh();
    this.events.onSelect([...this.selected]);
  }

  private toggleOpen(node: TreeNode, open: boolean): void {
    if (open) this.open.add(node.id);
    else this.open.delete(node.id);
    this.rebuild();
  }

  private toggleVisible(parts: readonly Part[]): void {
    const show = parts.every((part) => this.looks.isHidden(part));
    this.events.beforeLook?.(show ? 'show' : 'hide');
    this.looks.show(parts, show);
  }

  private activate(k: number): void {
    this.active = Math.max(0, Math.min(k, this.rows.length - 1));
    const top = this.active * kRowHeight;
    const { scrollTop, clientHeight } = this.list;
    if (top < scrollTop) this.list.scrollTop = top;
    else if (clientHeight > 0 && top + kRowHeight > scrollTop + clientHeight) {
      this.list.scrollTop = top + kRowHeight - clientHeight;
    }
    this.draw();
  }

  private onSearchKey(event: KeyboardEvent): void {
    if (event.key === 'ArrowDown') this.list.focus();
    else if (event.key === 'Escape' && this.search.value !== '') {
      this.search.value = '';
      this.rebuild();
    } else if (event.key === 'Enter' && this.rows.length > 0) {
      const first = this.rows.findIndex((row) => row.expanded === null);
      this.choose(Math.max(0, first), 'only');
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Keys of an ARIA tree, and Space or Enter to select. */
  private onKey(event: KeyboardEvent): void {
    if (this.rows.length === 0 || event.altKey || event.metaKey) return;
    const { node, level, expanded } = this.rows[this.active];
    const page = Math.max(1, Math.floor(this.list.clientHeight / kRowHeight) - 1);
    const moves: Record<string, number> = {
      ArrowDown: this.active + 1, ArrowUp: this.active - 1, Home: 0, End: this.rows.length - 1,
      PageDown: this.active + page, PageUp: this.active - page,
    };
    if (event.key in moves) {
      this.activate(moves[event.key]);
      if (event.shiftKey) this.choose(this.active, 'range');
    } else if (event.key === 'ArrowRight' && expanded !== null) {
      if (expanded) this.activate(this.active + 1);
      else this.toggleOpen(node, true);
    } else if (event.key === 'ArrowLeft') {
      if (expanded) this.toggleOpen(node, false);
      else if (level > 1) {
        const parent = this.rows.slice(0, this.active).map((row) => row.level).lastIndexOf(level - 1);
        this.activate(parent);
      }
    } else if (event.key === 'Enter' || event.key === ' ') {
      this.choose(this.active, event.ctrlKey ? 'toggle' : 'only');
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

function kindIcon(kind: string): IconName {
  return kind === 'robot' || kind === 'person' ? kind : 'part';
}
