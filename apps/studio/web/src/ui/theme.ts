// Dark or light: what the person chose, else what the system prefers. The choice is kept over visits.
import { signal, type Signal } from './dom';

export type Theme = 'dark' | 'light';

const kKey = 'geste.theme';

function readChoice(): Theme | null {
  try {
    const stored = localStorage.getItem(kKey);
    return stored === 'dark' || stored === 'light' ? stored : null;
  } catch {
    return null; // storage is refused, as for files opened from the disk in some browsers
  }
}

function storeChoice(theme: Theme): void {
  try {
    localStorage.setItem(kKey, theme);
  } catch {
    // The choice then lasts as long as the page.
  }
}

/** The theme of the page; the attribute data-theme of the document follows it. */
export function createTheme(): { theme: Signal<Theme>; toggle(): void } {
  const system = window.matchMedia?.('(prefers-color-scheme: dark)');
  let choice = readChoice();
  const present = (): Theme => choice ?? (system?.matches ? 'dark' : 'light');
  const theme = signal<Theme>(present());
  theme.watch((value) => {
    document.documentElement.dataset.theme = value;
  });
  system?.addEventListener('change', () => theme.set(present()));
  return {
    theme,
    toggle() {
      choice = theme.get() === 'dark' ? 'light' : 'dark';
      storeChoice(choice);
      theme.set(choice);
    },
  };
}
