// Starts `geste studio` on a copy of an example, and speaks its protocol beside the page.
import { spawn, type ChildProcess } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import WebSocket from 'ws';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const kCopied = ['scenes', 'models', 'tests/web/workbench'];

/** Under this key the page of every test comes back as the same person, who still guides: nobody waits for the seat. */
export const kGuideKey = 'flow-guide';

type Answer = Record<string, unknown>;

export class StudioServer {
  url = '';
  private process: ChildProcess | null = null;
  private folder = '';
  private port = 0;

  constructor(private readonly task = 'scenes/hello.yaml') {}

  /** On a copy, since the studio writes into its task file. */
  async prepare(): Promise<void> {
    this.folder = await mkdtemp(path.join(tmpdir(), 'geste-studio-'));
    for (const name of kCopied) await cp(path.join(root, name), path.join(this.folder, name), { recursive: true });
    await this.start();
  }

  /** Again on the same port after a stop. */
  async start(): Promise<void> {
    const program = process.env.GESTE;
    if (!program) throw new Error('GESTE must name the geste program.');
    const child = spawn(program, ['studio', this.task, '--port', String(this.port), '--out', 'results'],
      { cwd: this.folder, stdio: ['ignore', 'pipe', 'pipe'] });
    this.process = child;
    this.url = await new Promise((resolve, reject) => {
      let said = '';
      const hear = (chunk: Buffer): void => {
        said += chunk.toString();
        const found = /http:\/\/[\d.]+:\d+\//.exec(said);
        if (found) resolve(found[0]);
      };
      child.stdout!.on('data', hear);
      child.stderr!.on('data', hear);
      child.on('exit', (code) => reject(new Error(`geste studio ended with ${code}: ${said}`)));
    });
    this.port = Number(new URL(this.url).port);
  }

  /** Gives its exit code; null where the signal ended it, or it did not run. */
  async stop(signal: NodeJS.Signals = 'SIGKILL'): Promise<number | null> {
    const child = this.process;
    this.process = null;
    if (!child || child.exitCode !== null) return null;
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    child.kill(signal);
    return ended;
  }

  async cleanUp(): Promise<void> {
    await this.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** As after the start: for the next test on the same server. */
  async reset(): Promise<void> {
    const [hello] = await this.speak(kGuideKey, [{ do: 'take' }, { do: 'configuration', name: 'start' }]);
    const results = hello.results as { name: string }[];
    await this.speak(kGuideKey, results.map(({ name }) => ({ do: 'forget', result: name })));
  }

  /** Asks the engine directly, as one who only watches. */
  async ask(request: object): Promise<Answer> {
    return (await this.speak('flow-witness', [request]))[1];
  }

  /** Sends requests after the hello; gives the hello and the answers. */
  private speak(key: string, requests: object[]): Promise<Answer[]> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(`${this.url.replace('http', 'ws')}live?client=${key}&name=Witness`);
      const heard: Answer[] = [];
      socket.on('error', reject);
      socket.on('message', (data, binary) => {
        if (binary) return;
        const message = JSON.parse(String(data)) as Answer;
        if (message.event !== 'hello' && message.id !== heard.length) return;
        if (message.ok === false) return reject(new Error(`refused: ${String(data)}`));
        heard.push(message);
        const next = requests[heard.length - 1];
        if (next) return socket.send(JSON.stringify({ id: heard.length, ...next }));
        socket.close();
        resolve(heard);
      });
    });
  }
}
