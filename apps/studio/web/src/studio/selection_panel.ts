// The tab "Selection": what is known of the selected part, where it stands, and what dragging it brought.
import { h, oncePerFrame, replace } from '../ui/dom';
import { lookBar } from '../ui/look_bar';
import { quantityInput } from '../ui/quantity_input';
import { formatLength, formatQuantity } from '../ui/units';
import type { Part, Point } from '../view/contract';
import { copyButton, poseYaml } from './copy_yaml';
import { gated } from './gate';
import { measureList, type Measures } from './measure';
import { fromRollPitchYaw, toRollPitchYaw } from './poses';
import type { Answers } from './protocol';
import type { Studio } from './studio';

export function createSelectionPanel(studio: Studio, measures: Measures): HTMLElement {
  const title = h('h2', { class: 'ellipsis' });
  const facts = h('div', { class: 'facts' });
  const pose = createPoseEntry(studio);
  const look = lookBar(studio.looks, { parts: () => studio.selection.get(),
    before: (what) => studio.undo.checkpoint('looks', what) });
  const body = h('div', { class: 'panel-section' }, title, facts, look.element, pose);
  const hint = h('p', { class: 'panel-section dim' },
    'Pick a part in the view or in the tree. Ctrl adds to the selection.');
  const panel = h('div', { class: 'panel' }, hint, body, measureList(measures));
  studio.selection.watch((parts) => {
    look.refresh();
    hint.hidden = parts.length > 0;
    body.hidden = parts.length === 0;
    if (parts.length === 0) return;
    title.textContent = parts.length === 1 ? studio.nameOf(parts[0]) : `${parts.length} parts`;
    title.title = title.textContent;
    pose.hidden = parts.length !== 1;
    replace(facts, parts.length === 1 && h('p', { class: 'dim' }, 'Asking …'));
    if (parts.length === 1) void showFacts(studio, parts[0], facts);
  });
  keepFresh(studio, facts);
  return panel;
}

const kRestMs = 700;

/** Some facts change with the state: asked for again when it rests. */
function keepFresh(studio: Studio, facts: HTMLElement): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  studio.stateChanged.on(() => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const parts = studio.selection.get();
      if (parts.length === 1 && studio.connection.isOpen) void showFacts(studio, parts[0], facts);
    }, kRestMs);
  });
}

async function showFacts(studio: Studio, part: Part, into: HTMLElement): Promise<void> {
  let rows: [string, string][] = [];
  try {
    rows = (await studio.connection.request({ do: 'facts', body: studio.nameOf(part) })).facts;
  } catch {
    rows = localFacts(studio, part); // what the page knows without the server
  }
  if (studio.selection.get()[0] !== part) return; // another was selected meanwhile
  replace(into, h('table', { class: 'facts-table' }, h('tbody', null, rows.map(([label, text]) =>
    h('tr', null, h('th', { scope: 'row' }, label), h('td', null, text))))));
}

function localFacts(studio: Studio, part: Part): [string, string][] {
  const { actor, mass } = studio.pack.bodies[part];
  const owner = studio.pack.actors[actor];
  return [...(owner ? [['belongs to', owner.name] as [string, string]] : []), ['mass', formatQuantity(mass, 'mass')]];
}

const kFields = ['x', 'y', 'z', 'roll', 'pitch', 'yaw'] as const;

/** Six fields with the pose of the selected part; what is typed is where it shall go. */
function createPoseEntry(studio: Studio): HTMLElement {
  const selected = (): Part | undefined => studio.selection.get()[0];
  const send = (k: number, value: number): void => {
    const part = selected();
    if (part === undefined) return;
    const now = studio.shownPose(part);
    const place = [now[0], now[1], now[2], ...toRollPitchYaw(now)];
    place[k] = value;
    studio.undo.checkpoint('q', `place ${studio.nameOf(part)}`);
    studio.drag(part, fromRollPitchYaw(place.slice(0, 3) as unknown as Point, place.slice(3) as unknown as Point));
  };
  const inputs = kFields.map((name, k) =>
    quantityInput(name, k < 3 ? 'length' : 'angle', (value) => send(k, value), k < 3 ? 1 : 2));
  const show = oncePerFrame(() => {
    const part = selected();
    if (part === undefined) return;
    const pose = studio.shownPose(part);
    [pose[0], pose[1], pose[2], ...toRollPitchYaw(pose)].forEach((value, k) => inputs[k].show(value));
  });
  studio.selection.watch(show);
  studio.stateChanged.on(show);
  studio.player.open.watch((open) => {
    show();
    open?.timeline?.timeChanged.on(show);
  });
  return h('div', null, h('h3', null, 'Pose in the world'),
    gated(studio.stateGate, h('div', { class: 'pose-grid' }, inputs.map((input, k) =>
      h('label', { class: 'pose-field' }, h('span', null, kFields[k]), input.element,
        h('span', { class: 'dim' }, k < 3 ? 'mm' : 'deg'))))),
    copyButton('Copy pose', () => {
      const part = selected();
      return part === undefined ? '' : poseYaml(studio.nameOf(part), studio.shownPose(part));
    }, studio.toasts),
    createDragNote(studio));
}

/** How far a dragged link stayed behind, and which joints held it back; empty where it came along. */
export function dragText(answer: Answers['drag'] | null): string {
  if (!answer) return '';
  const { residual_m, residual_rad, at_limit } = answer;
  const behind = [
    residual_m > 5e-4 && formatLength(residual_m), residual_rad > 5e-3 && formatQuantity(residual_rad, 'angle'),
  ].filter(Boolean).join(' and ');
  return [
    behind && `Stays ${behind} behind.`,
    at_limit.length > 0 && `At their limits: ${at_limit.join(', ')}.`,
  ].filter(Boolean).join(' ');
}

function createDragNote(studio: Studio): HTMLElement {
  const note = h('p', { class: 'drag-note' });
  studio.dragAnswer.watch((answer) => {
    note.textContent = dragText(answer);
    note.hidden = note.textContent === '';
  });
  studio.selection.watch(() => studio.dragAnswer.set(null));
  return note;
}
