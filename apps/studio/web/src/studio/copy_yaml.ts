// What the studio shows, as lines for a task file: the present joints and the pose of the selected part.
import { h } from '../ui/dom';
import type { Toasts } from '../ui/toast';
import { formatDigits } from '../ui/units';
import type { Pose } from '../view/contract';
import type { JointInfo } from './protocol';

/** Digits that tell micrometres in a hall and microradians in a turn. */
const kDigits = 8;

function list(values: readonly number[]): string {
  return `[${values.map((value) => formatDigits(value, kDigits)).join(', ')}]`;
}

/** As it is where YAML reads it back as the same text, else in quotes. */
function name(text: string): string {
  return /^[A-Za-z][A-Za-z0-9_/.-]*$/.test(text) && !/^(true|false|yes|no|on|off|null|y|n)$/i.test(text)
    ? text : JSON.stringify(text);
}

/** The independent joints for `goal` or `configurations`: hinges in rad, slides in m. */
export function jointsYaml(joints: readonly JointInfo[], q: readonly number[]): string {
  const items = joints.filter((joint) => joint.role === 'independent' && joint.nq > 0).map((joint) => {
    const values = q.slice(joint.q, joint.q + joint.nq);
    return `${name(joint.name)}: ${joint.nq === 1 ? formatDigits(values[0], kDigits) : list(values)}`;
  });
  return `joints: {${items.join(', ')}}`;
}

/** The pose of a body in the world; the quaternion is x, y, z, w. */
export function poseYaml(body: string, pose: Pose): string {
  return `{body: ${name(body)}, pose: {xyz: ${list(pose.slice(0, 3))}, quaternion: ${list(pose.slice(3))}}}`;
}

/** Puts a text into the clipboard; where the browser refuses (no HTTPS), a toast shows it instead. */
export function copyButton(label: string, text: () => string, toasts: Pick<Toasts, 'show'>): HTMLElement {
  const copy = async (): Promise<void> => {
    const yaml = text();
    try {
      await navigator.clipboard.writeText(yaml);
      toasts.show('Copied for a task file.', { kind: 'good' });
    } catch {
      toasts.show(yaml, {});
    }
  };
  return h('button', { type: 'button', title: 'As YAML for a task file', on: { click: () => void copy() } }, label);
}
