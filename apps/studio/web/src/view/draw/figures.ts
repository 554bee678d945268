// All that is drawn of the scene: every geometry once, as solid or see-through instance, and the ghosts.

import * as THREE from 'three';
import type { Part, Pose, ScenePack } from '../contract';
import { addMoved, boxOfPositions, centreOf, emptyBox, isEmpty, radiusOf, type Box } from '../math/bounds';
import { chooseLevel, isSeen, pixelsPerMetre } from '../math/levels';
import { compose, readPoseAt, transform } from '../math/poses';
import { linearOf, type Parts } from '../parts';
import { Batch } from './batch';
import type { PartMaterials } from './materials';

const kGhostOpacity = 0.28;
/** From here on a part hides what is behind it. */
const kSolidOpacity = 0.999;

/** One geometry that can be drawn. */
export interface Figure {
  geometry: number; body: Part; mover: number; mesh: number; local: Pose; world: Pose;
  level: number;
  solid: number; clear: number; // instances; clear: -1 until it is needed
  shown: 'solid' | 'clear' | 'hidden'; tiny: boolean; // as asked for; too small to be seen from here
}

interface Ghost { colour: [number, number, number]; instances: { figure: Figure; id: number }[] }

export class Figures {
  readonly group = new THREE.Group();
  readonly list: Figure[] = [];
  readonly boxes: Box[];
  private readonly radii: number[];
  private readonly errors: number[][];
  private readonly solid: Batch;
  private clear: Batch | null = null;
  private readonly poses: Float32Array;
  private readonly ghosts = new Map<string, Ghost>();

  constructor(private readonly pack: ScenePack, private readonly parts: Parts, private readonly materials: PartMaterials) {
    this.boxes = pack.meshes.map((mesh) => boxOfPositions(mesh.positions));
    this.radii = this.boxes.map((box) => (isEmpty(box) ? 0 : radiusOf(box)));
    this.errors = pack.meshes.map((mesh) => mesh.levels.map((level) => level.error));
    this.poses = Float32Array.from(pack.start.flat());
    this.solid = new Batch(pack.meshes, pack.geometry.length, materials.solid);
    this.group.add(this.solid.mesh);
    pack.geometry.forEach((_, geometry) => this.addFigure(geometry));
    this.refreshLooks();
  }

  private addFigure(geometry: number): void {
    const { body, mesh, pose } = this.pack.geometry[geometry];
    if (mesh < 0 || isEmpty(this.boxes[mesh])) return;
    const { mover } = this.pack.bodies[body];
    const world = compose(this.pack.start[mover], pose);
    const solid = this.solid.add(mesh);
    this.solid.setPose(solid, world);
    this.list.push({ geometry, body, mover, mesh, local: pose, world, level: 0, solid, clear: -1, shown: 'hidden', tiny: false });
  }

  moverPose(mover: number): Pose {
    return readPoseAt(this.poses, mover);
  }

  /** Says whether anything moved. */
  setPoses(poses: Float32Array): boolean {
    const moved = this.pack.start.map((_, mover) => this.takePose(mover, poses));
    if (!moved.includes(true)) return false;
    for (const figure of this.list) {
      if (!moved[figure.mover]) continue;
      figure.world = compose(this.moverPose(figure.mover), figure.local);
      this.solid.setPose(figure.solid, figure.world);
      if (figure.clear >= 0) this.clear!.setPose(figure.clear, figure.world);
    }
    return true;
  }

  private takePose(mover: number, poses: Float32Array): boolean {
    let changed = false;
    for (let k = mover * 7; k < mover * 7 + 7; ++k) {
      if (this.poses[k] !== poses[k] && Number.isFinite(poses[k])) {
        this.poses[k] = poses[k];
        changed = true;
      }
    }
    return changed;
  }

