// @vitest-environment jsdom
// The whole page without 3D, against a socket in memory.
import { afterEach, beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest';
import { signal } from '../../src/ui/dom';
import { createToasts } from '../../src/ui/toast';
import type { Theme } from '../../src/ui/theme';
import type { Body, GizmoEvent, Pick, Pose, ScenePack, View } from '../../src/view/contract';
import { createBlindView } from '../../src/studio/blind_view';
import { Connection } from '../../src/studio/connection';
import { Memory } from '../../src/studio/memory';
import { buildPage } from '../../src/studio/page';
import type { Hello } from '../../src/studio/protocol';
import { Studio } from '../../src/studio/studio';
import { FakeSocket, kHello, makeFrame } from './fake_socket';

vi.mock('../../src/view/view', () => ({ createView: vi.fn() }));
vi.mock('../../src/ui/plots', () => ({ createClearancePlot: vi.fn(), createJointPlots: vi.fn() }));

const kPose: Pose = [0, 0, 0, 0, 0, 0, 1];
const body = (name: string, mover: number): Body => ({ name, actor: -1, mover, parent: -1, pose: kPose, mass: 1 });
const kPack: ScenePack = {
  name: 'test', triangles: 0, start: [kPose, kPose], actors: [], geometry: [], meshes: [],
  bodies: [body('table', 0), body('<i>cup</i>', 1)],
};
const kScene: Partial<Hello> = {
  joints: [
    { name: 'arm/a', type: 'revolute', role: 'independent', q: 0, nq: 1, body: 'table', limits: [[-1, 1]], units: ['rad'] },
    { name: 'arm/b', type: 'revolute', role: 'follower', q: 1, nq: 1, body: 'table', limits: [[null, null]], units: ['rad'] },
  ],
  configurations: ['home'],
  forms: [{ kind: 'replay', fields: [{ key: 'motion', kind: 'file', required: true }] }],
};

interface Handles { pick(pick: Pick | null, event?: Partial<PointerEvent>): void; gizmo(event: GizmoEvent): void }

async function makePage(more: Partial<Hello> = {}): Promise<{ socket: FakeSocket; studio: Studio; view: View; handles: Handles }> {
  const socket = new FakeSocket();
  const connection = new Connection(() => socket);
  connection.open();
  const hello = { ...kHello, ...kScene, ...more };
  socket.say(hello);
  const view = createBlindView(kPack);
  const handles: Partial<Handles> = {};
  view.onPick = (listener) => { handles.pick = (pick, event = {}) => listener(pick, event as PointerEvent); };
  view.onGizmo = (listener) => { handles.gizmo = listener; };
  const studio = new Studio({ connection, view, pack: kPack, hello, memory: new Memory('abc'), toasts: createToasts() });
  document.body.innerHTML = '<div id="studio"></div>';
  const theme = signal<Theme>('dark');
  await buildPage(document.getElementById('studio')!, document.createElement('div'), studio, { theme, toggle: () => {} });
  return { socket, studio, view, handles: handles as Handles };
}

const frame = (): Promise<void> => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
const press = (key: string, more = {}): boolean =>
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }));
const text = (selector: string): string => document.querySelector(selector)?.textContent ?? '';
const answer = async (socket: FakeSocket, what: string, more: object = {}): Promise<void> => {
  socket.say({ id: socket.last(what)!.id, ok: true, ...more });
  await frame();
};

// Every test builds a page of its own in the one document: the keys of those before must not act.
let listening: MockInstance<typeof document.addEventListener>;
let listeningToWindow: MockInstance<typeof window.addEventListener>;
beforeEach(() => {
  sessionStorage.clear();
  history.replaceState(null, '', '#');
  listening = vi.spyOn(document, 'addEventListener');
  listeningToWindow = vi.spyOn(window, 'addEventListener');
});
afterEach(() => {
  for (const [name, listener] of listening.mock.calls) document.removeEventListener(name, listener);
  for (const [name, listener] of listeningToWindow.mock.calls) window.removeEventListener(name, listener);
  vi.restoreAllMocks();
});

