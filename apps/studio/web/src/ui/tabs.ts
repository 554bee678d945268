// Tabs after the ARIA pattern: arrows move between them, the panel follows.
import './controls.css';
import { h, setAttribute, type Signal } from './dom';

export interface Tab { id: string; label: string; panel: HTMLElement }

export function createTabs(label: string, tabs: readonly Tab[], chosen: Signal<string>): HTMLElement {
  const buttons = tabs.map((tab, k) => h('button', {
    type: 'button', role: 'tab', id: `tab-${tab.id}`, 'aria-controls': `panel-${tab.id}`, class: 'tab',
    on: { click: () => chosen.set(tab.id), keydown: (event) => onKey(event, k) },
  }, tab.label));
  const onKey = (event: KeyboardEvent, k: number): void => {
    const next = { ArrowRight: k + 1, ArrowLeft: k - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const target = (next + tabs.length) % tabs.length;
    chosen.set(tabs[target].id);
    buttons[target].focus();
  };
  for (const tab of tabs) {
    tab.panel.id = `panel-${tab.id}`;
    setAttribute(tab.panel, 'role', 'tabpanel');
    setAttribute(tab.panel, 'aria-labelledby', `tab-${tab.id}`);
    tab.panel.tabIndex = 0;
  }
  chosen.watch((id) => {
    const present = tabs.some((tab) => tab.id === id) ? id : tabs[0].id;
    tabs.forEach((tab, k) => {
      const on = tab.id === present;
      setAttribute(buttons[k], 'aria-selected', on);
      buttons[k].tabIndex = on ? 0 : -1;
      tab.panel.hidden = !on;
    });
  });
  return h('div', { class: 'tabs' },
    h('div', { class: 'tab-list', role: 'tablist', 'aria-label': label }, buttons), tabs.map((tab) => tab.panel));
}
