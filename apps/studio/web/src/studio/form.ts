// A form made from the description of a task's options. A field holds what the task file says and shows the default
// where it says nothing. What is left empty is not sent; what nobody changed is sent as the file has it.
import { h, setAttribute, type Child } from '../ui/dom';
import { icon } from '../ui/icons';
import { dimensionOf, parseQuantity } from '../ui/units';
import type { FormField } from './protocol';

export class FormFault extends Error {}

export interface Editor {
  readonly element: HTMLElement;
  /** Undefined: not given. Throws FormFault where what is there cannot be read. */
  value(): unknown;
}

export type Values = Record<string, unknown>;

export interface FormEditor { readonly element: HTMLElement; value(): Values }

let fieldCount = 0;

/** `given`: what the task file says, as it is written there. */
export function createForm(fields: readonly FormField[], given: Values = {}): FormEditor {
  const editors = fields.map((field) => ({ field, editor: createEditor(field, given[field.key]) }));
  return {
    element: h('div', { class: 'form' }, editors.map(({ editor }) => editor.element)),
    value() {
      const values: Values = {};
      for (const { field, editor } of editors) {
        const value = editor.value();
        if (value !== undefined) values[field.key] = value;
        else if (field.required) throw new FormFault(`${field.key} is needed.`);
      }
      return values;
    },
  };
}

function createEditor(field: FormField, given: unknown): Editor {
  switch (field.kind) {
    case 'boolean': return choiceEditor(field, given, ['true', 'false'], (text) => text === 'true');
    case 'choice': return choiceEditor(field, given, field.choices ?? [], (text) => text);
    case 'group': return groupEditor(field, given);
    case 'list': return listEditor(field, given);
    default: return textEditor(field, given);
  }
}

/** How a value is written into a text field, and read back; by the field's kind. */
export function writeField(field: FormField, value: unknown): string {
  if (value === undefined || value === null) return '';
  switch (field.kind) {
    case 'numbers': case 'vector': return Array.isArray(value) ? value.join(', ') : String(value);
    case 'texts': return Array.isArray(value) ? value.join(', ') : String(value);
    case 'table': return Object.keys(value).length > 0 ? JSON.stringify(value) : '';
    case 'pose': return JSON.stringify(Array.isArray(value)
      ? { xyz: value.slice(0, 3), quaternion: value.slice(3) } : value);
    default: return typeof value === 'object' ? JSON.stringify(value) : String(value);
  }
}

export function readField(field: FormField, text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  switch (field.kind) {
    case 'number': return readNumber(field, trimmed);
    case 'integer': {
      const least = field.least ?? -Infinity;
      if (!/^[-+]?\d+$/.test(trimmed)) throw new FormFault(`${field.key}: "${trimmed}" is no whole number.`);
      if (Number(trimmed) < least) throw new FormFault(`${field.key} must be at least ${least}.`);
      return Number(trimmed);
    }
    case 'numbers': case 'vector': {
      const inner = trimmed.replace(/^\[|\]$/g, '');
      const items = inner.split(/[,;]/.test(inner) ? /[,;]/ : /\s+/).map((each) => each.trim()).filter(Boolean);
      const values = items.map((each) => readNumber(field, each));
      if (field.kind === 'vector' && values.length !== 3) throw new FormFault(`${field.key} needs three numbers.`);
      return values;
    }
    case 'texts': return trimmed.split(',').map((each) => each.trim()).filter(Boolean);
    case 'table': case 'pose': return readJson(field, trimmed);
    default: return trimmed;
  }
}

function readNumber(field: FormField, text: string): number {
  const dimension = dimensionOf(field.unit ?? '');
  // Without a unit the field's own is meant (m, rad), as in a task file.
  const plain = /^[-+]?[\d.,]+([eE][-+]?\d+)?$/.test(text);
  const value = plain ? Number(text.replace(',', '.')) : parseQuantity(text, dimension);
  if (value === null || !Number.isFinite(value)) {
    throw new FormFault(`${field.key}: "${text}" is no number${field.unit ? ` in ${field.unit}` : ''}.`);
  }
  return value;
}

function readJson(field: FormField, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new FormFault(`${field.key}: cannot be read; write it as {"name": value}.`);
  }
}

