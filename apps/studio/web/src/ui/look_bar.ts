// Buttons that change how the selected parts are drawn. Stands below the part tree.
import type { Part } from '../view/contract';
import { h } from './dom';
import { icon, type IconName } from './icons';
import type { Looks } from './looks';

export interface LookBarSource {
  /** What is selected now. */
  parts(): readonly Part[];
  /** Called before a change, with its name. */
  before(what: string): void;
}

export function lookBar(looks: Looks, source: LookBarSource): { element: HTMLElement; refresh(): void; dispose(): void } {
  const act = (what: string, work: (parts: readonly Part[]) => void) => () => {
    source.before(what);
    work(source.parts());
  };
  const button = (name: IconName, label: string, on: () => void): HTMLButtonElement =>
    h('button', { type: 'button', class: 'icon', title: label, 'aria-label': label, on: { click: on } }, icon(name));

  const hide = button('eye', 'Show or hide what is selected (H)', () => toggleHidden(looks, source));
  const isolate = button('isolate', 'Show only what is selected (I)', act('isolate', (parts) => looks.isolate(parts)));
  const showAll = h('button', { type: 'button', title: 'Show all parts (Shift+H)',
    on: { click: act('show all', () => looks.showAll()) } }, 'Show all');
  const colour = h('input', { type: 'color', value: '#8899aa', 'aria-label': 'Colour of what is selected', title: 'Colour',
    on: { change: () => act('colour', (parts) => looks.paint(parts, colour.value))() } });
  const plain = button('undo', 'Own colour and no transparency', act('own look', (parts) => {
    looks.paint(parts, null);
    looks.fade(parts, 1);
  }));
  const opacity = h('input', { type: 'range', min: 5, max: 100, step: 5, value: 100, class: 'grow',
    'aria-label': 'Opacity of what is selected', title: 'Opacity',
    on: { change: () => act('transparency', (parts) => looks.fade(parts, Number(opacity.value) / 100))() } });

  const refresh = (): void => {
    const parts = source.parts();
    for (const each of [hide, isolate, colour, plain, opacity]) each.disabled = parts.length === 0;
    showAll.disabled = looks.hiddenCount === 0;
    const look = parts.length > 0 ? looks.of(parts[0]) : {};
    opacity.value = String(Math.round((look.opacity ?? 1) * 100));
    if (look.colour) colour.value = look.colour;
  };
  const dispose = looks.changed.on(refresh);
  refresh();
  const element = h('div', { class: 'look-bar', role: 'group', 'aria-label': 'Look of what is selected' },
    h('div', { class: 'row' }, hide, isolate, showAll), h('div', { class: 'row' }, colour, opacity, plain));
  return { element, refresh, dispose };
}

/** Hides what is selected; where all of it is hidden already, shows it. */
export function toggleHidden(looks: Looks, source: LookBarSource): void {
  const parts = source.parts();
  if (parts.length === 0) return;
  const show = parts.every((part) => looks.isHidden(part));
  source.before(show ? 'show' : 'hide');
  looks.show(parts, show);
}
