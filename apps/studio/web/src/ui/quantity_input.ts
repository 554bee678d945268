// A text field for a number with a unit. It shows mm and degrees and understands others when they are typed.
import './controls.css';
import { h, setAttribute } from './dom';
import { formatNumber, parseQuantity, shownUnit, toShown, type Dimension } from './units';

export interface QuantityInput {
  readonly element: HTMLInputElement;
  /** Shows an SI value, unless somebody is typing. */
  show(value: number): void;
  value(): number | null;
}

export function quantityInput(
  label: string, dimension: Dimension, commit: (value: number) => void, digits = 2,
): QuantityInput {
  let shown = '';
  const take = (): void => {
    if (element.value === shown) return;
    const value = parseQuantity(element.value, dimension);
    setAttribute(element, 'aria-invalid', value === null ? 'true' : null);
    if (value === null) return;
    shown = element.value;
    commit(value);
  };
  const reset = (): void => {
    element.value = shown;
    setAttribute(element, 'aria-invalid', null);
  };
  const unit = shownUnit(dimension);
  const element = h('input', { type: 'text', inputmode: 'decimal', class: 'quantity number', autocomplete: 'off',
    'aria-label': unit ? `${label} in ${unit}` : label, title: unit ? `${label}; ${unit}, or type another unit` : label,
    on: {
      change: take,
      keydown: (event) => {
        if (event.key === 'Enter') take();
        else if (event.key === 'Escape') reset();
        else return;
        event.stopPropagation();
      },
    } });
  return {
    element,
    show(value) {
      if (document.activeElement === element && element.value !== shown) return;
      shown = formatNumber(toShown(value, dimension), digits);
      if (element.value !== shown) element.value = shown;
      setAttribute(element, 'aria-invalid', null);
    },
    value: () => parseQuantity(element.value, dimension),
  };
}
