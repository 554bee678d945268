// The frame around the 3D replay: views, collision shapes, and one friendly line where there is no 3D.
import { h, setAttribute } from '../ui/dom';
import { icon, type IconName } from '../ui/icons';
import type { NamedView } from '../view/contract';
import type { Replay } from './replay';

const kViews: readonly NamedView[] = ['iso', 'front', 'back', 'left', 'right', 'top', 'bottom'];

export interface Stage {
  element: HTMLElement; host: HTMLElement;
  /** Instead of the 3D; empty: the 3D. */
  say(text: string): void;
  /** Which moment the picture shows, for paper. */
  caption(text: string): void;
}

export function createStage(replay: Replay | null): Stage {
  const host = h('div', { class: 'stage-host' });
  const line = h('p', { class: 'stage-line', role: 'status' });
  const caption = h('p', { class: 'stage-caption dim' });
  const element = h('div', { class: 'stage' }, host, line, caption, replay && toolbar(replay));
  return {
    element, host,
    caption: (text) => (caption.textContent = text),
    say(text) {
      line.textContent = text;
      element.classList.toggle('empty', text !== '');
    },
  };
}

function toolbar(replay: Replay): HTMLElement {
  const views = h('select', { 'aria-label': 'View', title: 'View', on: { change: () => {
    replay.view?.setView(views.value as NamedView, true);
  } } }, kViews.map((name, k) => h('option', { value: name }, `${name[0].toUpperCase()}${name.slice(1)} (${k + 1})`)));
  const shapes = button('collision', 'Collision shapes (C)', () => replay.collision.set(!replay.collision.get()));
  replay.collision.watch((on) => setAttribute(shapes, 'aria-pressed', on));
  return h('div', { class: 'stage-tools no-print', role: 'group', 'aria-label': 'View' }, views,
    button('frame', 'Frame the selection, or everything (F)', () => frameSelection(replay)), shapes,
    replay.swept && sweptButton(replay));
}

function sweptButton(replay: Replay): HTMLButtonElement {
  const { sweptShown } = replay;
  const swept = button('swept', 'Space passed through (S)', () => sweptShown.set(!sweptShown.get()));
  sweptShown.watch((on) => setAttribute(swept, 'aria-pressed', on));
  return swept;
}

function button(name: IconName, label: string, click: () => void): HTMLButtonElement {
  return h('button', { type: 'button', class: 'icon', title: label, 'aria-label': label, on: { click } }, icon(name));
}

export function frameSelection(replay: Replay): void {
  const parts = replay.selectedParts();
  replay.view?.frame(parts.length > 0 ? parts : undefined, true);
}

export function viewByKey(key: string): NamedView | null {
  return kViews[Number(key) - 1] ?? null;
}
