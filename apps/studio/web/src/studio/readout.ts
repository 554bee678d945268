// The clearance, always in sight: the nearest pair or what collides, live or at the moment of the open result.
import { badgeOf } from '../outcome/verdict';
import { clearanceColour, pairText, spanAt } from '../ui/clearance';
import { h, replace, type Child } from '../ui/dom';
import { formatLength } from '../ui/units';
import { summaryOf, type Clashes } from './clashes';
import type { OpenResult } from './player';
import type { Touching } from './protocol';
import type { Studio } from './studio';

const kMostPairs = 12;

export function createReadout(studio: Studio, clashes: Clashes): HTMLElement {
  const line = h('div', { class: 'readout-line' });
  // Read out when it changes its kind, not with every millimetre.
  const spoken = h('div', { class: 'visually-hidden', role: 'status' });
  const show = (): void => {
    const open = studio.player.open.get();
    const touching = open ? [] : studio.clearance.get()?.touching ?? [];
    line.classList.toggle('colliding', touching.length > 0);
    replace(line, open ? momentOf(studio, open) : touching.length > 0 ? collisions(studio, touching) : nearest(studio, clashes));
    if (open) studio.view.marks.remove('nearest');
    else markLive(studio);
    const said = touching.length > 0 ? countText(touching) : 'No collision';
    const isWatched = (studio.clearance.get()?.pairs ?? 1) > 0;
    if (!open && isWatched && studio.clearance.get() && spoken.textContent !== said) spoken.textContent = said;
  };
  studio.clearance.watch(show);
  clashes.list.watch(show);
  clashes.busy.watch(show);
  studio.player.open.watch((open) => {
    show();
    open?.timeline?.timeChanged.on(show);
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

function nearest(studio: Studio, clashes: Clashes): Child {
  const clearance = studio.clearance.get();
  if (!clearance) return h('span', { class: 'dim' }, 'Clearance: waiting for the engine');
  if (!clearance.nearest) return clearance.pairs === 0 ? standing(studio, clashes) : h('span', { class: 'dim' }, 'No pair that is watched is near.');
  const { a, b, distance } = clearance.nearest;
  return ['Clearance', dot(distance), pair(studio, a, b, formatLength(distance), false)];
}

/** Where nothing moves against anything, parts may clash all the same: only looking tells. */
function standing(studio: Studio, clashes: Clashes): Child {
  const found = clashes.list.get();
  const go = h('button', { type: 'button', disabled: clashes.busy.get(), on: { click: () => {
    studio.tab.set('clashes');
    if (!found) void clashes.check();
  } } }, found ? 'Show them' : 'Check for clashes');
  return [h('span', { class: 'dim' }, 'Nothing moves here.'),
    clashes.busy.get() ? 'Checking every pair …' : found ? h('strong', null, summaryOf(found)) : 'Clashes were not looked for.', go];
}

/** What is proven at this moment; without a motion, why there is none. */
function momentOf(studio: Studio, { data, moments, timeline }: OpenResult): Child {
  if (!timeline) {
    const shown = moments.slice(0, kMostPairs).map((moment) =>
      h('button', { type: 'button', class: 'pair alarm-pair', on: { click: () => studio.player.showMoment(moment) } },
        h('span', { class: 'ellipsis' }, pairText(moment.a, moment.b)),
        h('span', { class: 'number' }, moment.figure || moment.title.toLowerCase())));
    return [h('strong', null, badgeOf(data).text), shown, moments.length > kMostPairs && `and ${moments.length - kMostPairs} more`];
  }
  const span = spanAt(data.spans, timeline.clock.time);
  const label = 'At this moment of the result';
  if (!span) return [label, h('span', { class: 'dim' }, data.isChecked ? 'nothing is proven: it is behind the first contact' : 'nothing was checked')];
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
