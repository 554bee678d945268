// On paper: light, and the 3D as the picture that it shows at that moment.
import { h } from '../ui/dom';
import type { Signal } from '../ui/dom';
import type { Theme } from '../ui/theme';
import type { Replay } from './replay';

export function preparePrint(host: HTMLElement, replay: Replay | null, theme: Signal<Theme>): void {
  const image = h('img', { class: 'print-picture', alt: 'The scene at the moment shown' });
  let before: Theme | null = null;
  window.addEventListener('beforeprint', () => {
    before ??= theme.get();
    theme.set('light');
    const picture = replay?.view?.picture();
    if (!picture) return;
    image.src = picture;
    host.prepend(image);
  });
  window.addEventListener('afterprint', () => {
    image.remove();
    if (before) theme.set(before);
    before = null;
  });
}
