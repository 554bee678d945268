import { describe, expect, it } from 'vitest';
import { fromBase64, readResult } from '../../src/outcome/data';
import { readLink, timeOf } from '../../src/report/link';
import { findMoments, timelineMarks } from '../../src/outcome/moments';
import { makeFinder } from '../../src/outcome/names';
import { spaceOfPack, spaceOfStl } from '../../src/outcome/swept';
import { badgeOf } from '../../src/outcome/verdict';
import type { Pose, ScenePack } from '../../src/view/contract';

const RESULT = {
  geste: '0.1.0', task: 'replay', verdict: 'All is well.', task_file: { file: 'a.yaml', sha256: 'abc' },
  certificate: {
    checked: true, free: true, pairs: 3, clearance_m: 0.0019,
    profile: [{ begin_s: 0, end_s: 1, clearance_m: 0.1 }, { begin_s: 1, end_s: 2, clearance_m: 0.0019, a: 'cup', b: 'table' }],
    tightest: { at_s: 1.5, a: 'cup', b: 'table', distance_m: 0.002, on_a: [0, 0, 1], on_b: [0, 0, 1.002] },
  },
  figures: { duration: { value: 2, unit: 's' }, count: { value: 0, unit: '1' }, wrong: { value: 'x' } },
  motion: { frames: 3, begin_s: 0, end_s: 2 }, scene: { name: 'cell' }, seed: 7, collisions: [],
  inputs: [{ file: 'b.csv', sha256: 'def' }, 5],
  notes: [{ code: 'x.y', message: 'odd', file: 'b.csv', line: 4, element: "part 'cup'", remedy: 'Look.' }],
  report: { command: 'geste run a.yaml' },
};

function read(change: (result: any) => void = () => {}) {
  const copy = structuredClone(RESULT);
  change(copy);
  return readResult(JSON.stringify(copy))!;
}

describe('results', () => {
  it('are read with all that the page shows', () => {
    const data = read();
    expect(data).toMatchObject({ verdict: 'All is well.', scene: 'cell', seed: '7', command: 'geste run a.yaml', frames: 3, end: 2 });
    expect(data.figures).toEqual([{ name: 'duration', value: 2, unit: 's' }, { name: 'count', value: 0, unit: '' }]);
    expect(data.inputs).toEqual([{ file: 'b.csv', sha256: 'def' }]);
    expect(data.notes[0]).toEqual({ code: 'x.y', message: 'odd', place: "b.csv:4, part 'cup'", remedy: 'Look.' });
    expect(data.tightest).toMatchObject({ at: 1.5, onB: [0, 0, 1.002] });
  });

  it('that are none give null; parts of the wrong kind are left out', () => {
    for (const text of ['', '{', '[]', 'null', '{"verdict": 3}']) expect(readResult(text)).toBeNull();
    const odd = read((r) => Object.assign(r, { certificate: [], notes: 'no', figures: null, motion: 3, inputs: {}, scene: 1, report: null }));
    expect(odd).toMatchObject({ isChecked: false, spans: [], notes: [], figures: [], frames: 0, inputs: [], scene: '', command: '' });
    expect(read((r) => (r.certificate.tightest.on_a = [0, 'x', 1])).tightest).toMatchObject({ onA: null });
  });

  it('are judged in a word or two', () => {
    expect(badgeOf(read()).text).toBe('Proven free');
    expect(badgeOf(read((r) => (r.certificate = { checked: false }))).text).toBe('Not checked');
    expect(badgeOf(read((r) => (r.certificate = { checked: true, free: false, broken: { at_s: 1, what: 'x' } }))).text).toBe('Not proven');
    expect(badgeOf(read((r) => (r.certificate.contact = { at_s: 1, a: 'x', b: 'y' }))).text).toBe('Collides');
    const none = (r: any) => (r.motion = { frames: 0 });
    expect(badgeOf(read(none)).text).toBe('No motion');
    expect(badgeOf(read((r) => { none(r); r.collisions = [{ where: 'start', a: 'x', b: 'y' }]; }))).toEqual({ text: 'Collides', kind: 'alarm' });
  });
});

describe('moments', () => {
  it('name the tightest with what is proven, and mark it in time', () => {
    const [moment] = findMoments(read());
    expect(moment).toMatchObject({ kind: 'tightest', at: 1.5, a: 'cup', b: 'table', figure: '2.00 mm at 1.5 s' });
    expect(moment.more).toContain('1.90 mm');
    expect(timelineMarks([moment])).toEqual([{ time: 1.5, kind: 'tightest', label: 'Tightest moment: 2.00 mm at 1.5 s, cup – table' }]);
  });

  it('fall back to the tightest span', () => {
    const [moment] = findMoments(read((r) => delete r.certificate.tightest));
    expect(moment).toMatchObject({ at: 1, a: 'cup', b: 'table', points: null });
  });

  it('put collisions at the ends of the motion, and a contact before the tightest', () => {
    const moments = findMoments(read((r) => {
      r.certificate.contact = { at_s: 0.5, a: 'p', b: 'q', distance_m: -0.003, point: [1, 2, 3] };
      r.collisions = [{ where: 'goal', a: 'x', b: 'y', depth_m: 0.01, point: [0, 0, 0] }, { where: 'start', a: 'x', b: 'z' }];
    }));
    expect(moments.map((m) => [m.kind, m.at])).toEqual([['contact', 0.5], ['collision', 2], ['collision', 0]]);
    expect(moments[0].figure).toBe('3.00 mm deep at 0.5 s');
    expect(moments[0].points).toEqual([[1, 2, 3], [1, 2, 3]]);
  });
});

