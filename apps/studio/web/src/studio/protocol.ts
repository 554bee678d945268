// What the studio's server says and understands, version 1: docs/design/studio-protocol.md.
import type { Point, Pose } from '../view/contract';

export const kProtocol = 1;

/** Bodies are named as in the scene pack. */
export type BodyName = string;

export interface JointInfo {
  name: string; type: string; role: string; q: number; nq: number; body: BodyName;
  limits: [number | null, number | null][]; units: string[];
}

export interface Result {
  name: string; task: string; outcome: string; verdict: string; free: boolean | null;
  clearance_m: number | null; tightest_m?: number | null; duration_s: number | null; figures: Record<string, unknown>; files: string[];
}

/** `value` is what the task holds now, in SI units; null: nothing. */
export interface FormField {
  key: string; kind: string; help?: string; required?: boolean; value?: unknown; least?: number;
  unit?: string; choices?: string[]; fields?: FormField[];
}
export interface Form { kind: string; help?: string; fields: FormField[] }

export interface Fault { code: string; message: string; remedy?: string }

export interface Job {
  job: number | string; kind: string; state: 'running' | 'done' | 'failed' | 'cancelled';
  stage?: string; fraction?: number | null; message?: string; result?: string | null; error?: Fault | null;
}

export interface Person { id: number | string; name: string }

export interface SceneInfo {
  name: string; hash: string; task_file: string; kind: string | null; options: Record<string, unknown> | null;
}

/** What the guide looks at. Fields that a page does not know are ignored. */
export interface SharedView {
  camera?: { position: Point; target: Point }; result?: string | null; time?: number; selection?: BodyName[];
}

export interface Hello {
  event: 'hello'; protocol: number; geste: string; you: Person['id']; scene: SceneInfo;
  joints: JointInfo[]; configurations: string[]; forms: Form[]; results: Result[]; job: Job | null;
  people: Person[]; guide: Person['id'] | null; view: SharedView | null;
}

export interface Nearest { a: BodyName; b: BodyName; distance: number; on_a: Point; on_b: Point }
export interface Touching { a: BodyName; b: BodyName; depth: number; point: Point }

/** `distance`: signed, null where two open surfaces cross. `deflection`: how far triangles may be off, together. */
export interface Clash {
  a: BodyName; b: BodyName; kind: 'clash' | 'crossing' | 'touch' | 'near'; distance: number | null; deflection: number;
  point: Point; on_a: Point; on_b: Point;
}

export type ServerEvent =
  | Hello
  | { event: 'people'; people: Person[]; guide: Person['id'] | null }
  | { event: 'asks'; person: Person['id'] }
  | { event: 'view'; view: SharedView; from: Person['id'] }
  | { event: 'clearance'; seq: number; nearest: Nearest | null; touching: Touching[]; pairs?: number }
  | ({ event: 'job' } & Job)
  | { event: 'growth'; job: Job['job']; lines: number[] }
  | { event: 'results'; results: Result[] }
  | { event: 'configurations'; configurations: string[] };

export type Place = { body: BodyName } | { point: Point };

export type Request =
  | { do: 'joint'; joint: string; values: number[] }
  | { do: 'state'; q: number[] }
  | { do: 'configuration'; name: string }
  | { do: 'drag'; body: BodyName; pose: Pose }
  | { do: 'save'; name: string }
  | { do: 'distance'; a: Place; b: Place }
  | { do: 'clashes'; tolerance: number }
  | { do: 'facts'; body: BodyName }
  | { do: 'run'; kind: string; options: Record<string, unknown>; seed?: number; budget_s?: number }
  | { do: 'cancel'; job: Job['job'] }
  | { do: 'forget'; result: string }
  | { do: 'view'; view: SharedView }
  | { do: 'name'; name: string }
  | { do: 'take' }
  | { do: 'give'; to: Person['id'] };

export interface Answers {
  joint: { values: number[]; clamped: boolean };
  state: object;
  configuration: object;
  drag: { residual_m: number; residual_rad: number; at_limit: string[] };
  save: { file: string; line: number };
  distance: { distance: number; on_a: Point; on_b: Point };
  clashes: { pairs: Clash[]; found: number; checked: number };
  facts: { facts: [string, string][] };
  run: { job: Job['job'] };
  cancel: object;
  forget: object;
  view: object;
  name: object;
  take: { granted: boolean };
  give: object;
}

/** A refusal by the server, or a failure on the way to it; `code` is stable. */
export class RequestError extends Error {
  readonly code: string;
  readonly remedy: string;

  constructor(fault: Partial<Fault>) {
    super(fault.message ?? 'The studio refused without a reason.');
    this.name = 'RequestError';
    this.code = fault.code ?? 'studio.unknown';
    this.remedy = fault.remedy ?? '';
  }
}
