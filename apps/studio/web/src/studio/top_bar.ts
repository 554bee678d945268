// The bar at the top: which file, tools, views, undo, theme, people, help.
import { h, setAttribute, signal, type Signal } from '../ui/dom';
import { icon, type IconName } from '../ui/icons';
import { createMenu } from '../ui/menu';
import type { NamedView } from '../view/contract';
import { createPeopleMenu } from './people';
import { createSectionMenu } from './section';
import type { Studio, Tool } from './studio';
import { kViews } from './tools';

export interface TopBarActions { toggleTheme(): void; showHelp(): void; collision: Signal<boolean> }

export function createTopBar(studio: Studio, actions: TopBarActions): HTMLElement {
  const { scene } = studio.hello.get();
  const file = scene.task_file.split('/').at(-1) || scene.name;
  return h('header', { class: 'top-bar' },
    h('h1', { class: 'brand' }, 'geste', h('span', { class: 'visually-hidden' }, ' studio')),
    h('span', { class: 'file ellipsis', title: scene.task_file }, file),
    toolGroup(studio), viewGroup(studio, actions.collision), undoGroup(studio), h('span', { class: 'grow' }),
    h('div', { class: 'row' }, tool('theme', 'Dark or light (T)', actions.toggleTheme),
      createPeopleMenu(studio).element, tool('help', 'Keyboard (?)', actions.showHelp)));
}

function tool(name: IconName, label: string, click: () => void): HTMLButtonElement {
  return h('button', { type: 'button', class: 'icon tool', title: label, 'aria-label': label, on: { click } }, icon(name));
}

const kTools: [Tool, string][] = [
  ['select', 'Select (S)'], ['move', 'Move the selected part (G)'], ['turn', 'Turn the selected part (R)'],
  ['measure', 'Measure (M)'],
];

function toolGroup(studio: Studio): HTMLElement {
  const buttons = kTools.map(([name, label]) => ({ name, button: tool(name, label, () => studio.tool.set(name)) }));
  studio.tool.watch((present) => {
    for (const { name, button } of buttons) setAttribute(button, 'aria-pressed', name === present);
  });
  return h('div', { class: 'row group', role: 'group', 'aria-label': 'Tools' }, buttons.map((each) => each.button));
}

function viewGroup(studio: Studio, collision: Signal<boolean>): HTMLElement {
  const views = createMenu('Views', icon('views'), h('div', { class: 'view-choices' }, kViews.map((name, k) =>
    h('button', { type: 'button', class: 'quiet', on: { click: () => {
      studio.view.setView(name, true);
      views.close();
    } } }, h('span', { class: 'grow' }, title(name)), h('kbd', null, k + 1)))));
  const shapes = tool('collision', 'Collision shapes (C)', () => collision.set(!collision.get()));
  collision.watch((on) => {
    setAttribute(shapes, 'aria-pressed', on);
    studio.view.showCollision(on);
  });
  const frame = tool('frame', 'Frame the selection, or everything (F)', () => {
    const parts = studio.selection.get();
    studio.view.frame(parts.length > 0 ? parts : undefined, true);
  });
  return h('div', { class: 'row group', role: 'group', 'aria-label': 'View' },
    frame, views.element, createSectionMenu(studio).element, shapes);
}

function title(name: NamedView): string {
  return name[0].toUpperCase() + name.slice(1);
}

function undoGroup(studio: Studio): HTMLElement {
  const undo = tool('undo', 'Undo (Ctrl+Z)', () => studio.applyUndo('undo'));
  const redo = tool('redo', 'Redo (Ctrl+Shift+Z)', () => studio.applyUndo('redo'));
  studio.undo.state.watch((state) => {
    undo.disabled = state.undo === null;
    redo.disabled = state.redo === null;
    undo.title = state.undo ? `Undo: ${state.undo} (Ctrl+Z)` : 'Undo (Ctrl+Z)';
    redo.title = state.redo ? `Redo: ${state.redo} (Ctrl+Shift+Z)` : 'Redo (Ctrl+Shift+Z)';
  });
  return h('div', { class: 'row group', role: 'group', 'aria-label': 'History' }, undo, redo);
}

/** Remembers whether collision shapes are shown. */
export function collisionSignal(studio: Studio): Signal<boolean> {
  const on = signal(studio.memory.get<boolean>('collision') ?? false);
  on.watch((value) => studio.memory.set('collision', value));
  return on;
}
