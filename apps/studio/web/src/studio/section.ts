// The section plane: along which axis, how far, which side is kept.
import { h, setAttribute } from '../ui/dom';
import { icon } from '../ui/icons';
import { createMenu, type Menu } from '../ui/menu';
import { formatLength } from '../ui/units';
import type { Point } from '../view/contract';
import type { Studio } from './studio';

type Axis = 0 | 1 | 2;
interface Cut { axis: Axis; share: number; flipped: boolean }

const kNames = ['X', 'Y', 'Z'];
/** So much further than the scene the plane can go: at its very faces rounding would decide what is cut. */
const kBeyond = 0.001;

export function createSectionMenu(studio: Studio): Menu {
  const stored = studio.memory.get<Cut | null>('section');
  let cut: Cut | null = stored ?? null;
  const offset = h('input', { type: 'range', min: 0, max: 1, step: 0.001, value: cut?.share ?? 0.5, class: 'grow',
    'aria-label': 'Place of the section plane', on: { input: () => change({ share: Number(offset.value) }) } });
  const readout = h('output', { class: 'number section-readout' });
  const axes = kNames.map((name, k) => h('button', { type: 'button', 'aria-label': `Cut along ${name}`,
    on: { click: () => change({ axis: k as Axis }) } }, name));
  const flip = h('button', { type: 'button', class: 'icon', 'aria-label': 'Cut away the other side', title: 'Other side',
    on: { click: () => change({ flipped: !(cut?.flipped ?? false) }) } }, icon('flip'));
  const off = h('button', { type: 'button', on: { click: () => {
    cut = null;
    draw();
    menu.close();
    menu.button.focus();
  } } }, 'Off');
  const change = (part: Partial<Cut>): void => {
    cut = { axis: 0, share: Number(offset.value), flipped: false, ...cut, ...part };
    draw();
  };
  const draw = (): void => {
    studio.memory.set('section', cut);
    axes.forEach((button, k) => setAttribute(button, 'aria-pressed', cut?.axis === k));
    setAttribute(flip, 'aria-pressed', cut?.flipped ?? false);
    setAttribute(menu.button, 'aria-pressed', cut !== null);
    off.disabled = cut === null;
    const bounds = studio.view.bounds();
    if (!cut || !bounds) {
      readout.textContent = '';
      return studio.view.section(null);
    }
    const at = placeBetween(bounds.min[cut.axis], bounds.max[cut.axis], cut.share);
    readout.textContent = `${kNames[cut.axis]} = ${formatLength(at)}`;
    studio.view.section(makePlane(cut.axis, at, cut.flipped));
  };
  const menu = createMenu('Section plane', icon('section'), [
    h('div', { class: 'row' }, axes, flip, h('span', { class: 'grow' }), off), h('div', { class: 'row' }, offset), readout,
  ]);
  draw();
  return menu;
}

/** From just before the scene (share 0) to just behind it (1). */
export function placeBetween(min: number, max: number, share: number): number {
  return (min + max) / 2 + (share - 0.5) * (1 + 2 * kBeyond) * (max - min);
}

/** The plane at `at` along an axis; what lies beyond it, or flipped before it, is cut away. */
export function makePlane(axis: Axis, at: number, flipped: boolean): { normal: Point; offset: number } {
  const sign = flipped ? -1 : 1;
  const normal = [0, 0, 0];
  normal[axis] = sign;
  return { normal: normal as unknown as Point, offset: sign * at };
}
