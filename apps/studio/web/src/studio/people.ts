// Together: who is here, who guides, asking for control and handing it over.
import { h, replace } from '../ui/dom';
import { icon } from '../ui/icons';
import { createMenu, type Menu } from '../ui/menu';
import { person } from './memory';
import type { Studio } from './studio';

export function createPeopleMenu(studio: Studio): Menu {
  const list = h('ul', { class: 'people' });
  const name = h('input', { type: 'text', class: 'grow', maxlength: 40, value: person.get<string>('name') ?? '',
    'aria-label': 'Your name', placeholder: 'Your name', on: { change: () => {
      const chosen = name.value.trim();
      person.set('name', chosen);
      if (chosen) void studio.ask({ do: 'name', name: chosen });
    } } });
  const follow = h('input', { type: 'checkbox', checked: studio.following.get(),
    on: { change: () => studio.following.set(follow.checked) } });
  const take = h('button', { type: 'button', on: { click: () => void takeControl(studio) } });
  const count = h('span', { class: 'number' });
  const show = (): void => {
    const people = studio.people.get();
    const isGuide = studio.isGuide();
    count.textContent = String(people.length);
    menu.button.setAttribute('aria-label', `People and control, ${people.length} here`);
    replace(list, people.map((each) => personRow(studio, each.id, each.name, isGuide)));
    take.hidden = isGuide;
    take.textContent = studio.guide.get() === null ? 'Take control' : 'Ask for control';
    followLabel.hidden = isGuide;
  };
  const followLabel = h('label', { class: 'row' }, follow, 'Follow what the guide looks at');
  const menu = createMenu('People and control', [icon('people'), count],
    h('div', { class: 'people-menu' }, list, h('div', { class: 'row' }, name), followLabel, take));
  studio.following.watch((on) => { follow.checked = on; });
  studio.people.watch(show);
  studio.guide.watch(show);
  return menu;
}

function personRow(studio: Studio, id: string | number, name: string, isGuide: boolean): HTMLElement {
  const isSelf = id === studio.hello.get().you;
  return h('li', { class: 'row' }, h('span', { class: 'grow ellipsis' }, name || 'Somebody', isSelf && ' (you)'),
    id === studio.guide.get() && h('span', { class: 'badge good' }, 'guides'),
    isGuide && !isSelf && h('button', { type: 'button', 'aria-label': `Hand control to ${name || 'them'}`,
      on: { click: () => void studio.ask({ do: 'give', to: id }) } }, 'Hand over'));
}

async function takeControl(studio: Studio): Promise<void> {
  const answer = await studio.ask({ do: 'take' });
  if (!answer) return;
  studio.toasts.show(answer.granted ? 'You guide now.' : `${studio.nameOfPerson(studio.guide.get())} was asked for control.`);
}

/** Tells the guide that somebody asks, and offers the answer. */
export function answerRequests(studio: Studio): void {
  studio.asked.on((id) => {
    const who = studio.people.get().find((each) => String(each.id) === id);
    if (!who) return;
    studio.toasts.show(`${who.name || 'Somebody'} asks for control.`, { actions: [
      { label: 'Hand over', run: () => void studio.ask({ do: 'give', to: who.id }) },
      { label: 'Not now', run: () => {} },
    ] });
  });
}

/** Above the view: no connection, another version, or who guides. */
export function createBanner(studio: Studio): HTMLElement {
  const text = h('span', { class: 'grow' });
  const act = h('button', { type: 'button' });
  const banner = h('div', { class: 'banner', role: 'status' }, text, act);
  const set = (kind: string, message: string, label = '', run: (() => void) | null = null): void => {
    banner.hidden = message === '';
    banner.className = `banner ${kind}`;
    if (text.textContent !== message) text.textContent = message;
    act.hidden = run === null;
    act.textContent = label;
    act.onclick = run;
  };
  const show = (): void => {
    const status = studio.connection.status.get();
    if (status.kind === 'waiting' || (status.kind === 'connecting' && status.attempt > 0)) {
      return set('warn', 'The connection to the studio broke; trying again. What you see is the last state.',
        'Try now', () => studio.connection.retryNow());
    }
    if (status.kind === 'mismatch') {
      return set('warn', `The studio speaks protocol ${status.theirs}, this page another: load it again.`, 'Reload',
        () => location.reload());
    }
    if (status.kind !== 'open' || studio.isGuide()) return set('', '');
    const guide = studio.guide.get();
    if (guide === null) return set('info', 'Nobody guides.', 'Take control', () => void takeControl(studio));
    set('info', `${studio.nameOfPerson(guide)} guides; you watch${studio.following.get() ? ' and follow' : ''}.`,
      'Ask for control', () => void takeControl(studio));
  };
  studio.connection.status.watch(show);
  studio.guide.watch(show);
  studio.people.watch(show);
  studio.following.watch(show);
  return banner;
}
