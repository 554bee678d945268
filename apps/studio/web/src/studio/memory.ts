// What a page remembers over reloads. Where storage is refused or full it forgets, and nothing else happens.

function read(storage: () => Storage, key: string): unknown {
  try {
    const text = storage().getItem(key);
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function write(storage: () => Storage, key: string, value: unknown): void {
  try {
    storage().setItem(key, JSON.stringify(value));
  } catch {
    // Refused or full.
  }
}

/** Of this tab and this scene. */
export class Memory {
  constructor(private readonly scene: string) {}

  get<T>(key: string): T | undefined {
    return read(() => sessionStorage, `geste.${this.scene}.${key}`) as T | undefined;
  }

  set(key: string, value: unknown): void {
    write(() => sessionStorage, `geste.${this.scene}.${key}`, value);
  }
}

/** Of this person, for all scenes. */
export const person = {
  get<T>(key: string): T | undefined {
    return read(() => localStorage, `geste.${key}`) as T | undefined;
  },
  set(key: string, value: unknown): void {
    write(() => localStorage, `geste.${key}`, value);
  },
};

/** By which the server knows this tab again: chosen once, kept while the tab lives. */
export function clientKey(): string {
  const stored = read(() => sessionStorage, 'geste.client');
  if (typeof stored === 'string' && /^[A-Za-z0-9_-]{8,64}$/.test(stored)) return stored;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const key = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  write(() => sessionStorage, 'geste.client', key);
  return key;
}
