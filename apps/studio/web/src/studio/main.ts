// Where the studio's page begins: connects, loads the scene, makes the view, builds the page.
import '../ui/theme.css';
import './studio.css';
import { h } from '../ui/dom';
import { createTheme } from '../ui/theme';
import { createToasts } from '../ui/toast';
import { ViewFailure, type ScenePack, type View } from '../view/contract';
import { decodeScenePack } from '../view/pack/scene_pack';
import { createView, prepareView } from '../view/view';
import { createBlindView } from './blind_view';
import { Connection, type Socket } from './connection';
import { withoutToken } from './link';
import { clientKey, Memory, person } from './memory';
import { buildPage } from './page';
import type { Hello } from './protocol';
import { Studio } from './studio';

function connect(): Connection {
  const make = (): Socket => {
    const url = new URL('live', location.href);
    url.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
    url.search = new URLSearchParams({ client: clientKey(), name: person.get<string>('name') ?? '' }).toString();
    url.hash = '';
    return new WebSocket(url) as unknown as Socket;
  };
  const connection = new Connection(make);
  window.addEventListener('online', () => connection.retryNow());
  document.addEventListener('visibilitychange', () => { if (!document.hidden) connection.retryNow(); });
  return connection;
}

/** The first hello. Frames that come before the page is built are kept: each tells only what changed. */
function firstHello(connection: Connection): Promise<Hello> {
  return new Promise((resolve) => {
    const end = connection.events.on((event) => {
      if (event.event !== 'hello') return;
      end();
      resolve(event);
    });
  });
}

async function loadScene(): Promise<ScenePack> {
  const response = await fetch('scene');
  if (!response.ok) throw new Error(`The scene cannot be loaded: ${(await response.text()) || response.statusText}`);
  return decodeScenePack(new Uint8Array(await response.arrayBuffer()));
}

function makeView(host: HTMLElement, pack: ScenePack, theme: 'dark' | 'light'): View {
  try {
    return createView(host, pack, { theme });
  } catch (error) {
    if (!(error instanceof ViewFailure)) throw error;
    host.append(h('p', { class: 'no-view', role: 'alert' }, `${error.message} Everything else works.`));
    return createBlindView(pack);
  }
}

/** What came too early for the studio, told to it in order. */
function keepEarly(connection: Connection): (studio: Studio) => void {
  const frames: Parameters<Parameters<typeof connection.frames.on>[0]>[0][] = [];
  const events: Parameters<Parameters<typeof connection.events.on>[0]>[0][] = [];
  const ends = [connection.frames.on((frame) => frames.push(frame)),
    connection.events.on((event) => { if (event.event !== 'hello') events.push(event); })];
  return (studio) => {
    for (const end of ends) end();
    for (const frame of frames) studio.connection.frames.emit(frame);
    for (const event of events) studio.connection.events.emit(event);
  };
}

async function start(root: HTMLElement): Promise<void> {
  history.replaceState(history.state, '', withoutToken(location.href));
  const themes = createTheme();
  const status = h('p', { class: 'loading', role: 'status' }, 'Connecting to the studio …');
  root.replaceChildren(status);
  const connection = connect();
  connection.status.watch((now) => {
    if (now.kind === 'waiting') status.textContent = 'The studio cannot be reached; trying again …';
    if (now.kind === 'mismatch') {
      status.textContent = `The studio speaks protocol ${now.theirs} (geste ${now.geste}), which this page does not know: load it again.`;
    }
  });
  const hear = keepEarly(connection);
  const greeting = firstHello(connection);
  connection.open();
  const scene = loadScene();
  prepareView();
  const pack = await scene;
  const viewHost = h('div', { class: 'view-host' });
  const view = makeView(viewHost, pack, themes.theme.get()); // while the server answers
  const hello = await greeting;
  document.title = `${hello.scene.name} – geste studio`;
  const studio = new Studio({ connection, view, pack, hello, memory: new Memory(hello.scene.hash), toasts: createToasts() });
  hear(studio);
  await buildPage(root, viewHost, studio, themes);
  await view.settled();
  performance.mark('first-frame'); // ./bench see waits for it
}

const root = document.getElementById('studio')!;
start(root).catch((error: unknown) => {
  const text = error instanceof Error ? error.message : String(error);
  root.replaceChildren(h('p', { class: 'loading alarm', role: 'alert' }, text));
});
