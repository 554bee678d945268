// The tab "Tasks": choose a kind, fill its form, run it, see how far it is, stop it.
import { h, replace } from '../ui/dom';
import { createForm, FormFault, type FormEditor, type Values } from './form';
import { gateButton, gated } from './gate';
import type { Job } from './protocol';
import type { Studio } from './studio';

export function createTasksPanel(studio: Studio): HTMLElement {
  const { forms, scene } = studio.hello.get();
  if (forms.length === 0) return h('div', { class: 'panel' }, h('p', { class: 'panel-section dim' }, 'This studio knows no tasks.'));
  const fault = h('p', { class: 'alarm', role: 'alert' });
  const holder = h('div');
  let editor: FormEditor;
  const kind = h('select', { 'aria-label': 'Kind of task', on: { change: () => choose(kind.value) } },
    forms.map((form) => h('option', { value: form.kind }, form.kind)));
  const choose = (name: string): void => {
    const form = forms.find((each) => each.kind === name) ?? forms[0];
    kind.value = form.kind;
    editor = createForm(form.fields, form.kind === scene.kind ? scene.options as Values ?? {} : {});
    replace(holder, form.help && h('p', { class: 'dim' }, form.help), editor.element);
    fault.textContent = '';
  };
  choose(scene.kind ?? forms[0].kind);
  const seed = h('input', { type: 'text', inputmode: 'numeric', placeholder: '1', class: 'number', size: 6 });
  const budget = h('input', { type: 'text', inputmode: 'decimal', placeholder: 'no limit', class: 'number', size: 8 });
  const run = async (event: Event): Promise<void> => {
    event.preventDefault();
    try {
      fault.textContent = '';
      const request = { do: 'run', kind: kind.value, options: editor.value(), ...readRun(seed.value, budget.value) } as const;
      await studio.ask(request);
    } catch (error) {
      if (!(error instanceof FormFault)) throw error;
      fault.textContent = error.message;
    }
  };
  const submit = h('button', { type: 'submit', class: 'primary' }, 'Run');
  studio.job.watch((job) => { submit.disabled = job?.state === 'running'; });
  return h('div', { class: 'panel' }, createJobView(studio), h('section', { class: 'panel-section' },
    gated(studio.controlGate, h('form', { on: { submit: (event) => void run(event) } },
      h('div', { class: 'row' }, h('h2', { class: 'grow' }, 'Task'), kind), holder,
      h('div', { class: 'row wrap run-row' }, h('label', { class: 'row' }, 'Seed', seed),
        h('label', { class: 'row' }, 'Budget (s)', budget), submit), fault))));
}

/** Seed and budget where they are given. */
export function readRun(seed: string, budget: string): { seed?: number; budget_s?: number } {
  const read = (name: string, text: string, valid: (value: number) => boolean): number | undefined => {
    if (text.trim() === '') return undefined;
    const value = Number(text.trim().replace(',', '.'));
    if (!valid(value)) throw new FormFault(`${name}: "${text}" cannot be used.`);
    return value;
  };
  const seedValue = read('Seed', seed, (value) => Number.isSafeInteger(value) && value >= 0);
  const budgetValue = read('Budget', budget, (value) => Number.isFinite(value) && value > 0);
  return { ...(seedValue !== undefined && { seed: seedValue }), ...(budgetValue !== undefined && { budget_s: budgetValue }) };
}

const kStates: Record<Job['state'], string> = { running: 'running', done: 'done', failed: 'failed', cancelled: 'stopped' };

function createJobView(studio: Studio): HTMLElement {
  const bar = h('progress', { max: 1, 'aria-label': 'Progress of the task' });
  const title = h('h2', { class: 'grow' });
  const stage = h('p', { class: 'dim job-stage' });
  const grown = h('p', { class: 'dim job-growth' });
  studio.growth.count.watch((count) => { grown.textContent = count > 0 ? `${count} legs drawn` : ''; });
  const said = h('p', { role: 'status' });
  const cancel = gateButton(studio.controlGate, h('button', { type: 'button', on: { click: () => {
    const job = studio.job.get();
    if (job) void studio.ask({ do: 'cancel', job: job.job });
  } } }, 'Cancel'));
  const open = h('button', { type: 'button', on: { click: () => {
    const name = studio.job.get()?.result;
    if (name) void studio.player.openResult(name);
  } } }, 'Open its result');
  const section = h('section', { class: 'panel-section job' }, h('div', { class: 'row' }, title, cancel, open), bar, stage, grown, said);
  studio.job.watch((job) => {
    section.hidden = job === null;
    if (!job) return;
    const running = job.state === 'running';
    title.textContent = `${job.kind}: ${kStates[job.state] ?? job.state}`;
    for (const each of [bar, stage, grown, cancel]) each.hidden = !running;
    open.hidden = !job.result;
    if (typeof job.fraction === 'number' && Number.isFinite(job.fraction)) bar.value = job.fraction;
    else bar.removeAttribute('value');
    stage.textContent = [job.stage, job.message].filter(Boolean).join(': ') || 'working …';
    said.className = job.error ? 'alarm' : '';
    const verdict = studio.results.get().find((result) => result.name === job.result)?.verdict;
    const text = running ? '' : job.error ? [job.error.message, job.error.remedy].filter(Boolean).join(' ')
      : verdict ?? job.message ?? '';
    if (said.textContent !== text) said.textContent = text;
  });
  return section;
}
