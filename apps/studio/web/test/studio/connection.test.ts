import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { backOff, Connection } from '../../src/studio/connection';
import type { RequestError } from '../../src/studio/protocol';
import { decodeStateFrame, MoverPoses } from '../../src/studio/state_frame';
import { FakeSocket, kHello, makeFrame } from './fake_socket';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function connected(): { connection: Connection; sockets: FakeSocket[] } {
  const sockets: FakeSocket[] = [];
  const connection = new Connection(() => {
    sockets.push(new FakeSocket());
    return sockets.at(-1)!;
  }, 1000);
  connection.open();
  sockets[0].say(kHello);
  return { connection, sockets };
}

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(() => 'answered', (error: RequestError) => error.code);

describe('Connection', () => {
  it('is open after hello, and gives each request its own answer', async () => {
    const { connection, sockets } = connected();
    expect(connection.status.get().kind).toBe('open');
    const first = connection.request({ do: 'facts', body: 'a' });
    const second = connection.request({ do: 'take' });
    const [a, b] = sockets[0].sent;
    expect(a).toMatchObject({ do: 'facts', body: 'a' });
    sockets[0].say({ id: b.id, ok: true, granted: true });
    sockets[0].say({ id: a.id, ok: true, facts: [['mass', '1 kg']] });
    expect((await second).granted).toBe(true);
    expect((await first).facts).toEqual([['mass', '1 kg']]);
  });

  it('passes on refusals with code and remedy', async () => {
    const { connection, sockets } = connected();
    const answer = connection.request({ do: 'state', q: [] });
    sockets[0].say({ id: sockets[0].sent[0].id, ok: false, error: { code: 'studio.no_control', message: 'no', remedy: 'ask' } });
    await expect(answer).rejects.toMatchObject({ code: 'studio.no_control', message: 'no', remedy: 'ask' });
  });

  it('gives up on answers that do not come', async () => {
    const { connection } = connected();
    const code = codeOf(connection.request({ do: 'take' }));
    vi.advanceTimersByTime(1001);
    expect(await code).toBe('page.timeout');
  });

  it('comes back with growing pauses, and is whole again after the next hello', async () => {
    const { connection, sockets } = connected();
    const code = codeOf(connection.request({ do: 'take' }));
    sockets[0].breakDown();
    expect(await code).toBe('page.offline');
    expect(connection.status.get()).toEqual({ kind: 'waiting', seconds: 0.5, attempt: 1 });
    expect(await codeOf(connection.request({ do: 'take' }))).toBe('page.offline');
    vi.advanceTimersByTime(500);
    expect(sockets).toHaveLength(2);
    sockets[1].breakDown();
    expect(connection.status.get()).toEqual({ kind: 'waiting', seconds: 1, attempt: 2 });
    connection.retryNow();
    sockets[2].say(kHello);
    expect(connection.status.get().kind).toBe('open');
    vi.advanceTimersByTime(10_000);
    expect(sockets).toHaveLength(3);
    expect([1, 2, 3, 9].map(backOff)).toEqual([0.5, 1, 2, 8]);
  });

  it('does not guess at another protocol, and does not come back to it', () => {
    const sockets: FakeSocket[] = [];
    const connection = new Connection(() => {
      sockets.push(new FakeSocket());
      return sockets.at(-1)!;
    });
    const seen = vi.fn();
    connection.events.on(seen);
    connection.open();
    sockets[0].say({ ...kHello, protocol: 2 });
    expect(connection.status.get()).toEqual({ kind: 'mismatch', theirs: 2, geste: '0.1.0' });
    expect(sockets[0].closed).toBe(true);
    sockets[0].breakDown();
    vi.advanceTimersByTime(60_000);
    expect(sockets).toHaveLength(1);
    expect(seen).not.toHaveBeenCalled();
  });

  it('tells of garbage and goes on', () => {
    const { connection, sockets } = connected();
    const faults = vi.fn();
    connection.faults.on(faults);
    sockets[0].say('{');
    sockets[0].say(makeFrame({}, [], 'GSP1'));
    sockets[0].say({ id: null, ok: false, error: { code: 'x', message: 'no request' } });
    expect(faults).toHaveBeenCalledTimes(3);
    expect(connection.isOpen).toBe(true);
  });
});

describe('state frames', () => {
  it('bring the movers that moved; the others stay', () => {
    const poses = new MoverPoses([[0, 0, 0, 0, 0, 0, 1], [1, 1, 1, 0, 0, 0, 1], [2, 2, 2, 0, 0, 0, 1]]);
    const frame = decodeStateFrame(makeFrame({ seq: 3, ack: null, q: [0.5, -1], movers: [2] }, [9, 8, 7, 0, 0, 1, 0]));
    poses.apply(frame);
    expect(frame).toMatchObject({ seq: 3, ack: null, q: [0.5, -1] });
    expect([...poses.all.slice(7, 10)]).toEqual([1, 1, 1]);
    expect([...poses.all.slice(14)]).toEqual([9, 8, 7, 0, 0, 1, 0]);
  });

  it('are refused where something is missing; movers that do not exist are passed over', () => {
    const good = makeFrame({ seq: 1, q: [], movers: [0] }, [1, 2, 3, 0, 0, 0, 1]);
    expect(() => decodeStateFrame(good.slice(0, good.byteLength - 4))).toThrow('poses');
    expect(() => decodeStateFrame(good.slice(0, 6))).toThrow('shorter');
    expect(() => decodeStateFrame(makeFrame({ seq: 1 }, []))).toThrow('lacks');
    const poses = new MoverPoses([[0, 0, 0, 0, 0, 0, 1]]);
    poses.apply({ seq: 1, ack: null, q: [], movers: [7, -1], poses: new Float32Array(14).fill(5) });
    expect([...poses.all]).toEqual([0, 0, 0, 0, 0, 0, 1]);
  });
});
