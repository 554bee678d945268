// The 3D view: puts the pieces of draw/ together behind the contract.

import * as THREE from 'three';
import type {
  Camera, CreateView, GizmoEvent, Look, NamedView, Part, Pick, Point, Pose, ScenePack, Triangles, View, ViewOptions,
} from './contract';
import { CameraRig } from './draw/camera_rig';
import { Figures } from './draw/figures';
import { findSight } from './draw/focus';
import { Gizmo } from './draw/gizmo';
import { Grid } from './draw/grid';
import { PartMaterials, type Section } from './draw/materials';
import { Overlay } from './draw/overlay';
import { kPalettes, type Theme } from './draw/palette';
import { Picker } from './draw/picker';
import { Segments } from './draw/segments';
import { Spaces } from './draw/spaces';
import { prepareGraphics, Stage } from './draw/stage';
import { Traces } from './draw/traces';
import type { Box } from './math/bounds';
import { viewDirection } from './math/camera';
import { compose } from './math/poses';
import { Parts } from './parts';

const kGhostColour = '#8fb8ff';
/** A press that moves further than this is a drag, no pick. */
const kClickPx = 5;
/** Poses and places of the camera that come so soon after a frame are a motion, not single steps; in ms. */
const kStreamMs = 250;

/** May be called before `createView`, while its scene is on its way: the view is there sooner. */
export const prepareView: () => void = prepareGraphics;

export const createView: CreateView = (host, pack, options) => new SceneView(host, pack, options);

class SceneView implements View {
  readonly marks: Overlay;
  private readonly parts: Parts;
  private readonly materials = new PartMaterials();
  private readonly figures: Figures;
  private readonly stage: Stage;
  private readonly rig: CameraRig;
  private readonly grid: Grid;
  private readonly traces = new Traces();
  private readonly segments = new Segments();
  private readonly spaces = new Spaces();
  private readonly picker: Picker;
  private readonly gizmoHandle: Gizmo;
  private readonly pickListeners: ((pick: Pick | null, event: PointerEvent) => void)[] = [];
  private readonly gizmoListeners: ((event: GizmoEvent) => void)[] = [];
  private readonly cameraListeners: (() => void)[] = [];
  private readonly graphicsListeners: ((state: 'lost' | 'back') => void)[] = [];
  private looksChanged = false;
  private pressedAt: { x: number; y: number } | null = null;

  constructor(host: HTMLElement, readonly pack: ScenePack, options: ViewOptions = {}) {
    this.stage = new Stage(host, (now, coarseness) => this.prepareFrame(now, coarseness));
    const request = () => this.stage.request();
    this.parts = new Parts(pack);
    this.figures = new Figures(pack, this.parts, this.materials);
    const world = this.figures.bounds() ?? { min: [-1, -1, 0], max: [1, 1, 1] };
    this.grid = new Grid(floorOf(world));
    this.marks = new Overlay(host);
    this.rig = new CameraRig(this.stage.camera, this.stage.canvas, world, request);
    this.picker = new Picker(pack.meshes, this.figures, this.parts);
    this.gizmoHandle = new Gizmo(
      this.stage.camera, this.stage.canvas, this.stage.scene, (part) => this.partPose(part),
      (event) => this.gizmoListeners.forEach((listener) => listener(event)), request,
      (hold) => (this.rig.controls.enabled = !hold),
    );
    this.stage.scene.add(this.figures.group, this.grid.mesh, this.traces.group, this.segments.group,
      this.spaces.group);
    this.stage.listenToGraphics((state) => this.graphicsListeners.forEach((listener) => listener(state)));
    this.listenToPointer(host);
    this.setTheme(options.theme ?? 'dark');
    this.setView('iso', false);
    this.stage.prepare();
  }

  private listenToPointer(host: HTMLElement): void {
    const { canvas } = this.stage;
    if (getComputedStyle(host).position === 'static') host.style.position = 'relative';
    canvas.tabIndex = 0;
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', `3D view of ${this.pack.name}: arrow keys turn it, plus and minus zoom`);
    canvas.addEventListener('pointerdown', (event) => {
      this.pressedAt = event.button === 0 && !this.gizmoHandle.isHeld ? { x: event.clientX, y: event.clientY } : null;
    });
    canvas.addEventListener('pointerup', (event) => {
      const from = this.pressedAt;
      this.pressedAt = null;
      if (!from || Math.hypot(event.clientX - from.x, event.clientY - from.y) > kClickPx) return;
      if (this.pickListeners.length === 0) return;
      const pick = this.pick(event.clientX, event.clientY);
      this.pickListeners.forEach((listener) => listener(pick, event));
    });
  }

  private prepareFrame(now: number, coarseness: number): boolean {
    const { camera, width, height } = this.stage;
    const { moved, goesOn } = this.rig.update(now);
    camera.updateMatrixWorld();
    if (this.looksChanged) this.figures.refreshLooks();
    this.looksChanged = false;
    const focal = (this.stage.renderer.domElement.height / 2) * camera.projectionMatrix.elements[5];
    this.figures.chooseLevels(camera.position, focal / coarseness, camera.near);
    this.grid.follow(this.rig.lookedAt(), this.rig.distance());
    this.marks.update(camera, width, height, this.grid.spacing);
    if (goesOn || (moved && this.stage.idleTime() < kStreamMs)) this.stage.moving();
    if (moved) this.cameraListeners.forEach((listener) => listener());
    return goesOn;
  }