const kExamples: Record<string, string> = {
  vector: 'x, y, z', numbers: '1, 2, 3', texts: 'first, second', pose: '{"xyz": [0, 0, 0], "rpy_deg": [0, 0, 0]}',
  table: '{"arm/joint1": 0.5}', file: 'relative to the task file',
};

function labelled(field: FormField, control: HTMLElement): HTMLElement {
  const id = `field${++fieldCount}`;
  control.id = id;
  setAttribute(control, 'aria-describedby', field.help ? `${id}-help` : null);
  setAttribute(control, 'aria-required', field.required ? 'true' : null);
  return h('div', { class: 'field' },
    h('label', { for: id }, field.key, field.required && h('span', { class: 'alarm' }, ' *'),
      field.unit && field.unit !== '1' && h('span', { class: 'dim' }, ` (${field.unit})`)),
    control, field.help && h('p', { class: 'field-help dim', id: `${id}-help` }, field.help));
}

/** What counts where nothing is given; empty: nothing does, or nothing that could be written. */
export function writeDefault(field: FormField): string {
  const { kind, value } = field;
  const isNothing = Array.isArray(value) ? value.every((each) => each === 0 || each === null) : value === null || value === '';
  return field.required || kind === 'pose' || isNothing ? '' : writeField(field, value);
}

function textEditor(field: FormField, given: unknown): Editor {
  const initial = writeField(field, given);
  const preset = writeDefault(field);
  const control = h('input', { type: 'text', value: initial, autocomplete: 'off', spellcheck: 'false',
    placeholder: preset === '' ? kExamples[field.kind] ?? '' : preset,
    on: { input: () => setAttribute(control, 'aria-invalid', null) } });
  return {
    element: labelled(field, control),
    value() {
      if (control.value === initial) return initial === '' ? undefined : given;
      try {
        return readField(field, control.value);
      } catch (error) {
        setAttribute(control, 'aria-invalid', 'true');
        control.focus();
        throw error;
      }
    },
  };
}

function choiceEditor(
  field: FormField, given: unknown, choices: readonly string[], read: (text: string) => unknown,
): Editor {
  const preset = field.value === undefined || field.value === null ? '' : String(field.value);
  const control = h('select', { value: given === undefined || given === null ? '' : String(given) },
    h('option', { value: '' }, preset === '' ? '–' : `default: ${preset}`),
    choices.map((choice) => h('option', { value: choice }, choice)));
  return { element: labelled(field, control), value: () => (control.value === '' ? undefined : read(control.value)) };
}

function groupEditor(field: FormField, given: unknown): Editor {
  const isGiven = typeof given === 'object' && given !== null;
  const form = createForm(field.fields ?? [], isGiven ? given as Values : {});
  const isThere = field.required === true || isGiven;
  const element = h('details', { class: 'field-group', open: isThere },
    h('summary', null, field.key, field.help && h('span', { class: 'dim' }, ` ${field.help}`)), form.element);
  return {
    element,
    value() {
      if (!element.open && !field.required) return undefined;
      const values = form.value();
      return Object.keys(values).length > 0 || field.required ? values : undefined;
    },
  };
}

function listEditor(field: FormField, given: unknown): Editor {
  const forms: FormEditor[] = [];
  const items = h('div', { class: 'form-items' });
  const add = (values: Values = {}): void => {
    const form = createForm(field.fields ?? [], values);
    forms.push(form);
    const item: HTMLElement = h('div', { class: 'form-item' }, form.element,
      h('button', { type: 'button', class: 'icon quiet', 'aria-label': `Remove this of ${field.key}`, on: { click: () => {
        forms.splice(forms.indexOf(form), 1);
        item.remove();
      } } }, icon('trash')));
    items.append(item);
  };
  if (Array.isArray(given)) for (const each of given) add(each as Values);
  const head: Child = [field.key, field.help && h('span', { class: 'dim' }, ` ${field.help}`)];
  return {
    element: h('fieldset', { class: 'field-list' }, h('legend', null, head), items,
      h('button', { type: 'button', on: { click: () => add() } }, 'Add')),
    value: () => (forms.length > 0 ? forms.map((form) => form.value()) : undefined),
  };
}
