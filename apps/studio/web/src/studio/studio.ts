// The state of the studio's page: what the server told, what is selected and what may be done. Panels watch it and
// ask it; only here are events of the server turned into state.
import { Emitter, signal } from '../ui/dom';
import { bindLooks, Looks, type LooksRecord } from '../ui/looks';
import type { Toasts } from '../ui/toast';
import { makeFinder, type FindParts } from '../outcome/names';
import type { Part, Pose, ScenePack, View } from '../view/contract';
import type { Connection } from './connection';
import { derived, type Gate } from './gate';
import { Growth } from './growth';
import type { Memory } from './memory';
import { NewestSender } from './newest';
import { Player } from './player';
import { poseOfPart } from './poses';
import {
  RequestError, type Answers, type BodyName, type Hello, type Job, type Nearest, type Request, type ServerEvent,
  type SharedView, type Touching,
} from './protocol';
import { MoverPoses, type StateFrame } from './state_frame';
import { UndoStack, type Snapshot } from './undo';

export type Tool = 'select' | 'move' | 'turn' | 'measure';

export interface StudioParts {
  connection: Connection; view: View; pack: ScenePack; hello: Hello; memory: Memory; toasts: Toasts;
}

/** `pairs`: how many are watched; 0: nothing moves against anything. */
export interface Clearance { seq: number; nearest: Nearest | null; touching: Touching[]; pairs?: number }

export class Studio {
  readonly connection: Connection;
  readonly view: View;
  readonly pack: ScenePack;
  readonly memory: Memory;
  readonly toasts: Toasts;
  readonly looks: Looks;
  readonly undo: UndoStack;
  readonly player: Player;
  readonly growth: Growth;
  readonly poses: MoverPoses;

  readonly hello;
  readonly people;
  readonly guide;
  readonly results;
  readonly configurations;
  readonly job;
  readonly q = signal<readonly number[]>([]);
  readonly clearance = signal<Clearance | null>(null);
  readonly selection = signal<readonly Part[]>([]);
  readonly tool = signal<Tool>('select');
  readonly tab;
  readonly following;
  readonly dragAnswer = signal<Answers['drag'] | null>(null);
  /** The live state as drawn changed. */
  readonly stateChanged = new Emitter<void>();
  readonly sharedView = new Emitter<SharedView>();
  readonly asked = new Emitter<string>();

  /** What needs control, and what changes the live state besides. */
  readonly controlGate;
  readonly stateGate;

  /** By the names that results use: of bodies, actors or geometry. */
  readonly findParts: FindParts;

  private readonly partsByName = new Map<BodyName, Part>();
  private readonly senders: { drop(): void }[] = [];
  private readonly drags = this.makeSender<{ body: BodyName; pose: Pose }>((drag) => this.sendDrag(drag));

  constructor({ connection, view, pack, hello, memory, toasts }: StudioParts) {
    this.connection = connection;
    this.view = view;
    this.pack = pack;
    this.memory = memory;
    this.toasts = toasts;
    this.hello = signal(hello);
    this.people = signal(hello.people);
    this.guide = signal(hello.guide);
    this.results = signal(hello.results);
    this.configurations = signal(hello.configurations);
    this.job = signal<Job | null>(hello.job);
    this.tab = signal(memory.get<string>('tab') ?? 'selection');
    this.following = signal(memory.get<boolean>('following') ?? true);
    pack.bodies.forEach((body, part) => this.partsByName.set(body.name, part));
    this.findParts = makeFinder(pack);
    this.poses = new MoverPoses(pack.start);
    this.looks = new Looks(pack.bodies.length);
    this.looks.restore(memory.get<LooksRecord>('looks') ?? []);
    this.undo = new UndoStack({ capture: (kind) => this.capture(kind), apply: (snapshot) => this.restore(snapshot) },
      (stored) => memory.set('undo', stored));
    this.undo.load(memory.get('undo'));
    this.player = new Player(this);
    this.growth = new Growth(view);
    this.controlGate = derived([connection.status, this.guide, this.people], () => this.whyNoControl());
    this.stateGate = derived([this.controlGate, this.player.open], (): Gate => this.controlGate.get()
      || (this.player.open.get() ? 'A result is open: go back to the live state to change it.' : ''));
    this.connect();
  }

  partOf(name: BodyName): Part | null {
    return this.partsByName.get(name) ?? null;
  }

  nameOf(part: Part): BodyName {
    return this.pack.bodies[part].name;
  }

  isGuide(): boolean {
    return this.guide.get() === this.hello.get().you;
  }

  nameOfPerson(id: unknown): string {
    return this.people.get().find((person) => person.id === id)?.name || 'Somebody';
  }

  /** Where a part stands in what is shown: the live state or the open result. */
  shownPose(part: Part): Pose {
    return poseOfPart(this.pack.bodies, part, this.player.shownPoses() ?? this.poses.all);
  }

