// A button that opens a small panel below itself. Escape and a click elsewhere close it.
import './controls.css';
import { h, setAttribute, type Child } from './dom';

export interface Menu { readonly element: HTMLElement; readonly button: HTMLButtonElement; close(): void }

let menuCount = 0;

export function createMenu(label: string, face: Child, content: Child, onOpen?: () => void): Menu {
  const id = `menu${++menuCount}`;
  const panel = h('div', { id, class: 'menu-panel', role: 'group', 'aria-label': label, hidden: true }, content);
  const button = h('button', { type: 'button', class: 'tool', title: label, 'aria-label': label, 'aria-expanded': 'false',
    'aria-controls': id, on: { click: () => show(panel.hidden) } }, face);
  const show = (open: boolean): void => {
    panel.hidden = !open;
    setAttribute(button, 'aria-expanded', open);
    if (open) onOpen?.();
  };
  const element = h('div', { class: 'menu', on: { keydown: (event) => {
    if (event.key !== 'Escape' || panel.hidden) return;
    event.stopPropagation();
    show(false);
    button.focus();
  } } }, button, panel);
  document.addEventListener('pointerdown', (event) => {
    if (!panel.hidden && !element.contains(event.target as Node)) show(false);
  });
  return { element, button, close: () => show(false) };
}
