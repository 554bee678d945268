import { describe, expect, it } from 'vitest';
import { formatDigits, formatFigure, formatLength, formatQuantity, parseQuantity } from '../../src/ui/units';

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

  it('have no exponent and no negative zero', () => {
    expect(formatDigits(1860, 3)).toBe('1860');
    expect(formatDigits(-6.072e-16)).toBe('0');
    expect(formatDigits(0.00041237)).toBe('0.0004124');
    expect(formatDigits(-0)).toBe('0');
    expect(formatFigure(1.86, 'm')).toBe('1.86 m');
    expect(formatFigure(-6e-16, 'm')).toBe('0 mm');
    expect(formatFigure(0.0125, 'm')).toBe('12.5 mm');
    expect(formatFigure(Math.PI / 4, 'rad')).toBe('45 deg');
    expect(formatFigure(0.035, 's')).toBe('35 ms');
    expect(formatFigure(0, 's')).toBe('0 s');
    expect(formatFigure(3, '1')).toBe('3');
    expect(formatFigure(1e-9, 'kg')).toBe('0.000000001 kg');
  });
});
