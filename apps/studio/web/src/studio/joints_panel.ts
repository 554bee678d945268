// The tab "Joints": sliders and numbers for all joints, and configurations by name.
import { h, oncePerFrame, replace } from '../ui/dom';
import { quantityInput } from '../ui/quantity_input';
import { formatQuantity, shownUnit } from '../ui/units';
import { copyButton, jointsYaml } from './copy_yaml';
import { gated } from './gate';
import { groupJoints, jointEntries, type JointEntry, type JointValues } from './joint_rows';
import type { NewestSender } from './newest';
import type { JointInfo } from './protocol';
import type { Studio } from './studio';

export function createJointsPanel(studio: Studio): HTMLElement {
  const setter = new JointSetter(studio);
  const rows: Row[] = [];
  const groups = groupJoints(studio.hello.get().joints).map(([actor, joints]) =>
    h('section', { class: 'panel-section' }, actor && h('h2', { class: 'ellipsis', title: actor }, actor),
      joints.map((joint) => jointBlock(studio, joint, actor, setter, rows))));
  const show = oncePerFrame(() => {
    const q = studio.q.get();
    if (q.length === 0) return; // no state has come yet
    for (const { joint, show: showRow } of rows) showRow(q.slice(joint.q, joint.q + joint.nq));
  });
  studio.q.watch(show);
  return h('div', { class: 'panel' }, createConfigurations(studio),
    groups.length > 0 ? gated(studio.stateGate, groups) : h('p', { class: 'panel-section dim' }, 'Nothing here has joints.'));
}

interface Row { joint: JointInfo; show(values: JointValues): void }

/** Sends the newest value of the joint that is being moved. */
class JointSetter {
  private readonly sender: NewestSender<{ joint: JointInfo; values: number[] }>;

  constructor(private readonly studio: Studio) {
    this.sender = studio.makeSender(({ joint, values }) => studio.ask({ do: 'joint', joint: joint.name, values }));
  }

  set(joint: JointInfo, entry: JointEntry, value: number): void {
    const values = entry.write(this.studio.q.get().slice(joint.q, joint.q + joint.nq), value);
    this.studio.undo.checkpoint('q', `move ${joint.name}`, `joint ${joint.name}`);
    this.sender.offer({ joint, values });
  }
}

function jointBlock(studio: Studio, joint: JointInfo, actor: string, setter: JointSetter, rows: Row[]): HTMLElement {
  const name = actor ? joint.name.slice(actor.length + 1) : joint.name;
  const entries = jointEntries(joint);
  const own = joint.role === 'independent';
  const badge = !own && h('span', { class: 'badge', title: `Its value comes from others: ${joint.role}` }, joint.role);
  const head = h('div', { class: 'row joint-head' }, h('span', { class: 'grow ellipsis', title: joint.name }, name), badge);
  if (entries.length === 0) {
    const part = studio.partOf(joint.body);
    return h('div', { class: 'joint' }, head, own && part !== null && h('button', { type: 'button', on: { click: () => {
      studio.select([part]);
      studio.tab.set('selection');
    } } }, 'Place by pose'));
  }
  return h('div', { class: 'joint' }, head, entries.map((entry) => entryRow(joint, entry, name, own, setter, rows)));
}

function entryRow(
  joint: JointInfo, entry: JointEntry, name: string, own: boolean, setter: JointSetter, rows: Row[],
): HTMLElement {
  const label = entry.label ? `${name}, ${entry.label}` : name;
  const unit = h('span', { class: 'joint-unit dim' }, shownUnit(entry.dimension));
  const axis = entry.label && h('span', { class: 'joint-axis dim' }, entry.label);
  if (!own) {
    const value = h('output', { class: 'number grow joint-value', 'aria-label': label });
    rows.push({ joint, show: (values) => { value.textContent = formatQuantity(entry.read(values), entry.dimension); } });
    return h('div', { class: 'row' }, axis, value);
  }
  const number = quantityInput(label, entry.dimension, (value) => setter.set(joint, entry, value), 2);
  const slider = entry.range && makeSlider(label, entry, (value) => {
    number.show(value);
    setter.set(joint, entry, value);
  });
  const row = h('div', { class: 'row joint-entry' }, axis,
    slider?.element ?? h('span', { class: 'grow dim' }, 'no limits'), number.element, unit);
  rows.push({ joint, show(values) {
    number.show(entry.read(values));
    slider?.show(entry.read(values));
    row.classList.toggle('at-limit', entry.isAtLimit(values));
  } });
  return row;
}

/** While a hand is on it, it shows what the hand wants and not what the server says. */
function makeSlider(
  label: string, entry: JointEntry, input: (value: number) => void,
): { element: HTMLElement; show(value: number): void } {
  const [low, high] = entry.range!;
  let held = false;
  const release = (): void => { held = false; };
  const slider = h('input', { type: 'range', min: low, max: high, step: (high - low) / 1000, class: 'grow', 'aria-label': label,
    on: { input: () => input(Number(slider.value)), pointerdown: () => { held = true; }, pointerup: release,
      pointercancel: release, blur: release } });
  slider.title = entry.hint;
  return {
    element: slider,
    show(value) {
      // A joint that turns on and on is shown within one turn.
      const wrapped = entry.limited ? value : Math.atan2(Math.sin(value), Math.cos(value));
      if (!held) slider.value = String(wrapped);
      slider.setAttribute('aria-valuetext', formatQuantity(value, entry.dimension));
    },
  };
}

function createConfigurations(studio: Studio): HTMLElement {
  const list = h('div', { class: 'row wrap' });
  studio.configurations.watch((names) => replace(list, names.length === 0 && h('span', { class: 'dim' }, 'None yet.'),
    names.map((name) => h('button', { type: 'button', title: `Apply ${name}`, on: { click: () => {
      studio.undo.checkpoint('q', `apply ${name}`);
      void studio.ask({ do: 'configuration', name });
    } } }, name))));
  const name = h('input', { type: 'text', class: 'grow', placeholder: 'Name for the present one', maxlength: 100,
    'aria-label': 'Name for the present configuration' });
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (!name.value.trim()) return name.focus();
    const saved = await studio.ask({ do: 'save', name: name.value.trim() });
    if (!saved) return;
    studio.toasts.show(`Saved into ${saved.file}, line ${saved.line}.`, { kind: 'good' });
    name.value = '';
  };
  return h('section', { class: 'panel-section' }, h('h2', null, 'Configurations'),
    gated(studio.stateGate, list, h('form', { class: 'row', on: { submit: (event) => void save(event) } }, name,
      h('button', { type: 'submit' }, 'Save'))),
    copyButton('Copy joints', () => jointsYaml(studio.hello.get().joints, studio.q.get()), studio.toasts));
}
