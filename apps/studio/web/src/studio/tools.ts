// The tools and the keys: what is done with a pick, the handle for dragging, and the table of shortcuts.
import { toggleHidden, type LookBarSource } from '../ui/look_bar';
import type { Timeline } from '../ui/timeline';
import type { PartTree } from '../ui/tree';
import type { NamedView } from '../view/contract';
import type { Measures } from './measure';
import { showHelp, type Shortcut } from './shortcuts';
import type { Studio } from './studio';

export const kViews: readonly NamedView[] = ['iso', 'front', 'back', 'left', 'right', 'top', 'bottom'];

/** A pick selects, or measures. */
export function bindPicking(studio: Studio, measures: Measures): void {
  studio.view.onPick((pick, event) => {
    if (studio.tool.get() === 'measure') {
      if (pick) measures.pick(pick);
      return;
    }
    const present = studio.selection.get();
    const adds = event.ctrlKey || event.metaKey || event.shiftKey;
    if (!pick) {
      if (!adds) studio.select([]);
    } else if (!adds) {
      studio.select([pick.part]);
    } else if (present.includes(pick.part)) {
      studio.select(present.filter((part) => part !== pick.part));
    } else {
      studio.select([...present, pick.part]);
    }
  });
}

/** The handle stands on the one selected part while a tool for it is chosen and it may be moved. */
export function bindGizmo(studio: Studio): void {
  const { view, tool, selection, stateGate } = studio;
  const place = (): void => {
    const [part, ...others] = selection.get();
    const mode = tool.get();
    const on = (mode === 'move' || mode === 'turn') && part !== undefined && others.length === 0 && stateGate.get() === '';
    view.gizmo(on ? part : null, mode === 'turn' ? 'turn' : 'move');
  };
  tool.watch(place);
  selection.watch(place);
  stateGate.watch(place);
  view.onGizmo(({ part, pose, phase }) => {
    if (phase === 'begin') studio.undo.checkpoint('q', `drag ${studio.nameOf(part)}`);
    else studio.drag(part, pose);
  });
}

export interface PageParts {
  tree: PartTree; measures: Measures; toggleTheme(): void; toggleCollision(): void; revealTree(): void;
}

export function makeShortcuts(studio: Studio, page: PageParts): Shortcut[] {
  const { view, tool, looks, undo } = studio;
  const source: LookBarSource = { parts: () => studio.selection.get(), before: (what) => undo.checkpoint('looks', what) };
  const timeline = (work: (t: Timeline) => void) => () => {
    const open = studio.player.open.get();
    if (open?.timeline) work(open.timeline);
  };
  const selected = (): readonly number[] | undefined => (studio.selection.get().length > 0 ? studio.selection.get() : undefined);
  const shortcuts: Shortcut[] = [
    { keys: 'F', group: 'View', what: 'Frame the selection, or everything', run: () => view.frame(selected(), true) },
    ...kViews.map((name, k): Shortcut =>
      ({ keys: String(k + 1), group: 'View', what: `View: ${name}`, run: () => view.setView(name, true) })),
    { keys: 'C', group: 'View', what: 'Collision shapes instead of what is seen', run: page.toggleCollision },
    { keys: 'T', group: 'View', what: 'Dark or light', run: page.toggleTheme },
    { keys: 'H', group: 'Parts', what: 'Hide or show the selection', run: () => toggleHidden(looks, source) },
    { keys: 'Shift+H', group: 'Parts', what: 'Show all parts', run: () => {
      if (looks.hiddenCount === 0) return;
      source.before('show all');
      looks.showAll();
    } },
    { keys: 'I', group: 'Parts', what: 'Show only the selection', run: () => {
      if (!selected()) return;
      source.before('isolate');
      looks.isolate(source.parts());
    } },
    { keys: '/', group: 'Parts', what: 'Search parts', run: () => { page.revealTree(); page.tree.focusSearch(); } },
    { keys: 'S', group: 'Tools', what: 'Select', run: () => tool.set('select') },
    { keys: 'G', group: 'Tools', what: 'Move the selected part', run: () => tool.set('move') },
    { keys: 'R', group: 'Tools', what: 'Turn the selected part', run: () => tool.set('turn') },
    { keys: 'M', group: 'Tools', what: 'Measure', run: () => tool.set('measure') },
    { keys: 'Esc', group: 'Tools', what: 'Leave the tool, then the selection', run: () => escape(studio, page.measures) },
    { keys: 'Ctrl+Z', group: 'Tools', what: 'Undo', run: () => studio.applyUndo('undo') },
    { keys: 'Ctrl+Shift+Z or Ctrl+Y', group: 'Tools', what: 'Redo', run: () => studio.applyUndo('redo') },
    { keys: 'Space', group: 'Motion', what: 'Play or pause', run: timeline((t) => t.setPlaying(!t.clock.playing)) },
    { keys: 'Left', group: 'Motion', what: 'One frame back', run: timeline((t) => t.step(-1)) },
    { keys: 'Right', group: 'Motion', what: 'One frame on', run: timeline((t) => t.step(1)) },
    { keys: 'Shift+Left', group: 'Motion', what: 'A twentieth back', run: timeline((t) => t.jump(-t.clock.duration / 20)) },
    { keys: 'Shift+Right', group: 'Motion', what: 'A twentieth on', run: timeline((t) => t.jump(t.clock.duration / 20)) },
    { keys: 'Home', group: 'Motion', what: 'To the start', run: timeline((t) => t.seek(t.clock.begin)) },
    { keys: 'End', group: 'Motion', what: 'To the end', run: timeline((t) => t.seek(t.clock.end)) },
    { keys: 'L', group: 'Motion', what: 'Loop', run: timeline((t) => t.setLoop(!t.clock.loop)) },
    { keys: '?', group: 'Help', what: 'This list', run: () => showHelp(shortcuts) },
  ];
  return shortcuts;
}

function escape(studio: Studio, measures: Measures): void {
  if (measures.first.get()) measures.dropFirst();
  else if (studio.tool.get() !== 'select') studio.tool.set('select');
  else studio.select([]);
}
