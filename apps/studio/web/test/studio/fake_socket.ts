// A socket that lives in memory, for tests of what speaks the protocol.
import type { Socket } from '../../src/studio/connection';
import type { Hello } from '../../src/studio/protocol';

export class FakeSocket implements Socket {
  binaryType = '';
  onmessage: Socket['onmessage'] = null;
  onclose: Socket['onclose'] = null;
  readonly sent: Record<string, unknown>[] = [];
  closed = false;

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }

  close(): void {
    this.closed = true;
  }

  say(message: unknown): void {
    this.onmessage?.({ data: message instanceof ArrayBuffer || typeof message === 'string' ? message : JSON.stringify(message) });
  }

  breakDown(): void {
    this.onclose?.({});
  }

  /** The newest request of this kind. */
  last(what: string): Record<string, unknown> | undefined {
    return this.sent.filter((each) => each.do === what).at(-1);
  }
}

export const kHello: Hello = {
  event: 'hello', protocol: 1, geste: '0.1.0', you: 1,
  scene: { name: 'test', hash: 'abc', task_file: '/tmp/test.yaml', kind: null, options: null },
  joints: [], configurations: [], forms: [], results: [], job: null,
  people: [{ id: 1, name: 'Ann' }, { id: 2, name: 'Bob' }], guide: 1, view: null,
};

export function makeFrame(head: object, poses: number[], magic = 'GSF1'): ArrayBuffer {
  let json = JSON.stringify(head);
  json += ' '.repeat((4 - (json.length % 4)) % 4);
  const bytes = new ArrayBuffer(8 + json.length + 4 * poses.length);
  const view = new DataView(bytes);
  [...magic].forEach((letter, k) => view.setUint8(k, letter.charCodeAt(0)));
  view.setUint32(4, json.length, true);
  [...json].forEach((letter, k) => view.setUint8(8 + k, letter.charCodeAt(0)));
  poses.forEach((value, k) => view.setFloat32(8 + json.length + 4 * k, value, true));
  return bytes;
}
