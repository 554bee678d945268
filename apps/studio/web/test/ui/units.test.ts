import { describe, expect, it } from 'vitest';
import { formatLength, formatQuantity, parseQuantity } from '../../src/ui/units';

describe('quantities', () => {
  it('are read with the usual unit, or the one typed', () => {
    expect(parseQuantity('90', 'angle')).toBeCloseTo(Math.PI / 2);
    expect(parseQuantity('-1.5 rad', 'angle')).toBe(-1.5);
    expect(parseQuantity('45°', 'angle')).toBeCloseTo(Math.PI / 4);
    expect(parseQuantity('12.5', 'length')).toBeCloseTo(0.0125);
    expect(parseQuantity('1,5 cm', 'length')).toBeCloseTo(0.015);
    expect(parseQuantity('2in', 'length')).toBeCloseTo(0.0508);
    expect(parseQuantity('.5 m', 'length')).toBe(0.5);
    expect(parseQuantity('1e2', 'none')).toBe(100);
  });

  it('are refused where they are no number or of another kind', () => {
    for (const text of ['', 'x', '1 2', '5 kg', '1e999', '5 constructor', '--1']) {
      expect(parseQuantity(text, 'length')).toBeNull();
    }
  });

  it('are written for people', () => {
    expect(formatQuantity(Math.PI, 'angle')).toBe('180.0 deg');
    expect(formatQuantity(-1e-9, 'length')).toBe('0.00 mm');
    expect(formatQuantity(null, 'length')).toBe('–');
    expect(formatLength(0.0004)).toBe('0.400 mm');
    expect(formatLength(0.0125)).toBe('12.50 mm');
    expect(formatLength(2.5)).toBe('2.500 m');
  });
});
