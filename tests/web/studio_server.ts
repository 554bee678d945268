// Starts `geste studio` on a copy of an example, and speaks its protocol beside the page.
import { spawn, type ChildProcess } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import WebSocket from 'ws';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

export class StudioServer {
  url = '';
  private process: ChildProcess | null = null;
  private folder = '';
  private port = 0;

  /** The example is copied, since the studio writes into its task file. */
  async prepare(): Promise<void> {
    this.folder = await mkdtemp(path.join(tmpdir(), 'geste-studio-'));
    for (const name of ['scenes', 'models']) await cp(path.join(root, name), path.join(this.folder, name), { recursive: true });
  }

  /** Again on the same port after a stop. */
  async start(): Promise<void> {
    const program = process.env.GESTE;
    if (!program) throw new Error('GESTE must name the geste program.');
    const child = spawn(program, ['studio', 'scenes/hello.yaml', '--port', String(this.port), '--out', 'results'],
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

  async stop(signal: NodeJS.Signals = 'SIGINT'): Promise<void> {
    const child = this.process;
    this.process = null;
    if (!child || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  }

  async cleanUp(): Promise<void> {
    await this.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Asks the engine directly, as one who only watches. */
  ask(request: object): Promise<Record<string, unknown>> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(`${this.url.replace('http', 'ws')}live?client=flow-witness&name=Witness`);
      socket.on('error', reject);
      socket.on('message', (data, binary) => {
        if (binary) return;
        const message = JSON.parse(String(data)) as Record<string, unknown>;
        if (message.event === 'hello') socket.send(JSON.stringify({ id: 1, ...request }));
        else if (message.id === 1) {
          socket.close();
          resolve(message);
        }
      });
    });
  }
}
