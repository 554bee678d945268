// Keys of the whole page; fields, buttons and the tree keep their own.
import { toggleHidden } from '../ui/look_bar';
import type { Timeline } from '../ui/timeline';
import type { Replay } from './replay';
import { frameSelection, viewByKey } from './stage';

export function listenToKeys(replay: Replay | null, timeline: Timeline | null, toggleTheme: () => void): void {
  const parts = { parts: () => replay?.selectedParts() ?? [], before: () => {} };
  const actions: Record<string, () => void> = {
    ' ': () => timeline?.setPlaying(!timeline.clock.playing),
    l: () => timeline?.setLoop(!timeline.clock.loop),
    Home: () => timeline?.seek(timeline.clock.begin),
    End: () => timeline?.seek(timeline.clock.end),
    ArrowLeft: () => timeline?.step(-1),
    ArrowRight: () => timeline?.step(1),
    f: () => replay && frameSelection(replay),
    h: () => replay && toggleHidden(replay.looks, parts),
    H: () => replay?.looks.showAll(),
    i: () => replay?.looks.isolate(parts.parts()),
    c: () => replay?.collision.set(!replay.collision.get()),
    s: () => replay?.sweptShown.set(!replay.sweptShown.get()),
    t: toggleTheme,
    Escape: () => replay?.select([]),
  };
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || isBusy(event.target, event.key)) return;
    const view = viewByKey(event.key);
    const action = view ? () => replay?.view?.setView(view, true) : actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}

/** What has the focus uses the key itself. */
function isBusy(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return target.type !== 'range' || key.startsWith('Arrow');
  return target instanceof HTMLSelectElement || (target instanceof HTMLButtonElement && key === ' ');
}
