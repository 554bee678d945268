// The few helpers the pages are built with: elements from functions, and values that can be watched.
// Text from outside only ever becomes a text node.

export type Child = Node | string | number | null | undefined | false | readonly Child[];

type Handlers = { [K in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[K]) => void };

export interface Props {
  class?: string;
  /** Listeners by the name of their event. */
  on?: Handlers;
  style?: Record<string, string>;
  dataset?: Record<string, string>;
  /** Attributes; true sets an empty one, false, null and undefined leave it out. */
  [attribute: string]: unknown;
}

/** Attributes that say only how an input begins; the present value is a property. */
const kProperties = new Set(['value', 'checked', 'disabled', 'selected', 'open', 'indeterminate']);

function setProp(element: HTMLElement, name: string, value: unknown): void {
  if (kProperties.has(name) && name in element) {
    if (value !== undefined) (element as unknown as Record<string, unknown>)[name] = value;
  } else {
    setAttribute(element, name, value);
  }
}

/** Sets, or with false, null and undefined removes, an attribute; `aria-*` keeps "false" as a word. */
export function setAttribute(element: Element, name: string, value: unknown): void {
  if (value === null || value === undefined || (value === false && !name.startsWith('aria-'))) {
    element.removeAttribute(name);
  } else {
    element.setAttribute(name, value === true && !name.startsWith('aria-') ? '' : String(value));
  }
}

/** Makes an element with its properties and children. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K, props: Props | null = null, ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  const { class: classes, on, style, dataset, ...rest } = props ?? {};
  if (classes) element.className = classes;
  for (const [name, value] of Object.entries(rest)) if (name !== 'value') setProp(element, name, value);
  for (const [name, text] of Object.entries(style ?? {})) element.style.setProperty(name, text);
  Object.assign(element.dataset, dataset);
  for (const [name, listener] of Object.entries(on ?? {})) {
    element.addEventListener(name, listener as EventListener);
  }
  append(element, children);
  // Last: a range needs its limits and a select its options before it takes a value.
  if ('value' in rest) setProp(element, 'value', rest.value);
  return element;
}

function append(parent: Node, child: Child): void {
  if (child === null || child === undefined || child === false) return;
  if (Array.isArray(child)) for (const each of child) append(parent, each);
  else parent.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
}

/** Puts these children in place of all present ones. */
export function replace(parent: Element, ...children: Child[]): void {
  parent.replaceChildren();
  append(parent, children);
}

export interface Signal<T> {
  get(): T;
  set(value: T): void;
  /** Calls the listener now and after each change; the answer ends it. */
  watch(listener: (value: T) => void): () => void;
}

/** A value that tells when it changes. Listeners that set it again are served after the others. */
export function signal<T>(initial: T): Signal<T> {
  let value = initial;
  const listeners = new Set<(value: T) => void>();
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of [...listeners]) if (listeners.has(listener) && Object.is(value, next)) listener(next);
    },
    watch(listener) {
      listeners.add(listener);
      listener(value);
      return () => listeners.delete(listener);
    },
  };
}

/** Listeners of one kind of event. */
export class Emitter<T> {
  private readonly listeners = new Set<(event: T) => void>();

  on(listener: (event: T) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  emit(event: T): void {
    for (const listener of [...this.listeners]) listener(event);
  }
}

/** Runs `work` once in the next animation frame, however often it is asked for. */
export function oncePerFrame(work: () => void): () => void {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      work();
    });
  };
}