describe('the page', () => {
  it('shows hostile names as text, and the facts of what is picked', async () => {
    const { socket, handles } = await makePage();
    handles.pick({ part: 1, point: [0, 0, 0], normal: [0, 0, 1] });
    expect(socket.last('facts')).toMatchObject({ body: '<i>cup</i>' });
    await answer(socket, 'facts', { facts: [['mass', '<b>1 kg</b>']] });
    expect(document.querySelector('i, b')).toBeNull();
    expect(text('.facts')).toContain('<b>1 kg</b>');
  });

  it('hides and brings back by keys', async () => {
    const { studio, handles } = await makePage();
    handles.pick({ part: 1, point: [0, 0, 0], normal: [0, 0, 1] });
    press('h');
    expect(studio.looks.isHidden(1)).toBe(true);
    press('z', { ctrlKey: true });
    expect(studio.looks.isHidden(1)).toBe(false);
    press('Z', { ctrlKey: true, shiftKey: true });
    expect(studio.looks.isHidden(1)).toBe(true);
    press('H', { shiftKey: true });
    expect(studio.looks.hiddenCount).toBe(0);
  });

  it('moves a joint by its slider, shows its limit, and undoes it', async () => {
    const { socket } = await makePage();
    socket.say(makeFrame({ seq: 1, ack: null, q: [0.5, 0.25], movers: [] }, []));
    await frame();
    const slider = document.querySelector<HTMLInputElement>('input[type=range][aria-label=a]')!;
    expect(Number(slider.value)).toBeCloseTo(0.5, 2);
    slider.value = '1';
    slider.dispatchEvent(new Event('input'));
    await frame();
    expect(socket.last('joint')).toMatchObject({ joint: 'arm/a', values: [1] });
    await answer(socket, 'joint', { values: [1], clamped: false });
    socket.say(makeFrame({ seq: 2, ack: 1, q: [1, 0.5], movers: [] }, []));
    await frame();
    expect(document.querySelector('.at-limit')).not.toBeNull();
    press('z', { ctrlKey: true });
    expect(socket.last('state')).toMatchObject({ q: [0.5, 0.25] });
  });

  it('drags with one request on its way and the newest after it', async () => {
    const { socket, handles } = await makePage();
    const at = (x: number): Pose => [x, 0, 0, 0, 0, 0, 1];
    handles.gizmo({ part: 1, pose: at(0), phase: 'begin' });
    for (const x of [1, 2, 3]) handles.gizmo({ part: 1, pose: at(x), phase: 'move' });
    await frame();
    for (const x of [4, 5]) handles.gizmo({ part: 1, pose: at(x), phase: 'move' });
    await frame();
    const drags = (): unknown[] => socket.sent.filter((each) => each.do === 'drag').map((each) => (each.pose as number[])[0]);
    expect(drags()).toEqual([3]);
    await answer(socket, 'drag', { residual_m: 0.02, residual_rad: 0, at_limit: ['arm/a'] });
    await frame();
    expect(drags()).toEqual([3, 5]);
    expect(text('.drag-note')).toContain('20.00 mm');
    expect(text('.drag-note')).toContain('arm/a');
  });

  it('lets undo have the last word while a drag is on its way', async () => {
    const { socket, handles } = await makePage();
    const at = (x: number): Pose => [x, 0, 0, 0, 0, 0, 1];
    socket.say(makeFrame({ seq: 1, ack: null, q: [0.5, 0.25], movers: [] }, []));
    handles.gizmo({ part: 1, pose: at(0), phase: 'begin' });
    handles.gizmo({ part: 1, pose: at(1), phase: 'move' });
    await frame();
    socket.say(makeFrame({ seq: 2, ack: null, q: [0.9, 0.25], movers: [] }, []));
    handles.gizmo({ part: 1, pose: at(2), phase: 'end' });
    press('z', { ctrlKey: true });
    expect(socket.last('state')).toMatchObject({ q: [0.5, 0.25] });
    await answer(socket, 'drag', { residual_m: 0, residual_rad: 0, at_limit: [] });
    await frame();
    expect(socket.sent.filter((each) => each.do === 'drag')).toHaveLength(1);
  });

  it('measures points at once and parts by the engine', async () => {
    const { socket, studio, view, handles } = await makePage();
    const gap = vi.spyOn(view.marks, 'gap');
    press('m');
    handles.pick({ part: 0, point: [0, 0, 0], normal: [0, 0, 1] });
    handles.pick({ part: 1, point: [0.3, 0.4, 0], normal: [0, 0, 1] });
    expect(text('.measures')).toContain('points 500.0 mm');
    await answer(socket, 'distance', { distance: 0.0123, on_a: [0, 0, 0], on_b: [0, 0, 0.0123] });
    expect(text('.measures')).toContain('parts 12.30 mm');
    expect(gap).toHaveBeenCalledWith('measure-1-exact', [0, 0, 0], [0, 0, 0.0123], 'parts 12.30 mm', 'clear');
    document.querySelector<HTMLButtonElement>('.measures button')!.click();
    expect(document.querySelectorAll('.measures li')).toHaveLength(0);
    press('Escape');
    expect(studio.tool.get()).toBe('select');
  });

  it('tells what collides, and the nearest pair otherwise', async () => {
    const { socket, view } = await makePage();
    const alarm = vi.spyOn(view, 'alarm');
    const nearest = { a: 'table', b: '<i>cup</i>', distance: 0.004, on_a: [0, 0, 0], on_b: [0, 0, 0.004] };
    socket.say({ event: 'clearance', seq: 1, nearest, touching: [] });
    expect(text('.readout-line')).toContain('4.00 mm');
    socket.say({ event: 'clearance', seq: 2, nearest, touching: [{ a: 'table', b: '<i>cup</i>', depth: 0.002, point: [0, 0, 0] }] });
    expect(text('.readout-line')).toContain('1 pair collides');
    expect(alarm).toHaveBeenLastCalledWith([0, 1]);
  });

  const clash = (kind: string, distance: number | null, more = {}): object => ({ a: 'table', b: '<i>cup</i>', kind, distance,
    deflection: 0, point: [1, 2, 3], on_a: [1, 2, 3], on_b: [1, 2, 3.01], ...more });

  it('never calls an assembly free that nobody looked at, and lists its clashes to click through', async () => {
    const { socket, studio, view } = await makePage();
    const [focus, unfocus, gap] = [vi.spyOn(view, 'focus'), vi.spyOn(view, 'unfocus'), vi.spyOn(view.marks, 'gap')];
    socket.say({ event: 'clearance', seq: 1, nearest: null, touching: [], pairs: 0 });
    expect(text('.readout')).toContain('Clashes were not looked for.');
    expect(text('.readout')).not.toMatch(/No collision|can collide/);
    document.querySelector<HTMLButtonElement>('.readout-line button')!.click();
    expect(studio.tab.get()).toBe('clashes');
    expect(socket.last('clashes')).toMatchObject({ tolerance: 0 });
    expect(text('.readout-line')).toContain('Checking');
    await answer(socket, 'clashes', { pairs: [clash('clash', -0.002), clash('crossing', null), clash('touch', 0)], found: 3, checked: 45 });
    expect(text('.readout-line')).toContain('1 clash, 1 crossing of open surfaces, 1 contact');
    expect(text('#panel-clashes [role=status]')).toContain('45 pairs checked');
    const rows = [...document.querySelectorAll<HTMLButtonElement>('.clash-row')];
    expect(rows.map((row) => row.querySelector('.number')!.textContent)).toEqual(['2.00 mm deep', 'surfaces cross', 'touching']);
    rows[0].click();
    expect(focus).toHaveBeenLastCalledWith([1, 2, 3], [0, 1], { alone: true });
    expect(gap).toHaveBeenLastCalledWith('clash', [1, 2, 3], [1, 2, 3.01], 'table – <i>cup</i>: 2.00 mm deep', 'touch');
    expect(rows[0].getAttribute('aria-current')).toBe('true');
    rows[0].dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
    expect(rows.map((row) => row.getAttribute('aria-current'))).toEqual([null, 'true', null]);
    expect(focus).toHaveBeenCalledTimes(2);
    unfocus.mockClear();
    press('Escape');
    expect(unfocus).toHaveBeenCalledTimes(1);
    expect(rows.some((row) => row.hasAttribute('aria-current'))).toBe(false);
  });

  it('asks for clashes within a tolerance, and says when things have moved since', async () => {
    const { socket } = await makePage();
    const form = document.querySelector<HTMLFormElement>('#panel-clashes form')!;
    form.querySelector('input')!.value = '0.5';
    form.dispatchEvent(new Event('submit', { cancelable: true }));
    expect(socket.last('clashes')).toMatchObject({ tolerance: 0.0005 });
    await answer(socket, 'clashes', { pairs: [clash('clash', -1e-5, { deflection: 1e-4 })], found: 7, checked: 45 });
    expect(text('.clash-row')).toContain('fit?');
    expect(text('.clash-table')).toContain('and 6 more');
    const stale = [...document.querySelectorAll<HTMLElement>('#panel-clashes p')].find((p) => p.textContent!.includes('moved'))!;
    expect(stale.hidden).toBe(true);
    socket.say(makeFrame({ seq: 2, ack: null, q: [0.9, 0.25], movers: [] }, []));
    await frame();
    expect(stale.hidden).toBe(false);
    form.querySelector('input')!.value = '-1';
    form.dispatchEvent(new Event('submit', { cancelable: true }));
    expect(form.querySelector('input')!.getAttribute('aria-invalid')).toBe('true');
    expect(socket.sent.filter((each) => each.do === 'clashes')).toHaveLength(1);
  });

  it('shows why there is no motion, in words and in 3D', async () => {
    const result = { name: 'extract-1', task: 'extract', outcome: 'proven blocked', verdict: 'No: it is enclosed.', free: null,
      clearance_m: null, duration_s: 0, figures: {}, files: ['result.json', 'swept.stl'] };
    const { studio, view } = await makePage({ results: [result] });
    const stored = { verdict: result.verdict, task: 'extract', certificate: { checked: false }, motion: { frames: 0 },
      reasons: { kind: 'blocked', proven: true, blocking: ['table'], enclosure: { walls: ['table'] },
        gap: { missing_m: 0.002, moved: '<i>cup</i>', between: ['table'], on_moved: [0, 0, 1], on_other: [0, 0, 1.002] } } };
    const stl = new ArrayBuffer(84 + 50);
    new DataView(stl).setUint32(80, 1, true);
    vi.stubGlobal('fetch', vi.fn((file: string) => Promise.resolve(file.endsWith('.stl') ? new Response(stl)
      : file.endsWith('.json') ? new Response(JSON.stringify(stored)) : new Response('none', { status: 404 }))));
    const [gap, alarm, focus, space] = [vi.spyOn(view.marks, 'gap'), vi.spyOn(view, 'alarm'), vi.spyOn(view, 'focus'), vi.spyOn(view, 'space')];
    await studio.player.openResult('extract-1');
    expect(text('.dock')).toContain('Proven blocked');
    expect(text('.dock')).not.toContain('nothing is proven');
    expect(text('.dock .moments')).toContain('2.00 mm thinner it comes through');
    expect(gap).toHaveBeenCalledWith('gap', [0, 0, 1], [0, 0, 1.002], '<i>cup</i> – table: 2.00 mm thinner it comes through', 'touch');
    expect(alarm).toHaveBeenLastCalledWith([0]);
    expect(space.mock.lastCall![1]).toHaveLength(9);
    [...document.querySelectorAll<HTMLButtonElement>('.moment button')].find((each) => each.textContent === 'Show the gap')!.click();
    expect(focus).toHaveBeenLastCalledWith([0, 0, 1.001], [0]);
    studio.player.close();
    expect(alarm).toHaveBeenLastCalledWith([]);
    expect(space).toHaveBeenLastCalledWith('swept', null);
    vi.unstubAllGlobals();
  });

  it('lets watchers look but not change, says why, and hands over', async () => {
    const { socket, studio } = await makePage({ guide: 2 });
    expect(text('.banner')).toContain('Bob guides');
    const fields = [...document.querySelectorAll('fieldset')];
    expect(fields.length).toBeGreaterThan(2);
    expect(fields.every((each) => each.disabled)).toBe(true);
    expect(text('.gate-note')).toContain('Bob guides: ask for control');
    document.querySelector<HTMLButtonElement>('.banner button')!.click();
    await answer(socket, 'take', { granted: false });
    socket.say({ event: 'people', people: kHello.people, guide: 1 });
    expect(fields.some((each) => each.disabled)).toBe(false);
    socket.say({ event: 'asks', person: 2 });
    [...document.querySelectorAll<HTMLButtonElement>('.toast button')].find((each) => each.textContent === 'Hand over')!.click();
    expect(socket.last('give')).toMatchObject({ to: 2 });
    expect(studio.isGuide()).toBe(true);
  });

  it('follows the guide unless told otherwise, and never trusts what it gets', async () => {
    const { socket, studio, view } = await makePage({ guide: 2 });
    const look = (x: unknown, selection: unknown = ['table']): void =>
      socket.say({ event: 'view', from: 2, view: { camera: { position: [x, 2, 3], target: [0, 0, 0] }, selection } });
    look(1);
    await frame();
    expect(view.camera().position).toEqual([1, 2, 3]);
    expect(studio.selection.get()).toEqual([0]);
    look('evil', { length: 5 });
    await frame();
    expect(view.camera().position).toEqual([1, 2, 3]);
    studio.following.set(false);
    look(9);
    await frame();
    expect(view.camera().position).toEqual([1, 2, 3]);
  });

  it('asks for what a task needs, runs it and cancels it', async () => {
    const { socket } = await makePage();
    const form = document.querySelector<HTMLFormElement>('#panel-tasks form')!;
    form.dispatchEvent(new Event('submit', { cancelable: true }));
    expect(text('#panel-tasks [role=alert]')).toContain('motion is needed');
    form.querySelector<HTMLInputElement>('input[type=text]')!.value = 'm.csv';
    form.dispatchEvent(new Event('submit', { cancelable: true }));
    expect(socket.last('run')).toMatchObject({ kind: 'replay', options: { motion: 'm.csv' } });
    socket.say({ event: 'job', job: 4, kind: 'replay', state: 'running', stage: 'reading', fraction: 0.5 });
    expect(document.querySelector<HTMLProgressElement>('.job progress')!.value).toBe(0.5);
    [...document.querySelectorAll<HTMLButtonElement>('.job button')].find((each) => each.textContent === 'Cancel')!.click();
    expect(socket.last('cancel')).toMatchObject({ job: 4 });
    socket.say({ event: 'job', job: 4, kind: 'replay', state: 'failed', error: { code: 'x', message: 'No such file.', remedy: 'Check it.' } });
    expect(text('.job')).toContain('No such file. Check it.');
  });

  it('draws what a search has proven while it runs, and no longer', async () => {
    const { socket, view } = await makePage();
    const drawn: (number | null)[] = [];
    view.lines = (_id, points) => void drawn.push(points?.length ?? null);
    const grow = (job: number, count: number): void =>
      socket.say({ event: 'growth', job, lines: Array.from({ length: 6 * count }, (_, i) => i) });
    grow(4, 1); // of no job that runs
    expect(drawn).toEqual([]);
    socket.say({ event: 'job', job: 4, kind: 'move', state: 'running', stage: 'planning' });
    grow(4, 2);
    expect(text('.job-growth')).toBe('2 legs drawn');
    grow(3, 9); // too late
    grow(4, 5);
    expect(text('.job-growth')).toBe('5 legs drawn');
    socket.say({ event: 'job', job: 4, kind: 'move', state: 'cancelled' });
    grow(4, 6);
    expect(drawn).toEqual([null, 12, 30, null]);
  });

  it('says when the connection broke and when it is back', async () => {
    const { socket } = await makePage();
    socket.breakDown();
    expect(text('.banner')).toContain('broke');
    expect(document.querySelector<HTMLFieldSetElement>('fieldset')!.disabled).toBe(true);
  });

  it('remembers looks and selection over a reload', async () => {
    await new Promise((resolve) => setTimeout(resolve, 400)); // until the pages before have stored what they show
    history.replaceState(null, '', '#');
    const { studio } = await makePage();
    studio.looks.paint([1], '#123456');
    studio.select([1]);
    window.dispatchEvent(new Event('pagehide'));
    const again = await makePage();
    expect(again.studio.looks.of(1)).toEqual({ colour: '#123456' });
    expect(again.studio.selection.get()).toEqual([1]);
  });
});
