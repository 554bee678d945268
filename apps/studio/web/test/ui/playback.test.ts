import { describe, expect, it } from 'vitest';
import { PlaybackClock } from '../../src/ui/playback';

describe('PlaybackClock', () => {
  it('goes on by real time and speed, and stops at the end', () => {
    const clock = new PlaybackClock(1, 3);
    clock.speed = 2;
    expect(clock.advance(0.1)).toBe(false); // not playing yet
    clock.play();
    expect(clock.advance(0.25)).toBe(true);
    expect(clock.time).toBeCloseTo(1.5);
    clock.advance(10);
    expect(clock.time).toBe(3);
    expect(clock.playing).toBe(false);
  });

  it('starts over from the end, and loops without losing the rest', () => {
    const clock = new PlaybackClock(1, 3);
    clock.seek(3);
    clock.play();
    expect(clock.time).toBe(1);
    clock.loop = true;
    clock.advance(5.5);
    expect(clock.time).toBeCloseTo(1 + (5.5 % 2));
    expect(clock.playing).toBe(true);
  });

  it('holds within its range and ignores what is no time', () => {
    const clock = new PlaybackClock(0, 2);
    clock.seek(9);
    expect(clock.time).toBe(2);
    clock.seek(-1);
    expect(clock.time).toBe(0);
    clock.seek(NaN);
    expect(clock.time).toBe(0);
  });

  it('steps from frame to frame, also from between frames', () => {
    const clock = new PlaybackClock(0, 3);
    const frames = [0, 1, 2, 3];
    clock.step(frames, 1);
    expect(clock.time).toBe(1);
    clock.seek(1.4);
    clock.step(frames, -1);
    expect(clock.time).toBe(1);
    clock.step(frames, -1);
    clock.step(frames, -1);
    expect(clock.time).toBe(0);
    clock.seek(2.5);
    clock.step(frames, 1);
    clock.step(frames, 1);
    expect(clock.time).toBe(3);
  });

  it('does not play where there is no duration, and shifts its speed by notches', () => {
    const still = new PlaybackClock(1, 1);
    still.play();
    expect(still.playing).toBe(false);
    still.shiftSpeed(1);
    expect(still.speed).toBe(2);
    for (let k = 0; k < 20; k++) still.shiftSpeed(-1);
    expect(still.speed).toBe(0.1);
  });
});