describe('reasons', () => {
  const blocked = () => read((r) => {
    r.certificate = { checked: false };
    r.motion = { frames: 1, begin_s: 0, end_s: 0 };
    r.reasons = {
      kind: 'budget', proven: false, without: ['hose', 5], parts: [{ name: 'hose', grade: 'found by search' }, { name: 'lid', grade: 'suspected' }, 7],
      gap: { missing_m: 0.0021, moved: 'pump', between: ['hose', 'bracket'], on_moved: [0, 0, 1], on_other: [0, 0, 1.001] },
    };
  });

  it('show without what there is a motion and how much is missing, with a marker at the gap', () => {
    const moments = findMoments(blocked());
    expect(moments.map((m) => [m.kind, m.title, m.a])).toEqual([
      ['gap', 'Narrowest place', 'pump'], ['blocking', 'Without it there is a motion, found and proven', 'hose'],
      ['blocking', 'Suspected: met most often by the search', 'lid']]);
    expect(moments[0]).toMatchObject({ figure: '2.10 mm thinner it comes through', parts: ['hose', 'bracket'], points: [[0, 0, 1], [0, 0, 1.001]] });
    expect(timelineMarks(moments)).toEqual([]);
    expect(badgeOf(blocked()).text).toBe('No motion');
  });

  it('say when it is proven, by whom; odd ones are left out', () => {
    const proven = read((r) => (r.reasons = { kind: 'blocked', proven: true, enclosure: { walls: ['lid', 'tray'] } }));
    expect(badgeOf(proven)).toEqual({ text: 'Proven blocked', kind: 'alarm' });
    expect(findMoments(proven).filter((m) => m.kind === 'wall').map((m) => m.a)).toEqual(['lid', 'tray']);
    expect(badgeOf(read((r) => (r.reasons = { kind: 'start', proven: true }))).text).not.toBe('Proven blocked');
    expect(badgeOf(read((r) => (r.reasons = { kind: 'time', proven: false }))).text).toBe('Out of time');
    expect(read((r) => (r.reasons = 'no')).reasons).toBeNull();
    expect(read((r) => (r.reasons = { kind: 'budget', gap: { missing_m: 'x' } })).reasons).toMatchObject({ gap: null, without: [], suspects: [] });
  });
});

describe('links', () => {
  it('name a moment, a view, a theme, parts and the picture', () => {
    const link = readLink('#t=0.25&view=top&theme=light&isolate=arm%2Flink1&isolate=cup&picture=1');
    expect(link).toEqual({ share: 0.25, view: 'top', theme: 'light', isolate: ['arm/link1', 'cup'], picture: true });
    expect(timeOf(link, 2, 6)).toBe(3);
    expect(timeOf(readLink('#s=99'), 2, 6)).toBe(6);
    expect(timeOf(readLink('#s=3.5&t=0'), 2, 6)).toBe(3.5);
  });

  it('leave out what they do not understand', () => {
    expect(readLink('#t=&s=abc&view=__proto__&theme=blue&isolate=')).toEqual({ picture: false });
    expect(timeOf(readLink(''), 0, 1)).toBeNull();
    expect(readLink('#t=7').share).toBe(1);
  });
});

describe('names', () => {
  it('find bodies, whole actors and geometry, each part once', () => {
    const pose: Pose = [0, 0, 0, 0, 0, 0, 1];
    const body = (name: string, actor: number) => ({ name, actor, mover: 0, parent: -1, pose, mass: 0 });
    const find = makeFinder({
      actors: [{ name: 'arm', kind: 'robot' }, { name: 'cup', kind: 'part' }],
      bodies: [body('arm/a', 0), body('arm/b', 0), body('cup', 1)],
      geometry: [{ name: 'shell', body: 1 }] as unknown as ScenePack['geometry'],
    });
    expect(find('cup')).toEqual([2]);
    expect(find('arm')).toEqual([0, 1]);
    expect(find('shell', 'arm/b')).toEqual([1]);
    expect(find('nothing', 'constructor')).toEqual([]);
  });
});

describe('base64', () => {
  it('comes back as bytes, or not at all', () => {
    expect([...fromBase64('AAH/')!]).toEqual([0, 1, 255]);
    expect(fromBase64('§')).toBeNull();
  });
});

describe('the space passed through', () => {
  it('is taken from a pack where it stands', () => {
    const pose: Pose = [10, 0, 0, 0, 0, 0, 1];
    const mesh = { kind: 'mesh', positions: Float32Array.from([0, 0, 0, 1, 0, 0, 0, 2, 0, 9, 9, 9]), normals: new Int8Array(16),
      levels: [{ indices: Uint32Array.from([0, 1, 2]), error: 0 }] };
    const pack: ScenePack = {
      name: 'swept', triangles: 1, start: [[0, 0, 0, 0, 0, 0, 1]], actors: [],
      bodies: [{ name: 'swept', actor: -1, mover: 0, parent: -1, pose, mass: 0 }],
      geometry: [{ name: '', body: 0, mesh: 0, pose, colour: [1, 1, 1, 1], visual: true, collision: false }], meshes: [mesh],
    };
    expect([...spaceOfPack(pack)]).toEqual([10, 0, 0, 11, 0, 0, 10, 2, 0]);
  });

  it('is taken from an STL, or not at all', () => {
    const bytes = new ArrayBuffer(84 + 50);
    const view = new DataView(bytes);
    view.setUint32(80, 1, true);
    for (let k = 0; k < 9; k++) view.setFloat32(84 + 12 + 4 * k, k + 0.5, true);
    expect([...spaceOfStl(bytes)!]).toEqual([0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5]);
    expect(spaceOfStl(bytes.slice(0, 130))).toBeNull();
    expect(spaceOfStl(new ArrayBuffer(3))).toBeNull();
    view.setFloat32(84 + 12, NaN, true);
    expect(spaceOfStl(bytes)).toBeNull();
  });
});
