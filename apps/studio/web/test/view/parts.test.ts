import { describe, expect, it } from 'vitest';
import type { ScenePack } from '../../src/view/contract';
import { linearOf, Parts } from '../../src/view/parts';

const POSE = [0, 0, 0, 0, 0, 0, 1] as const;
const PACK = {
  name: 'x', triangles: 0, start: [POSE], actors: [], meshes: [],
  bodies: [0, 1].map((i) => ({ name: `b${i}`, actor: -1, mover: 0, parent: -1, pose: POSE, mass: 1 })),
  geometry: [
    { name: 'seen', body: 0, mesh: 0, pose: POSE, colour: [0.1, 0.2, 0.3, 0.5], visual: true, collision: false },
    { name: 'hull', body: 0, mesh: 0, pose: POSE, colour: [0.1, 0.2, 0.3, 1], visual: false, collision: true },
    { name: 'empty', body: 1, mesh: -1, pose: POSE, colour: [1, 1, 1, 1], visual: true, collision: true },
  ],
} as unknown as ScenePack;

describe('looks of parts', () => {
  it('show visual or collision shapes, of what is visible and has a mesh', () => {
    const parts = new Parts(PACK);
    expect([0, 1, 2].map((g) => parts.isShown(g))).toEqual([true, false, false]);
    parts.collisionShown = true;
    expect([0, 1, 2].map((g) => parts.isShown(g))).toEqual([false, true, false]);
    parts.look(0, { visible: false });
    expect(parts.isShown(1)).toBe(false);
  });

  it('keep what is not given and multiply opacities', () => {
    const parts = new Parts(PACK);
    parts.look(0, { colour: '#ffffff' });
    parts.look(0, { opacity: 0.5 });
    expect(parts.drawn(0)).toEqual({ visible: true, r: 1, g: 1, b: 1, opacity: 0.25 });
    parts.look(0, { colour: null });
    expect(parts.drawn(0)).toMatchObject({ r: 0.1, g: 0.2, b: 0.3 });
  });

  it('let alarm win over selection', () => {
    const parts = new Parts(PACK);
    parts.select([0]);
    expect(parts.drawn(0).b).toBeGreaterThan(parts.drawn(0).r);
    parts.alarm([0]);
    expect(parts.drawn(0).r).toBeGreaterThan(parts.drawn(0).b);
    parts.alarm([]);
    parts.select([]);
    expect(parts.drawn(0)).toMatchObject({ r: 0.1, g: 0.2, b: 0.3 });
  });

  it('turn sRGB into linear light, and nonsense into grey', () => {
    expect(linearOf('#808080')[0]).toBeCloseTo(0.2159, 3);
    expect(linearOf('url(x)')).toEqual(linearOf('#888888'));
  });
});
