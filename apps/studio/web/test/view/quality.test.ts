import { describe, expect, it } from 'vitest';
import { Quality } from '../../src/view/math/quality';

describe('quality of moving pictures', () => {
  it('falls while frames are slow, to a bound, and rises when they are fast', () => {
    const quality = new Quality();
    expect(quality.coarseness).toBe(1);
    for (let i = 0; i < 9; ++i) quality.took(300);
    expect(quality.coarseness).toBe(16);
    quality.took(30); // neither slow nor fast: stays
    expect(quality.coarseness).toBe(16);
    for (let i = 0; i < 9; ++i) quality.took(5);
    expect(quality.coarseness).toBe(1);
  });

  it('times every frame while coarse, few while fine', () => {
    const quality = new Quality();
    const timed = Array.from({ length: 26 }, () => quality.wantsTime()).filter(Boolean).length;
    expect(timed).toBe(2);
    quality.took(300);
    expect([quality.wantsTime(), quality.wantsTime()]).toEqual([true, true]);
  });
});
