// All keys of the studio, in one table: the handler acts by it and the help shows it.
import { h } from '../ui/dom';
import { openDialog } from '../ui/dialog';

export interface Shortcut {
  /** As shown: "Shift+H", "Ctrl+Z", "Space". */
  keys: string;
  what: string;
  group: string;
  run(): void;
}

/** The name of a pressed key in the form of the table. */
export function keyName(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey'>): string {
  const named: Record<string, string> = { ' ': 'Space', ArrowLeft: 'Left', ArrowRight: 'Right', Escape: 'Esc' };
  const isLetter = /^[a-z]$/i.test(event.key);
  const key = named[event.key] ?? (isLetter ? event.key.toUpperCase() : event.key);
  // Shift is part of a sign like "?" already.
  const shift = event.shiftKey && (isLetter || event.key.length > 1) ? 'Shift+' : '';
  return (event.ctrlKey || event.metaKey ? 'Ctrl+' : '') + shift + key;
}

/** Keys meant for a field, a menu or a dialog are left to it. */
function belongsToTarget(event: KeyboardEvent, name: string): boolean {
  if (document.querySelector('dialog[open]')) return true;
  const target = event.target as Element | null;
  if (!target?.closest) return false;
  if (target.closest('textarea, select, input:not([type=range]):not([type=checkbox]):not([type=color])')) return true;
  if (name === 'Space') return target.closest('button, a, summary, input, [role=tab]') !== null;
  const moves = /^(Shift\+)?(Left|Right|Home|End)$/.test(name);
  return moves && target.closest('input, [role=tab], [role=tree], canvas') !== null;
}

export function handleShortcuts(shortcuts: readonly Shortcut[]): void {
  const table = new Map(shortcuts.flatMap((each) => each.keys.split(' or ').map((keys) => [keys, each] as const)));
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.altKey) return;
    const name = keyName(event);
    const shortcut = table.get(name);
    if (!shortcut || belongsToTarget(event, name)) return;
    event.preventDefault();
    shortcut.run();
  });
}

export function showHelp(shortcuts: readonly Shortcut[]): void {
  const groups = [...new Set(shortcuts.map((each) => each.group))];
  openDialog('Keyboard', h('div', { class: 'help-groups' }, groups.map((group) => h('section', null, h('h3', null, group),
    h('table', { class: 'help-table' }, h('tbody', null, shortcuts.filter((each) => each.group === group).map((each) =>
      h('tr', null, h('th', { scope: 'row' }, each.keys.split(' or ').map((keys, k) => [k > 0 && ' or ', h('kbd', null, keys)])),
        h('td', null, each.what)))))))));
}
