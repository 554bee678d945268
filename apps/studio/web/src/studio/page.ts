// Puts the studio's page together.
import { h, setAttribute, signal, type Signal } from '../ui/dom';
import { icon } from '../ui/icons';
import { createTabs } from '../ui/tabs';
import type { Theme } from '../ui/theme';
import { createTree } from '../ui/tree';
import { Clashes, createClashPanel } from './clashes';
import { createDock } from './dock';
import { createJointsPanel } from './joints_panel';
import { Measures } from './measure';
import { Outlook } from './outlook';
import { answerRequests, createBanner } from './people';
import { createResultsPanel } from './results_panel';
import { createSelectionPanel, dragText } from './selection_panel';
import { handleShortcuts, showHelp } from './shortcuts';
import type { Studio } from './studio';
import { createTasksPanel } from './tasks_panel';
import { bindGizmo, bindPicking, makeShortcuts } from './tools';
import { collisionSignal, createTopBar } from './top_bar';

export interface ThemeControl { theme: Signal<Theme>; toggle(): void }

/** Fills `root`; the view already lives in `viewHost`. */
export async function buildPage(
  root: HTMLElement, viewHost: HTMLElement, studio: Studio, { theme, toggle }: ThemeControl,
): Promise<void> {
  const measures = new Measures(studio);
  const clashes = new Clashes(studio);
  const tree = createTree(studio.pack, studio.looks, {
    onSelect: (parts) => studio.select(parts),
    onFrame: (parts) => studio.view.frame(parts, true),
    beforeLook: (what) => studio.undo.checkpoint('looks', what),
  });
  studio.selection.watch((parts) => tree.select(parts));
  const left = foldable(studio, 'left', 'Parts', tree.element);
  const right = foldable(studio, 'right', 'Details', createTabs('Details', [
    { id: 'selection', label: 'Selection', panel: createSelectionPanel(studio, measures) },
    { id: 'joints', label: 'Joints', panel: createJointsPanel(studio) },
    { id: 'tasks', label: 'Tasks', panel: createTasksPanel(studio) },
    { id: 'results', label: 'Results', panel: createResultsPanel(studio) },
    { id: 'clashes', label: 'Clashes', panel: createClashPanel(clashes) },
  ], studio.tab));
  const collision = collisionSignal(studio);
  const shortcuts = makeShortcuts(studio, {
    tree, measures, toggleTheme: toggle, toggleCollision: () => collision.set(!collision.get()), revealTree: left.unfold,
  });
  const main = h('main', { class: 'stage' }, createBanner(studio), createToolHint(studio, measures), viewHost);
  root.replaceChildren(createTopBar(studio, { toggleTheme: toggle, showHelp: () => showHelp(shortcuts), collision }),
    left.element, main, right.element, createDock(studio, theme, clashes), studio.toasts.element);
  handleShortcuts(shortcuts);
  bindPicking(studio, measures);
  bindGizmo(studio);
  answerRequests(studio);
  studio.view.onGraphics((state) => {
    if (state === 'lost') studio.toasts.show('The browser took the 3D graphics away; they come back by themselves.');
  });
  theme.watch((value) => studio.view.setTheme(value));
  await restoreOutlook(studio);
}

async function restoreOutlook(studio: Studio): Promise<void> {
  const outlook = new Outlook(studio);
  await outlook.restore();
  outlook.watch();
  await outlook.follow(studio.hello.get().view);
  studio.takeIfFree();
}

interface Foldable { element: HTMLElement; unfold(): void }

/** A panel at the side, with a button that folds it away. */
function foldable(studio: Studio, side: 'left' | 'right', label: string, content: HTMLElement): Foldable {
  const folded = signal(studio.memory.get<boolean>(`folded.${side}`) ?? false);
  const body = h('div', { class: 'side-body' }, content);
  const button = h('button', { type: 'button', class: 'icon quiet fold', on: { click: () => folded.set(!folded.get()) } });
  const element = h('aside', { class: `side ${side}`, 'aria-label': label }, button, body);
  folded.watch((on) => {
    studio.memory.set(`folded.${side}`, on);
    element.classList.toggle('folded', on);
    body.hidden = on;
    setAttribute(button, 'aria-expanded', !on);
    const words = `${on ? 'Unfold' : 'Fold'} ${label.toLowerCase()}`;
    setAttribute(button, 'aria-label', words);
    button.title = words;
    button.replaceChildren(icon((side === 'left') === on ? 'right' : 'left', 14));
  });
  return { element, unfold: () => folded.set(false) };
}

/** One line that says what the chosen tool expects. */
function createToolHint(studio: Studio, measures: Measures): HTMLElement {
  const hint = h('p', { class: 'tool-hint', role: 'status' });
  const show = (): void => {
    const tool = studio.tool.get();
    const moves = tool === 'move' || tool === 'turn';
    const text = tool === 'measure'
      ? (measures.first.get() ? 'Pick the second point.' : 'Pick the first point. Esc leaves.')
      : moves && studio.stateGate.get() !== '' ? studio.stateGate.get()
        : moves && studio.selection.get().length !== 1 ? `Pick the one part to ${tool}.`
          : moves ? dragText(studio.dragAnswer.get()) : '';
    hint.hidden = text === '';
    if (hint.textContent !== text) hint.textContent = text;
  };
  studio.tool.watch(show);
  studio.selection.watch(show);
  studio.stateGate.watch(show);
  measures.first.watch(show);
  studio.dragAnswer.watch(show);
  return hint;
}
