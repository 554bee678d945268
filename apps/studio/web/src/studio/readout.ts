// The clearance, always in sight: the nearest pair or what collides, live or at the moment of the open result.
import { clearanceColour, spanAt } from '../ui/clearance';
import { h, replace, type Child } from '../ui/dom';
import { formatLength } from '../ui/units';
import type { OpenResult } from './player';
import type { Touching } from './protocol';
import type { Studio } from './studio';

const kMostPairs = 12;

export function createReadout(studio: Studio): HTMLElement {
  const line = h('div', { class: 'readout-line' });
  // Read out when it changes its kind, not with every millimetre.
  const spoken = h('div', { class: 'visually-hidden', role: 'status' });
  const show = (): void => {
    const open = studio.player.open.get();
    const touching = open ? [] : studio.clearance.get()?.touching ?? [];
    line.classList.toggle('colliding', touching.length > 0);
    replace(line, open ? momentOf(studio, open) : touching.length > 0 ? collisions(studio, touching) : nearest(studio));
    if (open) studio.view.marks.remove('nearest');
    else markLive(studio);
    const said = touching.length > 0 ? countText(touching) : 'No collision';
    if (!open && studio.clearance.get() && spoken.textContent !== said) spoken.textContent = said;
  };
  studio.clearance.watch(show);
  studio.player.open.watch((open) => {
    show();
    open?.timeline.timeChanged.on(show);
  });
  return h('section', { class: 'readout', 'aria-label': 'Clearance' }, line, spoken);
}

function countText(touching: readonly Touching[]): string {
  return `${touching.length} ${touching.length === 1 ? 'pair collides' : 'pairs collide'}`;
}

function collisions(studio: Studio, touching: readonly Touching[]): Child {
  const rest = touching.length - kMostPairs;
  return [
    h('strong', null, countText(touching)),
    touching.slice(0, kMostPairs).map(({ a, b, depth }) => pair(studio, a, b, formatLength(-Math.abs(depth)), true)),
    rest > 0 && `and ${rest} more`,
  ];
}

function nearest(studio: Studio): Child {
  const clearance = studio.clearance.get();
  if (!clearance?.nearest) {
    return h('span', { class: 'dim' }, clearance ? 'Nothing can collide here.' : 'Clearance: waiting for the engine');
  }
  const { a, b, distance } = clearance.nearest;
  return ['Clearance', dot(distance), pair(studio, a, b, formatLength(distance), false)];
}

function momentOf(studio: Studio, open: OpenResult): Child {
  const span = spanAt(open.spans, open.timeline.clock.time);
  const label = 'At this moment of the result';
  if (!span) return [label, h('span', { class: 'dim' }, 'nothing is proven')];
  const text = `at least ${formatLength(span.clearance)}`;
  const named = span.a && span.b ? pair(studio, span.a, span.b, text, false) : h('span', { class: 'number' }, text);
  return [label, dot(span.clearance), named];
}

/** A click selects and frames the two. */
function pair(studio: Studio, a: string, b: string, text: string, alarm: boolean): HTMLElement {
  const frame = (): void => {
    const parts = [a, b].map((name) => studio.partOf(name)).filter((part) => part !== null);
    if (parts.length === 0) return;
    studio.select(parts);
    studio.view.frame(parts, true);
  };
  return h('button', { type: 'button', class: `pair${alarm ? ' alarm-pair' : ''}`, title: `Show ${a} – ${b}`,
    on: { click: frame } }, h('span', { class: 'ellipsis' }, `${a} – ${b}`), h('span', { class: 'number' }, text));
}

function dot(distance: number): HTMLElement {
  return h('span', { class: 'timeline-dot', style: { background: clearanceColour(distance) } });
}

/** In 3D: the nearest pair as a line, colliding parts in the colour of alarm. */
function markLive(studio: Studio): void {
  const { view, clearance } = studio;
  const { nearest: closest = null, touching = [] } = clearance.get() ?? {};
  const parts = touching.flatMap(({ a, b }) => [studio.partOf(a), studio.partOf(b)]).filter((part) => part !== null);
  view.alarm([...new Set(parts)]);
  if (!closest || touching.length > 0) return view.marks.remove('nearest');
  view.marks.gap('nearest', closest.on_a, closest.on_b, formatLength(closest.distance), 'clear');
}
