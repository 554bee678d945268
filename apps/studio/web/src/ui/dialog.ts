// Modal dialogs on <dialog>: the browser keeps the focus inside, Escape closes.
import './controls.css';
import { h, type Child } from './dom';
import { icon } from './icons';

let dialogCount = 0;

export interface DialogOptions { wide?: boolean; onClose?(): void }

export function openDialog(title: string, content: Child, options: DialogOptions = {}): HTMLDialogElement {
  const titleId = `dialog${++dialogCount}`;
  const dialog = h('dialog', { class: options.wide ? 'dialog wide' : 'dialog', 'aria-labelledby': titleId,
    on: { close: () => { dialog.remove(); options.onClose?.(); } } },
  h('header', { class: 'dialog-head' }, h('h2', { id: titleId, class: 'grow' }, title),
    h('button', { type: 'button', class: 'icon quiet', 'aria-label': 'Close', on: { click: () => dialog.close() } },
      icon('close'))),
  h('div', { class: 'dialog-body' }, content));
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Asks before something that cannot be taken back. */
export function confirmDialog(title: string, text: string, action: string): Promise<boolean> {
  return new Promise((resolve) => {
    let sure = false;
    const dialog = openDialog(title, [
      h('p', null, text),
      h('div', { class: 'row dialog-actions' },
        h('button', { type: 'button', on: { click: () => dialog.close() } }, 'Cancel'),
        h('button', { type: 'button', class: 'danger', on: { click: () => { sure = true; dialog.close(); } } }, action)),
    ], { onClose: () => resolve(sure) });
  });
}
