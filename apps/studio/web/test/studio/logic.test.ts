// @vitest-environment jsdom
import { describe, expect, it, vi } from 'vitest';
import { compareFigures } from '../../src/studio/compare';
import { createForm, FormFault, readField } from '../../src/studio/form';
import { groupJoints, jointEntries } from '../../src/studio/joint_rows';
import { readLink, withoutToken, writeLink } from '../../src/studio/link';
import { NewestSender } from '../../src/studio/newest';
import { fromRollPitchYaw, toRollPitchYaw } from '../../src/studio/poses';
import type { FormField, JointInfo, Result } from '../../src/studio/protocol';
import { makePlane, placeBetween } from '../../src/studio/section';
import { keyName } from '../../src/studio/shortcuts';
import { readRun } from '../../src/studio/tasks_panel';
import { UndoStack, type Snapshot } from '../../src/studio/undo';

vi.mock('../../src/view/view', () => ({ createView: vi.fn() }));

describe('NewestSender', () => {
  it('has one on its way and keeps only the newest of the rest', async () => {
    const frames: (() => void)[] = [];
    const sent: number[] = [];
    const answers: (() => void)[] = [];
    const sender = new NewestSender<number>((value) => {
      sent.push(value);
      return new Promise<void>((resolve) => answers.push(resolve));
    }, (work) => frames.push(work));
    [1, 2, 3].forEach((value) => sender.offer(value));
    expect(frames).toHaveLength(1);
    frames.shift()!();
    expect(sent).toEqual([3]);
    [4, 5].forEach((value) => sender.offer(value));
    expect(frames).toHaveLength(0); // nothing goes before the answer
    answers.shift()!();
    await Promise.resolve();
    await Promise.resolve();
    frames.shift()!();
    expect(sent).toEqual([3, 5]);
  });

  it('goes on after a refusal', async () => {
    const sent: number[] = [];
    const sender = new NewestSender<number>((value) => {
      sent.push(value);
      return Promise.reject(new Error('no'));
    }, (work) => work());
    sender.offer(1);
    await Promise.resolve();
    await Promise.resolve();
    sender.offer(2);
    expect(sent).toEqual([1, 2]);
  });
});

describe('UndoStack', () => {
  const make = () => {
    const world = { q: [0], at: 0 };
    const stack = new UndoStack({
      capture: (): Snapshot => ({ kind: 'q', q: [...world.q] }),
      apply: (snapshot) => { if (snapshot.kind === 'q') world.q = snapshot.q; },
    }, () => {}, () => world.at);
    const change = (value: number, key = ''): void => {
      stack.checkpoint('q', `to ${value}`, key);
      world.q = [value];
    };
    return { world, stack, change };
  };

  it('goes back and forth', () => {
    const { world, stack, change } = make();
    change(1);
    change(2);
    expect(stack.undo()).toBe('to 2');
    expect(world.q).toEqual([1]);
    stack.undo();
    expect(world.q).toEqual([0]);
    expect(stack.undo()).toBeNull();
    stack.redo();
    expect(world.q).toEqual([1]);
    change(5);
    expect(stack.redo()).toBeNull(); // what was undone is gone once something new is done
    stack.undo();
    expect(world.q).toEqual([1]);
  });

  it('takes a run of changes of one slider as one, until it rests', () => {
    const { world, stack, change } = make();
    [1, 2, 3].forEach((value) => { world.at += 100; change(value, 'joint a'); });
    world.at += 5000;
    change(4, 'joint a');
    stack.undo();
    expect(world.q).toEqual([3]);
    stack.undo();
    expect(world.q).toEqual([0]);
  });

  it('survives a reload, and whatever was stored', () => {
    const { stack } = make();
    stack.load({ past: [{ what: 'x', before: { kind: 'q', q: [7] } }], future: [] });
    expect(stack.state.get()).toEqual({ undo: 'x', redo: null });
    stack.load('garbage');
    expect(stack.state.get()).toEqual({ undo: null, redo: null });
  });
});

describe('links', () => {
  it('bring back what was looked at', () => {
    const link = { time: 1.25, result: 'a & b', camera: { position: [1, 2, 3], target: [0, -0.5, 0] },
      selection: ['arm/link 1', 'x,y'] } as const;
    expect(readLink(`#${writeLink({ ...link, selection: [...link.selection] })}`)).toEqual(link);
    expect(readLink('#t=x&camera=1,2&result=')).toEqual({});
  });

  it('lose the token and nothing else', () => {
    expect(withoutToken('http://h:1/?token=secret&a=1#t=2')).toBe('/?a=1#t=2');
  });
});

