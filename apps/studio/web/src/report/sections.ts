// The parts of the report that are words and figures.
import { h, type Child } from '../ui/dom';
import { formatFigure } from '../ui/units';
import type { HashedFile, ReportData } from '../outcome/data';
import { badgeOf } from '../outcome/verdict';

const kHashShown = 12;

function section(title: string, ...content: Child[]): HTMLElement {
  return h('section', { class: 'card' }, h('h2', null, title), content);
}

export function headOf(data: ReportData, tools: Child): HTMLElement {
  const badge = badgeOf(data);
  const facts = [data.task, data.scene, data.taskFile?.file, data.geste && `geste ${data.geste}`];
  return h('header', { class: 'report-head' },
    h('div', { class: 'report-verdict' },
      h('span', { class: `badge big ${badge.kind}` }, badge.text), h('h1', null, data.verdict)),
    h('p', { class: 'dim' }, facts.filter(Boolean).join(' · ')), tools);
}

export function notesOf(data: ReportData, problems: readonly string[]): HTMLElement | null {
  const items = problems.map((problem) => h('li', null, problem));
  if (data.broken) items.push(h('li', null, `At ${data.broken.at} s: ${data.broken.what}`));
  for (const note of data.notes) {
    items.push(h('li', null, note.message, note.place && h('span', { class: 'dim' }, ` (${note.place})`),
      note.remedy && h('div', { class: 'dim' }, note.remedy), note.code && h('div', null, h('code', { class: 'dim' }, note.code))));
  }
  return items.length === 0 ? null : section('Notes and warnings', h('ul', { class: 'notes' }, items));
}

export function figuresOf(data: ReportData): HTMLElement | null {
  const rows = data.figures.map(({ name, value, unit }) => [name.replaceAll('_', ' '), formatFigure(value, unit)]);
  if (data.pairs !== null) rows.push(['pairs watched', String(data.pairs)]);
  if (data.frames > 0) rows.push(['frames', String(data.frames)]);
  if (rows.length === 0) return null;
  return section('Figures', h('table', { class: 'figures' }, h('tbody', null, rows.map(([name, value]) =>
    h('tr', null, h('th', { scope: 'row' }, name), h('td', { class: 'number' }, value))))));
}

export function originOf(data: ReportData): HTMLElement {
  const files: [string, HashedFile][] = data.inputs.map((file) => ['input', file]);
  if (data.taskFile) files.unshift(['task', data.taskFile]);
  return section('Where it comes from',
    h('dl', { class: 'origin' },
      h('dt', null, 'Made by'), h('dd', null, `geste ${data.geste}`), h('dt', null, 'Seed'), h('dd', { class: 'number' }, data.seed)),
    files.length > 0 && h('table', { class: 'files' },
      h('thead', null, h('tr', null, ['', 'File', 'SHA-256'].map((title) => (title ? h('th', { scope: 'col' }, title) : h('td'))))),
      h('tbody', null, files.map(([kind, { file, sha256 }]) =>
        h('tr', null, h('td', { class: 'dim' }, kind), h('td', { class: 'file-name' }, file), h('td', null, hash(sha256)))))),
    data.command && commandOf(data.command));
}

/** Short on the screen, whole where the pointer rests on it and on paper. */
function hash(sha256: string): HTMLElement {
  return h('code', { title: sha256 }, h('span', { class: 'hash-short' }, sha256.slice(0, kHashShown)),
    h('span', { class: 'hash-rest' }, sha256.slice(kHashShown)));
}

function commandOf(command: string): HTMLElement {
  const said = h('span', { class: 'dim', role: 'status' });
  const text = h('code', { class: 'command' }, command);
  const copy = async (): Promise<void> => {
    said.textContent = (await copyText(command)) ? 'Copied.' : 'Selected: copy it with Ctrl+C.';
    if (said.textContent !== 'Copied.') getSelection()?.selectAllChildren(text);
  };
  return h('div', null, h('h3', null, 'To get the same again'), h('div', { class: 'row wrap' }, text,
    h('button', { type: 'button', class: 'no-print', on: { click: () => void copy() } }, 'Copy'), said));
}

/** Pages from the file system are refused in some browsers; then the text is selected instead. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
