// The tab "Results": what was found, to open, compare, read, take along or remove.
import { tightestText } from '../ui/clearance';
import { h, replace } from '../ui/dom';
import { confirmDialog } from '../ui/dialog';
import { icon } from '../ui/icons';
import { formatQuantity } from '../ui/units';
import { openCompare } from './compare';
import { resultFile } from './player';
import type { Result } from './protocol';
import type { Studio } from './studio';

/** Files that are shown in another way than as a download. */
const kNotDownloads = new Set(['report.html']);

export function createResultsPanel(studio: Studio): HTMLElement {
  const chosen = new Set<string>();
  const list = h('ul', { class: 'results' });
  const compare = h('button', { type: 'button', disabled: true, on: { click: () => {
    const pair = studio.results.get().filter((result) => chosen.has(result.name));
    if (pair.length === 2) void openCompare(studio, pair[0], pair[1]);
  } } }, 'Compare');
  const note = h('p', { class: 'dim grow' });
  const showChosen = (): void => {
    compare.disabled = chosen.size !== 2;
    note.textContent = chosen.size === 0 ? 'Tick two to compare them.' : `${chosen.size} of 2 ticked.`;
  };
  const toggle = (name: string, on: boolean): void => {
    if (on) chosen.add(name);
    else chosen.delete(name);
    showChosen();
  };
  const show = (): void => {
    const results = studio.results.get();
    for (const name of chosen) if (!results.some((result) => result.name === name)) chosen.delete(name);
    replace(list, results.map((result) => resultRow(studio, result, chosen.has(result.name), toggle)));
    empty.hidden = results.length > 0;
    bar.hidden = results.length < 2;
    showChosen();
  };
  const empty = h('p', { class: 'panel-section dim' }, 'No results yet: run a task.');
  const bar = h('div', { class: 'row panel-section' }, note, compare);
  studio.results.watch(show);
  studio.player.open.watch(show);
  studio.controlGate.watch(show);
  return h('div', { class: 'panel' }, empty, bar, list);
}

/** One word on whether it is free of collisions. */
function freeBadge(result: Result): HTMLElement {
  if (result.free === true) return h('span', { class: 'badge good' }, 'free');
  if (result.free === false) return h('span', { class: 'badge alarm' }, 'collides');
  return h('span', { class: 'badge warn' }, result.outcome === 'found' ? 'not checked' : result.outcome);
}

function resultRow(
  studio: Studio, result: Result, ticked: boolean, toggle: (name: string, on: boolean) => void,
): HTMLElement {
  const { name, files = [] } = result;
  const isOpen = studio.player.open.get()?.result.name === name;
  const tick = h('input', { type: 'checkbox', checked: ticked, 'aria-label': `Compare ${name}`,
    on: { change: () => toggle(name, tick.checked) } });
  const { tightest_m: tightest, clearance_m: proven } = result;
  const figures = [result.task, typeof proven === 'number' && `tightest ${tightestText(tightest, proven)}`,
    result.outcome === 'found' && formatQuantity(result.duration_s, 'time')].filter(Boolean);
  return h('li', { class: `result${isOpen ? ' open' : ''}` },
    h('div', { class: 'row' }, tick, h('h2', { class: 'grow ellipsis', title: name }, name), freeBadge(result)),
    h('p', { class: 'dim number' }, figures.join(' · ')),
    h('p', { class: 'result-verdict' }, result.verdict),
    h('div', { class: 'row wrap' },
      h('button', { type: 'button', 'aria-label': isOpen ? `Close ${name}` : `Open ${name}`, on: { click: () => {
        if (isOpen) studio.player.close();
        else void studio.player.openResult(name);
      } } }, isOpen ? 'Close' : 'Open'),
      files.includes('report.html') && h('a', { class: 'button', href: resultFile(name, 'report.html'), target: '_blank',
        rel: 'noopener', 'aria-label': `Report of ${name}` }, icon('report', 14), 'Report'),
      downloads(name, files), removeButton(studio, name)));
}

function downloads(name: string, files: readonly string[]): HTMLElement | null {
  const shown = files.filter((file) => !kNotDownloads.has(file));
  return shown.length === 0 ? null : h('details', { class: 'downloads' },
    h('summary', { class: 'button', 'aria-label': `Files of ${name}` }, 'Files'),
    h('ul', null, shown.map((file) =>
      h('li', null, h('a', { href: resultFile(name, file), download: `${name}-${file}` }, file)))));
}

function removeButton(studio: Studio, name: string): HTMLElement {
  const remove = async (): Promise<void> => {
    const sure = await confirmDialog('Remove a result', `The folder of "${name}" and all its files will be removed.`, 'Remove');
    if (!sure) return;
    if (studio.player.open.get()?.result.name === name) studio.player.close();
    await studio.ask({ do: 'forget', result: name });
  };
  const why = studio.controlGate.get();
  return h('button', { type: 'button', class: 'icon quiet', title: why || `Remove ${name}`, disabled: why !== '',
    'aria-label': `Remove ${name}`, on: { click: () => void remove() } }, icon('trash'));
}