  refreshLooks(): void {
    for (const figure of this.list) {
      const drawn = this.parts.drawn(figure.geometry);
      const isClear = drawn.opacity < kSolidOpacity;
      figure.shown = !drawn.visible || drawn.opacity <= 0 ? 'hidden' : isClear ? 'clear' : 'solid';
      this.solid.setColour(figure.solid, drawn.r, drawn.g, drawn.b, 1);
      if (isClear && figure.clear < 0) this.addClear(figure);
      if (figure.clear >= 0) this.clear!.setColour(figure.clear, drawn.r, drawn.g, drawn.b, drawn.opacity);
      this.refreshVisible(figure);
    }
    for (const ghost of this.ghosts.values()) this.refreshGhost(ghost);
  }

  private refreshVisible(figure: Figure): void {
    this.solid.setVisible(figure.solid, figure.shown === 'solid' && !figure.tiny);
    if (figure.clear >= 0) this.clear!.setVisible(figure.clear, figure.shown === 'clear' && !figure.tiny);
  }

  private addClear(figure: Figure): void {
    figure.clear = this.clearBatch().add(figure.mesh);
    this.clear!.setPose(figure.clear, figure.world);
    this.clear!.setLevel(figure.clear, figure.mesh, figure.level);
  }

  private clearBatch(): Batch {
    if (!this.clear) {
      this.clear = new Batch(this.pack.meshes, this.list.length, this.materials.clear, this.solid);
      this.clear.mesh.renderOrder = 1;
      this.group.add(this.clear.mesh);
    }
    return this.clear;
  }

  setGhost(id: string, poses: Float32Array | null, colour: string): void {
    const old = this.ghosts.get(id);
    if (!poses) {
      old?.instances.forEach((instance) => this.clear!.remove(instance.id));
      this.ghosts.delete(id);
      return;
    }
    const ghost = old ?? this.makeGhost(id);
    ghost.colour = linearOf(colour);
    for (const { figure, id: instance } of ghost.instances) {
      this.clear!.setPose(instance, compose(readPoseAt(poses, figure.mover), figure.local));
    }
    this.refreshGhost(ghost);
  }

  private makeGhost(id: string): Ghost {
    const batch = this.clearBatch();
    const moving = this.list.filter((figure) => figure.mover > 0);
    const ghost: Ghost = { colour: [1, 1, 1], instances: moving.map((figure) => ({ figure, id: batch.add(figure.mesh) })) };
    this.ghosts.set(id, ghost);
    return ghost;
  }

  private refreshGhost(ghost: Ghost): void {
    const [r, g, b] = ghost.colour;
    for (const { figure, id } of ghost.instances) {
      this.clear!.setVisible(id, this.parts.isShown(figure.geometry));
      this.clear!.setColour(id, r, g, b, kGhostOpacity);
    }
  }

  /** `focal`: pixels that a metre takes at a distance of 1 m. */
  chooseLevels(eye: THREE.Vector3, focal: number, near: number): void {
    for (const figure of this.list) {
      const centre = transform(figure.world, centreOf(this.boxes[figure.mesh]));
      const distance = Math.hypot(centre[0] - eye.x, centre[1] - eye.y, centre[2] - eye.z);
      const radius = this.radii[figure.mesh];
      const scale = pixelsPerMetre(focal, distance, radius, near);
      const tiny = !isSeen(radius, scale);
      if (tiny !== figure.tiny) {
        figure.tiny = tiny;
        this.refreshVisible(figure);
      }
      const level = chooseLevel(this.errors[figure.mesh], scale, figure.level);
      if (level !== figure.level) this.setLevel(figure, level);
    }
  }

  private setLevel(figure: Figure, level: number): void {
    figure.level = level;
    this.solid.setLevel(figure.solid, figure.mesh, level);
    if (figure.clear >= 0) this.clear!.setLevel(figure.clear, figure.mesh, level);
  }

  /** Of these parts, or of all that is visible. */
  bounds(parts?: ReadonlySet<Part>): Box | null {
    const box = emptyBox();
    for (const figure of this.list) {
      const counts = parts ? parts.has(figure.body) : this.parts.isShown(figure.geometry);
      if (counts) addMoved(box, this.boxes[figure.mesh], figure.world);
    }
    return isEmpty(box) ? null : box;
  }

  dispose(): void {
    this.solid.mesh.dispose();
    this.clear?.mesh.dispose();
  }
}
