// What is looked at: camera, open result, time, selection. Kept in the address and over reloads, sent to those who
// watch while this page guides, and taken from the guide while it follows.
import type { Camera } from '../view/contract';
import { readLink, writeLink, type Link } from './link';
import type { SharedView } from './protocol';
import type { Studio } from './studio';

const kAddressMs = 300; // browsers refuse more than about 100 changes of the address in 30 s
const kShareMs = 100;

/** Calls `work` at most once in each `ms`, the last time always. */
function atMostEvery(ms: number, work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | null = null;
  return () => {
    timer ??= setTimeout(() => {
      timer = null;
      work();
    }, ms);
  };
}

export class Outlook {
  private readonly store = atMostEvery(kAddressMs, () => this.storeNow());
  private readonly share = atMostEvery(kShareMs, () => this.shareNow());
  private sharing = false;
  private newest: SharedView | null = null; // of the guide, not taken yet
  private taking = false;

  constructor(private readonly studio: Studio) {}

  /** Brings back what was looked at: from the address, else from this tab's memory; else shows everything. */
  async restore(): Promise<void> {
    const { view, memory, following } = this.studio;
    const stored = memory.get<Link>('outlook');
    const fromAddress = readLink(location.hash);
    const isLinked = Object.keys(fromAddress).length > 0;
    // Who comes by a link wants to see what it shows, whatever the guide looks at. After a reload nobody came by it.
    if (isLinked && !stored && !this.studio.isGuide()) following.set(false);
    const link: Link = isLinked ? fromAddress : stored ?? {};
    if (!link.camera) {
      view.setView('iso', false);
      view.frame(undefined, false);
    }
    await this.show(link);
  }

  /** From now on changes are kept and shared. */
  watch(): void {
    const { view, player, selection, sharedView, guide } = this.studio;
    const changed = (): void => this.changed();
    view.onCamera(changed);
    selection.watch(changed);
    player.open.watch((open) => {
      changed();
      open?.timeline?.timeChanged.on(changed);
    });
    guide.watch(changed);
    sharedView.on((shared) => void this.follow(shared));
    window.addEventListener('pagehide', () => this.storeNow());
    window.addEventListener('hashchange', () => void this.show(readLink(location.hash)));
  }

  private async show(link: Link): Promise<void> {
    if (link.camera) this.studio.view.setCamera(link.camera, false);
    this.selectNames(link.selection ?? []);
    if (link.result) await this.studio.player.openResult(link.result, link.time);
    else this.studio.player.close();
  }

  /** Takes the guide's view, where this page watches and follows. */
  async follow(shared: SharedView | null): Promise<void> {
    if (!shared || this.studio.isGuide() || !this.studio.following.get()) return;
    this.newest = shared;
    if (this.taking) return; // a result is being opened; the newest is taken after it
    this.taking = true;
    while (this.newest) {
      const next = this.newest;
      this.newest = null;
      await this.take(next);
    }
    this.taking = false;
  }

  private async take({ camera, selection, result, time }: SharedView): Promise<void> {
    if (isCamera(camera)) this.studio.view.setCamera(camera, false);
    if (Array.isArray(selection)) this.selectNames(selection.map(String));
    if (typeof result === 'string') await this.studio.player.openResult(result, Number.isFinite(time) ? time : undefined);
    else if (result === null) this.studio.player.close();
  }

  private changed(): void {
    this.store();
    if (this.studio.isGuide()) this.share();
  }

  private present(): Link {
    const { view, player, selection } = this.studio;
    const open = player.open.get();
    const names = selection.get().slice(0, 20).map((part) => this.studio.nameOf(part));
    return {
      camera: view.camera(),
      ...(open && { result: open.result.name, time: open.timeline?.clock.time ?? 0 }),
      ...(names.length > 0 && { selection: names }),
    };
  }

  private storeNow(): void {
    const link = this.present();
    this.studio.memory.set('outlook', link);
    history.replaceState(history.state, '', `${location.pathname}${location.search}#${writeLink(link)}`);
  }

  private shareNow(): void {
    const { connection } = this.studio;
    if (!this.studio.isGuide() || !connection.isOpen) return;
    if (this.sharing) return this.share(); // one on its way; the newest goes after it
    this.sharing = true;
    const { camera, result = null, time, selection = [] } = this.present();
    const done = (): void => { this.sharing = false; };
    connection.request({ do: 'view', view: { camera, result, time, selection } }).then(done, done);
  }

  private selectNames(names: readonly string[]): void {
    const parts = names.map((name) => this.studio.partOf(name)).filter((part) => part !== null);
    const present = this.studio.selection.get();
    if (parts.length !== present.length || parts.some((part, k) => part !== present[k])) this.studio.select(parts);
  }
}

/** Also of strangers' making: the server passes on whatever the guide's page sent. */
function isCamera(camera: unknown): camera is Camera {
  const { position, target } = (camera ?? {}) as Partial<Camera>;
  return [position, target].every((point) =>
    Array.isArray(point) && point.length === 3 && point.every((each) => Number.isFinite(each)));
}
