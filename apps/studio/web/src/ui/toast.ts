// Short messages over the page. Errors and questions stay until they are dismissed; others go by themselves.
import './controls.css';
import { h } from './dom';
import { icon } from './icons';

export interface ToastOptions {
  kind?: 'info' | 'good' | 'error';
  /** What to do about it. */
  remedy?: string;
  actions?: { label: string; run(): void }[];
}

export interface Toasts {
  readonly element: HTMLElement;
  /** The answer takes it away again. */
  show(text: string, options?: ToastOptions): () => void;
}

const kStayMs = 5000;
const kMost = 4;

export function createToasts(): Toasts {
  const calm = h('div', { role: 'status', 'aria-live': 'polite' });
  const urgent = h('div', { role: 'alert', 'aria-live': 'assertive' });
  const element = h('div', { class: 'toasts' }, calm, urgent);
  return {
    element,
    show(text, { kind = 'info', remedy, actions = [] } = {}) {
      const region = kind === 'error' ? urgent : calm;
      const said = `${text} ${remedy ?? ''}`;
      for (const old of [...region.children] as HTMLElement[]) if (old.dataset.said === said) old.remove();
      while (region.children.length >= kMost) region.firstElementChild!.remove();
      const toast: HTMLElement = h('div', { class: `toast ${kind}`, dataset: { said } },
        h('div', { class: 'grow' }, h('div', null, text), remedy && h('div', { class: 'dim' }, remedy),
          actions.length > 0 && h('div', { class: 'row' }, actions.map(({ label, run }) =>
            h('button', { type: 'button', on: { click: () => { toast.remove(); run(); } } }, label)))),
        h('button', { type: 'button', class: 'icon quiet', 'aria-label': 'Dismiss', on: { click: () => toast.remove() } },
          icon('close', 12)));
      region.append(toast);
      const dismiss = (): void => toast.remove();
      if (kind !== 'error' && actions.length === 0) setTimeout(dismiss, kStayMs);
      return dismiss;
    },
  };
}