  /** Asks the server; a refusal is shown and gives null. */
  async ask<R extends Request>(request: R): Promise<Answers[R['do']] | null> {
    try {
      return await this.connection.request(request);
    } catch (error) {
      this.complain(error);
      return null;
    }
  }

  complain(error: unknown): void {
    const remedy = error instanceof RequestError ? error.remedy : '';
    this.toasts.show(error instanceof Error ? error.message : String(error), { kind: 'error', remedy });
  }

  /** For changes that may come faster than the server answers. */
  makeSender<T>(send: (value: T) => Promise<unknown>): NewestSender<T> {
    const sender = new NewestSender(send);
    this.senders.push(sender);
    return sender;
  }

  /** The part goes there as far as it can. Many calls are sent as fast as the server answers, the last one always. */
  drag(part: Part, pose: Pose): void {
    this.drags.offer({ body: this.nameOf(part), pose });
  }

  select(parts: readonly Part[]): void {
    this.player.leaveMoment();
    this.selection.set([...parts]);
  }

  applyUndo(direction: 'undo' | 'redo'): void {
    const why = this.undo.next(direction)?.before.kind === 'q' ? this.stateGate.get() : '';
    if (why) {
      this.toasts.show(why);
      return;
    }
    const what = direction === 'undo' ? this.undo.undo() : this.undo.redo();
    if (what === null) this.toasts.show(`Nothing to ${direction}.`);
  }

  private async sendDrag(drag: { body: BodyName; pose: Pose }): Promise<void> {
    this.dragAnswer.set(await this.ask({ do: 'drag', ...drag }));
  }

  private connect(): void {
    bindLooks(this.looks, this.view);
    this.looks.changed.on(() => this.memory.set('looks', this.looks.record()));
    this.selection.watch((parts) => this.view.select(parts));
    this.job.watch((job) => this.growth.follow(job));
    this.tab.watch((tab) => this.memory.set('tab', tab));
    this.following.watch((on) => this.memory.set('following', on));
    this.connection.events.on((event) => this.receive(event));
    this.connection.frames.on((frame) => this.receiveFrame(frame));
    this.connection.faults.on((fault) => console.warn(`geste: ${fault}`));
    this.view.setPoses(this.poses.all);
  }

  private receive(event: ServerEvent): void {
    switch (event.event) {
      case 'hello': return this.welcome(event);
      case 'people':
        this.people.set(event.people);
        return this.guide.set(event.guide);
      case 'asks': return this.asked.emit(String(event.person));
      case 'view': return this.sharedView.emit(event.view);
      case 'clearance': return this.clearance.set(event);
      case 'job': return this.receiveJob(event);
      case 'growth': return this.growth.show(event.job, event.lines);
      case 'results': return this.results.set(event.results);
      case 'configurations': return this.configurations.set(event.configurations);
    }
  }

  /** After a break everything is told again. Another scene needs another page. */
  private welcome(hello: Hello): void {
    if (hello.scene.hash !== this.hello.get().scene.hash) {
      location.reload();
      return;
    }
    this.hello.set(hello);
    this.people.set(hello.people);
    this.guide.set(hello.guide);
    this.results.set(hello.results);
    this.configurations.set(hello.configurations);
    this.job.set(hello.job);
    if (hello.view) this.sharedView.emit(hello.view);
    this.takeIfFree();
  }

  /** The first to come guides. */
  takeIfFree(): void {
    if (this.guide.get() === null && this.connection.isOpen) void this.ask({ do: 'take' });
  }

  private receiveFrame(frame: StateFrame): void {
    this.poses.apply(frame);
    this.q.set(frame.q);
    if (!this.player.open.get()) this.view.setPoses(this.poses.all);
    this.stateChanged.emit();
  }

  private receiveJob(job: Job): void {
    const before = this.job.get();
    this.job.set(job);
    const { result } = job;
    if (job.state !== 'done' || before?.state !== 'running' || !result) return;
    const dismiss = this.toasts.show(`${job.kind} is done: ${result}.`, { kind: 'good',
      actions: [{ label: 'Open', run: () => void this.player.openResult(result) }] });
    this.player.open.watch((open) => { if (open?.result.name === result) dismiss(); }); // there are other ways to open it
  }

  private whyNoControl(): Gate {
    if (!this.connection.isOpen) return 'There is no connection to the studio.';
    if (this.guide.get() === null) return 'Nobody guides: take control to change something.';
    return this.isGuide() ? '' : `${this.nameOfPerson(this.guide.get())} guides: ask for control to change something.`;
  }

  private capture(kind: Snapshot['kind']): Snapshot {
    return kind === 'q' ? { kind, q: [...this.q.get()] } : { kind, looks: this.looks.record() };
  }

  private restore(snapshot: Snapshot): void {
    if (snapshot.kind === 'looks') return this.looks.restore(snapshot.looks);
    for (const sender of this.senders) sender.drop(); // or the end of a drag would undo the undoing
    if (snapshot.q.length > 0) void this.ask({ do: 'state', q: snapshot.q });
  }
}
