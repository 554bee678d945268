// What the report is made of: result.json and two packs, as they stand in the page. Files may come from anywhere, so
// what is not as expected is left out, never trusted.
import { readSpans, type ClearanceSpan } from '../ui/clearance';
import type { Point } from '../view/contract';

export interface HashedFile { file: string; sha256: string }
export interface Note { code: string; message: string; place: string; remedy: string }
export interface Contact { at: number; a: string; b: string; distance: number; point: Point | null }
export interface Collision { where: string; a: string; b: string; depth: number | null; point: Point | null }
export interface Tightest { at: number; a: string; b: string; distance: number; onA: Point | null; onB: Point | null }
/** Why there is no motion. `without`: without these there is one, found and proven. `missing` in m: thinner by that
 * what moves would come through, found and proven. */
export interface Reasons {
  kind: string; isProven: boolean; without: string[]; walls: string[]; suspects: string[];
  gap: { missing: number; moved: string; between: string[]; onMoved: Point | null; onOther: Point | null } | null;
}

export interface ReportData {
  geste: string; task: string; taskFile: HashedFile | null; verdict: string; scene: string;
  isChecked: boolean; isFree: boolean; contact: Contact | null; broken: { at: number; what: string } | null;
  spans: ClearanceSpan[]; pairs: number | null;
  frames: number; begin: number; end: number;
  figures: { name: string; value: number; unit: string }[];
  notes: Note[]; inputs: HashedFile[]; seed: string; command: string;
  collisions: Collision[]; tightest: Tightest | null; reasons: Reasons | null;
  clearance: number | null; // proven, in m; the tightest moment found lies at it or a little above
}

type Record_ = Record<string, unknown>;

/** Null where it is no result at all. */
export function readResult(text: string): ReportData | null {
  let json: Record_;
  try {
    json = record(JSON.parse(text));
  } catch {
    return null;
  }
  if (typeof json.verdict !== 'string') return null;
  const [certificate, motion, report] = [record(json.certificate), record(json.motion), record(json.report)];
  const spans = readSpans(certificate.profile);
  return {
    geste: string(json.geste), task: string(json.task), taskFile: hashedFile(json.task_file), verdict: json.verdict,
    scene: string(record(json.scene).name), isChecked: certificate.checked === true, isFree: certificate.free === true,
    contact: contact(certificate.contact), broken: broken(certificate.broken), spans, pairs: number(certificate.pairs),
    frames: number(motion.frames) ?? 0, begin: number(motion.begin_s) ?? 0, end: number(motion.end_s) ?? 0,
    figures: figures(json.figures), notes: list(json.notes).map(note), seed: String(json.seed ?? ''),
    inputs: list(json.inputs).map(hashedFile).filter((file) => file !== null), command: string(report.command),
    collisions: list(json.collisions).map(collision), tightest: tightest(certificate.tightest),
    clearance: number(certificate.clearance_m), reasons: reasons(json.reasons),
  };
}

/** The bytes of a pack; null where the page has none. */
export function takeBytes(element: HTMLElement | null): Uint8Array | null {
  const text = element?.textContent?.trim();
  if (!text) return null;
  element!.textContent = ''; // Megabytes that nobody needs twice.
  return fromBase64(text);
}

/** Null where it is no base64. */
export function fromBase64(text: string): Uint8Array | null {
  try {
    const characters = atob(text);
    const bytes = new Uint8Array(characters.length);
    for (let i = 0; i < bytes.length; ++i) bytes[i] = characters.charCodeAt(i);
    return bytes;
  } catch {
    return null;
  }
}

function record(value: unknown): Record_ {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record_) : {};
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function string(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function strings(value: unknown): string[] {
  return list(value).filter((each) => typeof each === 'string');
}

function number(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function point(value: unknown): Point | null {
  const numbers = list(value).map(number);
  return numbers.length === 3 && numbers.every((n) => n !== null) ? (numbers as unknown as Point) : null;
}

function hashedFile(value: unknown): HashedFile | null {
  const { file, sha256 } = record(value);
  return typeof file === 'string' ? { file, sha256: string(sha256) } : null;
}

function note(value: unknown): Note {
  const { code, message, file, line, element, remedy } = record(value);
  const inFile = string(file) && `${string(file)}${number(line) ? `:${String(line)}` : ''}`;
  const place = [inFile, string(element)].filter(Boolean).join(', ');
  return { code: string(code), message: string(message), place, remedy: string(remedy) };
}

function figures(value: unknown): ReportData['figures'] {
  return Object.entries(record(value)).flatMap(([name, each]) => {
    const amount = number(record(each).value);
    const unit = string(record(each).unit);
    return amount === null ? [] : [{ name, value: amount, unit: unit === '1' ? '' : unit }];
  });
}

function contact(value: unknown): Contact | null {
  const { at_s, a, b, distance_m, point: place } = record(value);
  const at = number(at_s);
  return at === null ? null : { at, a: string(a), b: string(b), distance: number(distance_m) ?? 0, point: point(place) };
}

function broken(value: unknown): ReportData['broken'] {
  const { at_s, what } = record(value);
  const at = number(at_s);
  return at === null ? null : { at, what: string(what) };
}

function collision(value: unknown): Collision {
  const { where, a, b, depth_m, point: place } = record(value);
  return { where: string(where), a: string(a), b: string(b), depth: number(depth_m), point: point(place) };
}

function tightest(value: unknown): Tightest | null {
  const { at_s, a, b, distance_m, on_a, on_b } = record(value);
  const [at, distance] = [number(at_s), number(distance_m)];
  if (at === null || distance === null) return null;
  return { at, a: string(a), b: string(b), distance, onA: point(on_a), onB: point(on_b) };
}

function reasons(value: unknown): Reasons | null {
  const { kind, proven, parts, without, gap, enclosure } = record(value);
  if (typeof kind !== 'string') return null;
  const { missing_m, moved, between, on_moved, on_other } = record(gap);
  const missing = number(missing_m);
  return {
    kind, isProven: proven === true, without: strings(without), walls: strings(record(enclosure).walls),
    suspects: strings(list(parts).map(record).filter((part) => part.grade === 'suspected').map((part) => part.name)),
    gap: missing === null ? null
      : { missing, moved: string(moved), between: strings(between), onMoved: point(on_moved), onOther: point(on_other) },
  };
}
