// The page's end of the WebSocket: requests with answers, events, state frames, and coming back after a break.
import { Emitter, signal, type Signal } from '../ui/dom';
import { kProtocol, RequestError, type Answers, type Hello, type Request, type ServerEvent } from './protocol';
import { decodeStateFrame, type StateFrame } from './state_frame';

/** What is used of a WebSocket; tests bring their own. */
export interface Socket {
  binaryType: string;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code?: number; reason?: string }) => void) | null;
  send(text: string): void;
  close(): void;
}

export type Status =
  | { kind: 'connecting'; attempt: number }
  | { kind: 'open' }
  | { kind: 'waiting'; seconds: number; attempt: number }
  | { kind: 'mismatch'; theirs: number; geste: string }
  | { kind: 'closed' };

interface Pending { resolve(answer: never): void; reject(error: RequestError): void; timer: ReturnType<typeof setTimeout> }

const kTimeoutMs = 15_000;

/** Seconds to wait before the given attempt (from 1): doubling, up to eight. */
export function backOff(attempt: number): number {
  return Math.min(8, 0.5 * 2 ** (attempt - 1));
}

export class Connection {
  readonly status: Signal<Status> = signal<Status>({ kind: 'closed' });
  readonly events = new Emitter<ServerEvent>();
  readonly frames = new Emitter<StateFrame>();
  /** What came but could not be read; the connection goes on. */
  readonly faults = new Emitter<string>();
  private socket: Socket | null = null;
  private readonly pending = new Map<number, Pending>();
  private nextId = 1;
  private attempt = 0;
  private retry: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly makeSocket: () => Socket, private readonly timeoutMs = kTimeoutMs) {}

  open(): void {
    clearTimeout(this.retry);
    this.status.set({ kind: 'connecting', attempt: this.attempt });
    const socket = this.makeSocket();
    this.socket = socket;
    socket.binaryType = 'arraybuffer';
    socket.onmessage = (event) => { if (socket === this.socket) this.receive(event.data); };
    socket.onclose = () => { if (socket === this.socket) this.lost(); };
  }

  /** At once instead of when the waiting is over. */
  retryNow(): void {
    if (this.status.get().kind === 'waiting') this.open();
  }

  close(): void {
    clearTimeout(this.retry);
    const socket = this.socket;
    this.socket = null;
    socket?.close();
    this.failAll('page.closed', 'The page left the studio.');
    this.status.set({ kind: 'closed' });
  }

  get isOpen(): boolean {
    return this.status.get().kind === 'open';
  }

  request<R extends Request>(request: R, timeoutMs = this.timeoutMs): Promise<Answers[R['do']]> {
    if (!this.isOpen || !this.socket) {
      return Promise.reject(new RequestError({
        code: 'page.offline', message: 'There is no connection to the studio.', remedy: 'It is tried again by itself.',
      }));
    }
    const id = this.nextId++;
    const answer = new Promise<Answers[R['do']]>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.pending.delete(id);
        reject(new RequestError({
          code: 'page.timeout', message: `The studio did not answer "${request.do}" in ${timeoutMs / 1e3} s.`,
          remedy: 'It may be busy; try again.',
        }));
      }, timeoutMs);
      this.pending.set(id, { resolve, reject, timer });
    });
    this.socket.send(JSON.stringify({ id, ...request }));
    return answer;
  }

  private receive(data: unknown): void {
    try {
      if (data instanceof ArrayBuffer) {
        if (this.isOpen) this.frames.emit(decodeStateFrame(data));
      } else if (typeof data === 'string') {
        const message = JSON.parse(data) as Record<string, unknown>;
        if (typeof message.event === 'string') this.receiveEvent(message as unknown as ServerEvent);
        else this.receiveAnswer(message);
      }
    } catch (error) {
      this.faults.emit(error instanceof Error ? error.message : String(error));
    }
  }

  private receiveEvent(event: ServerEvent): void {
    if (event.event === 'hello') {
      if (!this.greet(event)) return;
    } else if (!this.isOpen) {
      return; // whoever has not said hello is not understood yet
    }
    this.events.emit(event);
  }

  private greet(hello: Hello): boolean {
    if (hello.protocol !== kProtocol) {
      const socket = this.socket;
      this.socket = null; // no guessing, and no coming back: a new page is needed
      socket?.close();
      this.status.set({ kind: 'mismatch', theirs: hello.protocol, geste: String(hello.geste) });
      return false;
    }
    this.attempt = 0;
    this.status.set({ kind: 'open' });
    return true;
  }

  private receiveAnswer(message: Record<string, unknown>): void {
    const pending = this.pending.get(message.id as number);
    if (!pending) {
      if (message.id === null && message.ok === false) this.faults.emit(new RequestError(message.error ?? {}).message);
      return;
    }
    this.pending.delete(message.id as number);
    clearTimeout(pending.timer);
    if (message.ok === true) pending.resolve(message as never);
    else pending.reject(new RequestError(message.error ?? {}));
  }

  private lost(): void {
    this.socket = null;
    this.failAll('page.offline', 'The connection to the studio broke before it answered.');
    this.attempt += 1;
    const seconds = backOff(this.attempt);
    this.status.set({ kind: 'waiting', seconds, attempt: this.attempt });
    this.retry = setTimeout(() => this.open(), seconds * 1e3);
  }

  private failAll(code: string, message: string): void {
    for (const pending of this.pending.values()) {
      clearTimeout(pending.timer);
      pending.reject(new RequestError({ code, message }));
    }
    this.pending.clear();
  }
}