describe('poses', () => {
  it('go to roll, pitch, yaw and back', () => {
    for (const angles of [[0.1, -0.7, 2.5], [-3, 1.2, -0.4], [0, Math.PI / 2, 0.6], [0, -Math.PI / 2, -1]] as const) {
      const back = toRollPitchYaw(fromRollPitchYaw([1, 2, 3], angles));
      back.forEach((value, k) => expect(value).toBeCloseTo(angles[k], 6));
    }
    const [, , , , , z, w] = fromRollPitchYaw([0, 0, 0], [0, 0, Math.PI / 2]);
    expect([z, w]).toEqual([expect.closeTo(Math.SQRT1_2), expect.closeTo(Math.SQRT1_2)]);
  });

  it('cut planes go from just before the scene to just behind it', () => {
    expect([0, 0.5, 1].map((share) => placeBetween(-1, 3, share))).toEqual([-1.004, 1, 3.004]);
  });

  it('cut planes keep their place when flipped', () => {
    expect(makePlane(1, 0.3, false)).toEqual({ normal: [0, 1, 0], offset: 0.3 });
    expect(makePlane(1, 0.3, true)).toEqual({ normal: [0, -1, 0], offset: -0.3 });
  });
});

describe('joints', () => {
  const joint = (more: Partial<JointInfo>): JointInfo => ({ name: 'arm/a', type: 'revolute', role: 'independent', q: 0, nq: 1,
    body: 'arm/l', limits: [[-1, 1]], units: ['rad'], ...more });

  it('have sliders within their limits, within a turn, or none', () => {
    expect(jointEntries(joint({}))[0]).toMatchObject({ range: [-1, 1], limited: true });
    expect(jointEntries(joint({ limits: [[null, null]] }))[0]).toMatchObject({ range: [-Math.PI, Math.PI], limited: false });
    expect(jointEntries(joint({ limits: [[NaN, Infinity]], units: ['m'] }))[0]).toMatchObject({ range: null, limited: false });
    expect(jointEntries(joint({ type: 'free', nq: 7 }))).toEqual([]);
    expect(jointEntries(joint({ type: 'planar', nq: 3, limits: [], units: ['m', 'm', 'rad'] })).map((e) => [e.label, e.dimension]))
      .toEqual([['x', 'length'], ['y', 'length'], ['angle', 'angle']]);
  });

  it('are at a limit only where they have one', () => {
    const [entry] = jointEntries(joint({}));
    expect([1, 0.99, -1].map((value) => entry.isAtLimit([value]))).toEqual([true, false, true]);
    expect(jointEntries(joint({ limits: [[null, null]] }))[0].isAtLimit([Math.PI])).toBe(false);
  });

  it('change one number and leave the others', () => {
    const [, , angle] = jointEntries(joint({ type: 'planar', nq: 3, limits: [], units: ['m', 'm', 'rad'] }));
    expect(angle.write([1, 2, 3], 0.5)).toEqual([1, 2, 0.5]);
    expect(angle.read([1, 2, 3])).toBe(3);
  });

  it('are grouped by actor', () => {
    expect(groupJoints([joint({}), joint({ name: 'door' }), joint({ name: 'arm/b' })]).map(([name, all]) => [name, all.length]))
      .toEqual([['arm', 2], ['', 1]]);
  });
});

