// The moments that matter as cards with a button each: the same in the report and in the studio.
import './moments.css';
import { pairText } from '../ui/clearance';
import { h } from '../ui/dom';
import type { Moment } from './moments';

const kGoTo: Partial<Record<Moment['kind'], string>> = { tightest: 'Go to the tightest moment', gap: 'Show the gap' };

export function momentsOf(moments: readonly Moment[], show: (moment: Moment) => void): HTMLElement | null {
  if (moments.length === 0) return null;
  const isListed = ({ kind }: Moment): boolean => kind === 'collision' || kind === 'blocking' || kind === 'wall';
  const single = moments.filter((moment) => !isListed(moment));
  const collisions = moments.filter(isListed);
  const titles = [...new Set(collisions.map((moment) => moment.title))];
  return h('section', { class: 'moments', 'aria-label': 'Moments that matter' },
    single.map((moment) => momentCard(moment, show)),
    titles.map((title) => collisionCard(title, collisions.filter((moment) => moment.title === title), show)));
}

function momentCard(moment: Moment, show: (moment: Moment) => void): HTMLElement {
  const { title, figure, more, kind } = moment;
  return h('div', { class: `moment ${kind}` },
    h('div', { class: 'grow' }, h('h2', null, title),
      h('p', null, h('strong', { class: 'number' }, figure), ' ', h('span', { class: 'pair-names' }, pairText(moment.a, moment.b)),
        more && h('span', { class: 'dim' }, more))),
    h('button', { type: 'button', class: 'no-print', on: { click: () => show(moment) } },
      kGoTo[kind] ?? 'Go to the contact'));
}

function collisionCard(title: string, pairs: readonly Moment[], show: (moment: Moment) => void): HTMLElement {
  const noun = pairs[0].kind === 'collision' ? 'pair' : 'part';
  return h('div', { class: 'moment collision' },
    h('h2', null, title, h('span', { class: 'dim' }, ` (${pairs.length} ${pairs.length === 1 ? noun : `${noun}s`})`)),
    h('ul', { class: 'pairs' }, pairs.map((moment) => h('li', null,
      h('button', { type: 'button', class: 'quiet', title: 'Show in 3D', on: { click: () => show(moment) } },
        h('span', { class: 'pair-names grow' }, pairText(moment.a, moment.b)), h('span', { class: 'number' }, moment.figure))))));
}
