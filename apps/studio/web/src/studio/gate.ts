// What may be done, and if not, why: shown with the controls instead of letting them fail.
import { h, setAttribute, signal, type Child, type Signal } from '../ui/dom';

/** Empty: allowed; else the reason, for people. */
export type Gate = string;

interface Watched { watch(listener: () => void): unknown }

/** A value made of others; `sources` are watched, `compute` reads them. */
export function derived<T>(sources: readonly Watched[], compute: () => T): Signal<T> {
  const result = signal(compute());
  for (const source of sources) source.watch(() => result.set(compute()));
  return result;
}

/** Controls that are off while the gate is shut; the reason stands above them. */
export function gated(gate: Signal<Gate>, ...children: Child[]): HTMLElement {
  const note = h('p', { class: 'gate-note' });
  const fields = h('fieldset', { class: 'gate' }, children);
  gate.watch((why) => {
    fields.disabled = why !== '';
    note.textContent = why;
    note.hidden = why === '';
  });
  return h('div', { class: 'gated' }, note, fields);
}

/** One button; the reason becomes its tooltip. */
export function gateButton(gate: Signal<Gate>, button: HTMLButtonElement): HTMLButtonElement {
  const usual = button.title;
  gate.watch((why) => {
    button.disabled = why !== '';
    setAttribute(button, 'title', why || usual || null);
  });
  return button;
}