  private partPose(part: Part): Pose {
    const body = this.pack.bodies[part];
    return compose(this.figures.moverPose(body.mover), body.pose);
  }

  private refreshLooks(): void {
    this.looksChanged = true;
    this.stage.request();
  }

  setPoses(poses: Float32Array): void {
    if (!this.figures.setPoses(poses)) return;
    if (this.stage.idleTime() < kStreamMs) this.stage.moving();
    this.gizmoHandle.follow();
    this.stage.request();
  }

  look(parts: Iterable<Part>, look: Look): void {
    for (const part of parts) this.parts.look(part, look);
    this.refreshLooks();
  }

  showCollision(on: boolean): void {
    this.parts.collisionShown = on;
    this.refreshLooks();
  }

  select(parts: readonly Part[]): void {
    if (this.parts.select(parts)) this.refreshLooks();
  }

  alarm(parts: readonly Part[]): void {
    if (this.parts.alarm(parts)) this.refreshLooks();
  }

  ghost(id: string, poses: Float32Array | null, colour = kGhostColour): void {
    this.figures.setGhost(id, poses, colour);
    this.stage.request();
  }

  trace(id: string, points: Float32Array | null, colours?: Float32Array): void {
    this.traces.set(id, points, colours);
    this.stage.request();
  }

  lines(id: string, points: Float32Array | null): void {
    this.segments.set(id, points);
    this.stage.request();
  }

  space(id: string, triangles: Triangles | null): void {
    this.spaces.set(id, triangles);
    this.stage.request();
  }

  section(plane: Section | null): void {
    this.materials.setSection(plane);
    this.stage.request();
  }

  pick(clientX: number, clientY: number): Pick | null {
    const area = this.stage.canvas.getBoundingClientRect();
    const x = ((clientX - area.left) / area.width) * 2 - 1;
    const y = 1 - ((clientY - area.top) / area.height) * 2;
    const caster = new THREE.Raycaster();
    this.stage.camera.updateMatrixWorld();
    caster.setFromCamera(new THREE.Vector2(x, y), this.stage.camera);
    return this.picker.pick(caster.ray, this.materials.section);
  }

  onPick(listener: (pick: Pick | null, event: PointerEvent) => void): void {
    this.pickListeners.push(listener);
  }

  gizmo(part: Part | null, mode: 'move' | 'turn'): void {
    this.gizmoHandle.set(part, mode);
    this.stage.request();
  }

  onGizmo(listener: (event: GizmoEvent) => void): void {
    this.gizmoListeners.push(listener);
  }

  camera(): Camera {
    return this.rig.get();
  }

  setCamera(camera: Camera, smooth = false): void {
    this.rig.set(camera, smooth);
    this.stage.request();
  }

  onCamera(listener: () => void): void {
    this.cameraListeners.push(listener);
  }

  setView(view: NamedView, smooth = true): void {
    const box = this.figures.bounds();
    this.stage.fitCamera();
    if (box) this.rig.fit(box, viewDirection(view), smooth);
    this.stage.request();
  }

  frame(parts?: readonly Part[], smooth = true): void {
    const box = this.figures.bounds(parts && new Set(parts));
    this.stage.fitCamera();
    if (box) this.rig.fit(box, null, smooth);
    this.stage.request();
  }

  focus(place: Point, parts: readonly Part[], { alone = false, smooth = true } = {}): void {
    this.stage.fitCamera();
    const own = new Set(parts);
    const others = this.pack.bodies.map((_, part) => part).filter((part) => !own.has(part));
    const { camera, faded } = findSight(place, parts, others, this.camera(), THREE.MathUtils.degToRad(this.stage.camera.fov),
      this.picker, (part) => this.figures.bounds(new Set([part])), alone);
    this.parts.fade(faded, alone ? parts : []);
    this.refreshLooks();
    this.setCamera(camera, smooth);
  }

  unfocus(): void {
    this.parts.fade(new Map());
    this.refreshLooks();
  }

  bounds(parts?: readonly Part[]): Box | null {
    return this.figures.bounds(parts && new Set(parts));
  }

  setTheme(theme: Theme): void {
    const palette = kPalettes[theme];
    this.stage.setPalette(palette);
    this.grid.setPalette(palette);
    this.marks.setPalette(palette);
    this.segments.setColour(palette.section);
    this.materials.setSectionColour(palette.section);
    this.stage.request();
  }

  settled(): Promise<void> {
    return this.stage.settled();
  }

  picture(): string | null {
    return this.stage.picture();
  }

  onGraphics(listener: (state: 'lost' | 'back') => void): void {
    this.graphicsListeners.push(listener);
  }

  dispose(): void {
    this.gizmoHandle.dispose();
    this.rig.dispose();
    this.traces.dispose();
    this.segments.dispose();
    this.spaces.dispose();
    this.grid.dispose();
    this.figures.dispose();
    this.materials.dispose();
    this.marks.dispose();
    this.stage.dispose();
  }
}

/** The ground, unless parts reach below it: a floor through the middle of a part would only confuse. */
function floorOf(world: Box): number {
  const isUnder = world.min[2] < -0.001 * Math.max(1, world.max[2] - world.min[2]);
  return isUnder ? world.min[2] : 0;
}
