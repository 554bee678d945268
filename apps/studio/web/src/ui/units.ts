// Numbers as people read and write them: mm and degrees on the page, m and rad inside.

export type Dimension = 'length' | 'angle' | 'time' | 'mass' | 'none';

interface Unit { readonly dimension: Dimension; readonly factor: number }

const kDegree = Math.PI / 180;

/** By the way it is typed; factor: how much of the SI unit it is. */
const kUnits: Record<string, Unit> = {
  um: { dimension: 'length', factor: 1e-6 },
  'µm': { dimension: 'length', factor: 1e-6 },
  mm: { dimension: 'length', factor: 1e-3 },
  cm: { dimension: 'length', factor: 1e-2 },
  m: { dimension: 'length', factor: 1 },
  in: { dimension: 'length', factor: 0.0254 },
  deg: { dimension: 'angle', factor: kDegree },
  '°': { dimension: 'angle', factor: kDegree },
  rad: { dimension: 'angle', factor: 1 },
  ms: { dimension: 'time', factor: 1e-3 },
  s: { dimension: 'time', factor: 1 },
  min: { dimension: 'time', factor: 60 },
  g: { dimension: 'mass', factor: 1e-3 },
  kg: { dimension: 'mass', factor: 1 },
};

/** What is meant when a number is typed without a unit, and what is shown. */
const kShown: Record<Dimension, { name: string; factor: number }> = {
  length: { name: 'mm', factor: 1e-3 },
  angle: { name: 'deg', factor: kDegree },
  time: { name: 's', factor: 1 },
  mass: { name: 'kg', factor: 1 },
  none: { name: '', factor: 1 },
};

export function shownUnit(dimension: Dimension): string {
  return kShown[dimension].name;
}

/** The dimension of an SI unit as files and the server name it ("rad", "m"). */
export function dimensionOf(unit: string): Dimension {
  return kUnits[unit]?.dimension ?? 'none';
}

/** From the SI unit to the shown one, and back. */
export function toShown(value: number, dimension: Dimension): number {
  return value / kShown[dimension].factor;
}
export function fromShown(value: number, dimension: Dimension): number {
  return value * kShown[dimension].factor;
}

/** "12.5", "1,5 cm", "90°", "-0.2 rad": the value in SI units; null where it is no number of this dimension. */
export function parseQuantity(text: string, dimension: Dimension): number | null {
  const match = /^\s*([-+−]?(?:\d+[.,]?\d*|[.,]\d+)(?:[eE][-+]?\d+)?)\s*([a-zA-Z°µ]*)\s*$/.exec(text);
  if (!match) return null;
  const number = Number(match[1].replace('−', '-').replace(',', '.'));
  if (!Number.isFinite(number)) return null;
  if (match[2] === '') return fromShown(number, dimension);
  const unit = kUnits[match[2]];
  return unit && unit.dimension === dimension ? number * unit.factor : null;
}

/** A number with so many digits after the point as its unit deserves, without a unit. */
export function formatNumber(value: number, digits = 2): string {
  if (!Number.isFinite(value)) return '–';
  const text = value.toFixed(digits);
  return Number(text) === 0 ? (0).toFixed(digits) : text; // no "-0.00"
}

/** An SI value in the shown unit, with it: "12.50 mm". */
export function formatQuantity(value: number | null | undefined, dimension: Dimension, digits?: number): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–';
  const usual = dimension === 'angle' ? 1 : dimension === 'time' ? 2 : dimension === 'length' ? 2 : 3;
  const unit = kShown[dimension].name;
  return formatNumber(toShown(value, dimension), digits ?? usual) + (unit ? ` ${unit}` : '');
}

/** So many significant digits without trailing zeros; never an exponent, never "-0" (as core/quantity.hpp). */
export function formatDigits(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return '–';
  if (Math.abs(value) < 1e-12) return '0';
  const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(Math.abs(value))));
  const text = value.toFixed(Math.min(decimals, 100));
  return decimals === 0 ? text : text.replace(/\.?0+$/, '');
}

/** A figure of a result in the unit that suits it: "250 mm", "45 deg", "35 ms", "7.5 kg". */
export function formatFigure(value: number | null | undefined, unit: string, digits = 5): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–';
  if (unit === 'm') {
    const size = Math.abs(value);
    if (size < 1e-7) return '0 mm';
    return size >= 1 - 0.5 * 10 ** -digits ? `${formatDigits(value, digits)} m` : `${formatDigits(value * 1e3, digits)} mm`;
  }
  if (unit === 'rad') return `${formatDigits(Math.abs(value) < 1e-7 ? 0 : value / kDegree, digits)} deg`;
  if (unit === 's') {
    const size = Math.abs(value);
    return size < 0.1 && size >= 1e-7 ? `${formatDigits(value * 1e3, digits)} ms` : `${formatDigits(size < 1e-7 ? 0 : value, digits)} s`;
  }
  return formatDigits(value, digits) + (unit && unit !== '1' ? ` ${unit}` : '');
}

/** A length whose size is not known beforehand: 0.42 mm, 12.5 mm, 1.203 m. */
export function formatLength(metres: number | null | undefined): string {
  if (metres === null || metres === undefined || !Number.isFinite(metres)) return '–';
  const size = Math.abs(metres);
  if (size >= 1) return `${formatNumber(metres, 3)} m`;
  return `${formatNumber(metres * 1e3, size >= 0.1 ? 1 : size >= 0.001 ? 2 : 3)} mm`;
}

export function formatSeconds(t: number): string {
  return `${Number(t.toFixed(3))} s`;
}
