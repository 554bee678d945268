// @vitest-environment jsdom
import { describe, expect, it, vi } from 'vitest';
import { copyButton, jointsYaml, poseYaml } from '../../src/studio/copy_yaml';
import type { JointInfo } from '../../src/studio/protocol';

const joint = (name: string, q: number, nq = 1, role = 'independent'): JointInfo =>
  ({ name, type: 'revolute', role, q, nq, body: name, limits: [], units: ['rad'] });

describe('YAML of the present state', () => {
  it('names the joints that a goal can set', () => {
    const joints = [joint('arm/j1', 0), joint('arm/j2', 1, 1, 'follower'), joint('cart/root', 2, 3), joint('a b', 5)];
    expect(jointsYaml(joints, [0.785398163, 9, 1, -2e-15, 0.25, -1e-7])).toBe(
      'joints: {arm/j1: 0.78539816, cart/root: [1, 0, 0.25], "a b": -0.0000001}');
  });

  it('gives poses with w last', () => {
    expect(poseYaml('arm/tool', [0.4, 0.2, 0.3, 0, 0, 0, 1])).toBe(
      '{body: arm/tool, pose: {xyz: [0.4, 0.2, 0.3], quaternion: [0, 0, 0, 1]}}');
  });

  it('goes to the clipboard, or is shown where there is none', async () => {
    const show = vi.fn();
    const writeText = vi.fn(async () => {});
    Object.assign(navigator, { clipboard: { writeText } });
    copyButton('Copy', () => 'joints: {}', { show }).click();
    await vi.waitFor(() => expect(show).toHaveBeenCalled());
    expect(writeText).toHaveBeenCalledWith('joints: {}');
    Object.assign(navigator, { clipboard: undefined });
    copyButton('Copy', () => 'pose: {}', { show }).click();
    await vi.waitFor(() => expect(show).toHaveBeenLastCalledWith('pose: {}', {}));
  });
});