describe('forms', () => {
  const field = (more: Partial<FormField>): FormField => ({ key: 'k', kind: 'text', ...more });

  it('read what people type, in the unit of the field or another', () => {
    expect(readField(field({ kind: 'number', unit: 'm' }), '0.5')).toBe(0.5);
    expect(readField(field({ kind: 'number', unit: 'm' }), '5 mm')).toBeCloseTo(0.005);
    expect(readField(field({ kind: 'number', unit: 'rad' }), '90 deg')).toBeCloseTo(Math.PI / 2);
    expect(readField(field({ kind: 'integer' }), '7')).toBe(7);
    expect(readField(field({ kind: 'vector' }), '[1, 2, 3]')).toEqual([1, 2, 3]);
    expect(readField(field({ kind: 'vector', unit: 'm' }), '5 mm, 0, 1')).toEqual([0.005, 0, 1]);
    expect(readField(field({ kind: 'vector' }), '1 2 3')).toEqual([1, 2, 3]);
    expect(readField(field({ kind: 'texts' }), 'a, b c')).toEqual(['a', 'b c']);
    expect(readField(field({ kind: 'table' }), '{"a": 1}')).toEqual({ a: 1 });
    expect(readField(field({}), '  ')).toBeUndefined();
  });

  it('refuse the rest, by name', () => {
    for (const [kind, text] of [['number', 'x'], ['integer', '1.5'], ['vector', '1, 2'], ['table', 'a: 1'], ['number', '3 kg'], ['integer', '-4']]) {
      expect(() => readField(field({ kind, unit: 'm', least: 0 }), text)).toThrow(FormFault);
    }
    expect(() => createForm([field({ key: 'motion', required: true })]).value()).toThrow('motion is needed');
  });

  const inputs = (form: { element: HTMLElement }): HTMLInputElement[] => [...form.element.querySelectorAll('input')];

  it('hold what the task file says and send it as it is written there', () => {
    const form = createForm([
      field({ key: 'motion', kind: 'file', required: true }), field({ key: 'rate', kind: 'number', value: 0 }),
      field({ key: 'loop', kind: 'boolean', value: false }), field({ key: 'how', kind: 'choice', choices: ['a', 'b'], value: 'a' }),
      field({ key: 'area', kind: 'group', value: false, fields: [field({ key: 'size', kind: 'number', unit: 'm', value: 1 })] }),
      field({ key: 'goal', kind: 'pose', value: null }),
      field({ key: 'via', kind: 'list', fields: [field({ key: 'name' }), field({ key: 'speed', kind: 'number', value: 1 })] }),
    ], { motion: 'm.csv', how: 'b', area: { size: '2 mm' }, goal: { xyz: [0, 0, 0], rpy_deg: [0, 0, '90 deg'] }, via: [{ name: 'x' }] });
    expect(form.value()).toEqual({ motion: 'm.csv', how: 'b', area: { size: '2 mm' },
      goal: { xyz: [0, 0, 0], rpy_deg: [0, 0, '90 deg'] }, via: [{ name: 'x' }] });
  });

  it('show defaults without sending them: a direction of zeros is none', () => {
    const form = createForm([
      field({ key: 'part', required: true }), field({ key: 'direction', kind: 'vector', value: [0, 0, 0] }),
      field({ key: 'tolerance', kind: 'number', unit: 'm', value: 0.0001 }), field({ key: 'samples', kind: 'integer', value: 200000 }),
      field({ key: 'shorten', kind: 'boolean', value: true }), field({ key: 'outside', kind: 'group', value: false,
        fields: [field({ key: 'low', kind: 'vector', required: true, value: [0, 0, 0] })] }),
    ], { part: 'lid' });
    expect(form.value()).toEqual({ part: 'lid' });
    expect(inputs(form).map((input) => [input.value, input.placeholder])).toEqual([
      ['lid', ''], ['', 'x, y, z'], ['', '0.0001'], ['', '200000'], ['', 'x, y, z']]);
    expect(form.element.querySelector('option')!.textContent).toBe('default: true');
    inputs(form)[3].value = '500';
    expect(form.value()).toEqual({ part: 'lid', samples: 500 });
    inputs(form)[3].value = '';
    expect(form.value()).toEqual({ part: 'lid' });
  });

  it('keep lists that the task holds, in groups too', () => {
    const groups = field({
      key: 'groups', kind: 'list', value: [],
      fields: [field({ key: 'joints', kind: 'texts', required: true }), field({ key: 'method', kind: 'choice', choices: ['linear', 'dubins'] }),
        field({ key: 'radius', kind: 'number', unit: 'm', value: 0 })],
    });
    const steering = { groups: [{ joints: ['a/root'], method: 'dubins', radius: 0.5 }] };
    const form = createForm([field({ key: 'steering', kind: 'group', value: false, fields: [groups] })], { steering });
    expect(form.value()).toEqual({ steering });
    expect(createForm([field({ key: 'steering', kind: 'group', value: true, fields: [groups] })]).value()).toEqual({});
  });

  it('take seed and budget where given', () => {
    expect(readRun('', '')).toEqual({});
    expect(readRun('7', '2,5')).toEqual({ seed: 7, budget_s: 2.5 });
    expect(() => readRun('-1', '')).toThrow(FormFault);
    expect(() => readRun('', '0')).toThrow(FormFault);
  });
});

describe('keys', () => {
  const key = (name: string, more = {}): string => keyName({ key: name, ctrlKey: false, metaKey: false, shiftKey: false, ...more });

  it('have one name each', () => {
    expect(key('f')).toBe('F');
    expect(key('H', { shiftKey: true })).toBe('Shift+H');
    expect(key('?', { shiftKey: true })).toBe('?');
    expect(key('Z', { ctrlKey: true, shiftKey: true })).toBe('Ctrl+Shift+Z');
    expect(key('z', { metaKey: true })).toBe('Ctrl+Z');
    expect(key('ArrowLeft', { shiftKey: true })).toBe('Shift+Left');
    expect(key(' ')).toBe('Space');
  });
});

describe('comparing', () => {
  const result = (more: Partial<Result>): Result => ({ name: 'r', task: 't', outcome: 'found', verdict: '', free: true,
    clearance_m: 0.009, tightest_m: 0.01, duration_s: 2, figures: {}, files: [], ...more });

  it('shows each figure and what the second has more', () => {
    const rows = compareFigures(result({ figures: { path_length: { value: 3, unit: '1' }, only_a: 1 } }),
      result({ clearance_m: 0.004, tightest_m: null, duration_s: null, figures: { path_length: { value: 4, unit: '1' } } }));
    expect(rows).toEqual([
      { name: 'tightest', a: '10 mm', b: '4 mm', difference: '-6 mm' },
      { name: 'duration', a: '2 s', b: '–', difference: '–' },
      { name: 'path length', a: '3', b: '4', difference: '+1' },
      { name: 'only a', a: '1', b: '–', difference: '–' },
    ]);
  });
});
