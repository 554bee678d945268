// What the rest of the page may ask of the 3D view. Colours are sRGB hex; lengths m; angles rad; Z up.

export type Pose = readonly [number, number, number, number, number, number, number]; // x y z, qx qy qz qw
export type Point = readonly [number, number, number];

export interface Actor { name: string; kind: 'part' | 'robot' | 'person' | string }
export interface Body {
  name: string; actor: number; mover: number; parent: number; pose: Pose; mass: number;
  /** Sub-assemblies that it stands in, outermost first. */
  assemblies?: readonly string[];
}
export interface Geometry {
  name: string; body: number; mesh: number; pose: Pose;
  colour: readonly [number, number, number, number]; visual: boolean; collision: boolean;
}

/** A decoded scene pack (docs/design/scene-pack.md). */
export interface ScenePack {
  name: string; triangles: number; start: Pose[];
  actors: Actor[]; bodies: Body[]; geometry: Geometry[]; meshes: PackedMesh[];
}
export interface PackedMesh {
  kind: string; positions: Float32Array; normals: Int8Array; // 3 and 4 per vertex
  levels: { indices: Uint32Array; error: number }[];
}

/** A decoded track pack: a stored motion. */
export interface Track {
  times: Float64Array; begin: number; end: number;
  joints: { name: string; type: string; unit: string; nq: number; limits: [number | null, number | null][] }[];
  /** All frames of entry k of the joints' values, in the order of `joints`. */
  values(entry: number): Float32Array;
  /** Poses of all movers at time t (interpolated; held outside), 7 numbers each, into `out`. */
  poses(t: number, out: Float32Array): void;
}

export type Part = number; // index into ScenePack.bodies

/** Nine numbers each, in the world. */
export type Triangles = Float32Array;

/** How a part is drawn; what is not given stays as it is. */
export interface Look { visible?: boolean; colour?: string | null; opacity?: number }

export interface Pick { part: Part; point: Point; normal: Point }

export type NamedView = 'iso' | 'front' | 'back' | 'left' | 'right' | 'top' | 'bottom';
export interface Camera { position: Point; target: Point }

export interface Marks {
  /** Two points and the line between them, with a label: the tightest moment, a contact, a measure. */
  gap(id: string, a: Point, b: Point, label: string, kind: 'clear' | 'touch' | 'measure'): void;
  remove(id: string): void;
}

export interface GizmoEvent { part: Part; pose: Pose; phase: 'begin' | 'move' | 'end' }

export interface View {
  readonly pack: ScenePack;
  /** Poses of all movers, 7 numbers each. Drawn in the next frame; frames are drawn only when something changed. */
  setPoses(poses: Float32Array): void;
  look(parts: Iterable<Part>, look: Look): void;
  /** Draw the shapes that collide instead of those that are seen. */
  showCollision(on: boolean): void;
  select(parts: readonly Part[]): void;
  /** Parts drawn in the colour of alarm. */
  alarm(parts: readonly Part[]): void;
  /** Semi-transparent copies of what moves, at other poses: start, goal. Null: none. */
  ghost(id: string, poses: Float32Array | null, colour?: string): void;
  /** A line through places, with the colour (sRGB, 0 to 1) of each. Null: none. */
  trace(id: string, points: Float32Array | null, colours?: Float32Array): void;
  /** Thin lines, each between two places that follow each other. Null: none. */
  lines(id: string, points: Float32Array | null): void;
  /** A space that is seen through and cannot be picked. Null: none. */
  space(id: string, triangles: Triangles | null): void;
  /** What lies on the side that the normal points to is cut away. Null: nothing. */
  section(plane: { normal: Point; offset: number } | null): void;
  pick(clientX: number, clientY: number): Pick | null;
  onPick(listener: (pick: Pick | null, event: PointerEvent) => void): void;
  /** The handle that drags a part; null: none. */
  gizmo(part: Part | null, mode: 'move' | 'turn'): void;
  onGizmo(listener: (event: GizmoEvent) => void): void;
  readonly marks: Marks;
  camera(): Camera;
  setCamera(camera: Camera, smooth?: boolean): void;
  onCamera(listener: () => void): void;
  setView(view: NamedView, smooth?: boolean): void;
  /** All of what is visible, or these parts, fill the picture. */
  frame(parts?: readonly Part[], smooth?: boolean): void;
  /**
   * Looks at a place that concerns these parts, from where the least hides it; what still does is seen through until
   * `unfocus`, with `alone` everything but the parts is, and these have two colours.
   */
  focus(place: Point, parts: readonly Part[], options?: { alone?: boolean; smooth?: boolean }): void;
  unfocus(): void;
  /** The box of the parts, in the world, as they stand now. */
  bounds(parts?: readonly Part[]): { min: Point; max: Point } | null;
  setTheme(theme: 'dark' | 'light'): void;
  /** Promises that everything asked for so far was drawn. */
  settled(): Promise<void>;
  /** What is seen now, as a data URL (PNG); null while the graphics are lost. Lines of marks are not in it. */
  picture(): string | null;
  /** The browser took the graphics away, or gave them back (all is then drawn again by itself). */
  onGraphics(listener: (state: 'lost' | 'back') => void): void;
  dispose(): void;
}

export interface ViewOptions { theme?: 'dark' | 'light' }

/** Why there is no 3D: pages show this line and go on without it. */
export class ViewFailure extends Error {
  constructor(readonly code: 'no_webgl', message: string) {
    super(message);
    this.name = 'ViewFailure';
  }
}

/** `createView` of view/view.ts. Fills `host`, and draws as soon as that stands in the page; throws ViewFailure. */
export type CreateView = (host: HTMLElement, pack: ScenePack, options?: ViewOptions) => View;
