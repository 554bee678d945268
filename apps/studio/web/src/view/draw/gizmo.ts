// The handle that drags a part: three's TransformControls on a stand-in that has the part's pose.

import * as THREE from 'three';
import { TransformControls } from 'three/addons/controls/TransformControls.js';
import type { GizmoEvent, Part, Pose } from '../contract';

/** A ring counts as seen from above where its axis points to the eye at least so much (cosine). */
const kFacing = 0.9;

export class Gizmo {
  private readonly standIn = new THREE.Object3D();
  private handle: { controls: TransformControls; helper: THREE.Object3D } | null = null; // made when first needed
  private part: Part | null = null;

  constructor(
    private readonly camera: THREE.Camera, private readonly canvas: HTMLCanvasElement, private readonly scene: THREE.Scene,
    private readonly poseOf: (part: Part) => Pose, private readonly emit: (event: GizmoEvent) => void,
    private readonly request: () => void, private readonly holdCamera: (hold: boolean) => void,
  ) {}

  private makeHandle(): NonNullable<Gizmo['handle']> {
    const controls = new TransformControls(this.camera, this.canvas);
    const helper = controls.getHelper();
    controls.size = 0.85;
    this.scene.add(this.standIn);
    controls.addEventListener('change', this.request);
    controls.addEventListener('dragging-changed', (event) => {
      this.holdCamera(event.value as boolean);
      this.send(event.value ? 'begin' : 'end');
      if (!event.value) this.follow();
    });
    controls.addEventListener('objectChange', () => this.send('move'));
    controls.addEventListener('mouseDown', () => alignEye(controls));
    const update = helper.updateMatrixWorld.bind(helper);
    helper.updateMatrixWorld = (force) => {
      update(force);
      if (controls.dragging) alignEye(controls); // it was computed anew
    };
    return { controls, helper };
  }

  /** The pointer is on the handle: a click there is no pick. */
  get isHeld(): boolean {
    return this.part !== null && this.handle !== null && this.handle.controls.axis !== null;
  }

  set(part: Part | null, mode: 'move' | 'turn'): void {
    this.part = part;
    if (part === null) {
      this.handle?.controls.detach();
      if (this.handle) this.scene.remove(this.handle.helper);
      return;
    }
    this.handle ??= this.makeHandle();
    this.handle.controls.setMode(mode === 'move' ? 'translate' : 'rotate');
    this.follow();
    this.handle.controls.attach(this.standIn);
    this.scene.add(this.handle.helper);
  }

  /** Goes where the part is, unless a hand holds it: then the part comes to it. */
  follow(): void {
    if (this.part === null || this.handle?.controls.dragging) return;
    const [x, y, z, qx, qy, qz, qw] = this.poseOf(this.part);
    this.standIn.position.set(x, y, z);
    this.standIn.quaternion.set(qx, qy, qz, qw);
    this.standIn.updateMatrixWorld();
  }

  private send(phase: GizmoEvent['phase']): void {
    if (this.part === null) return;
    const { position: p, quaternion: q } = this.standIn;
    this.emit({ part: this.part, phase, pose: [p.x, p.y, p.z, q.x, q.y, q.z, q.w] });
  }

  dispose(): void {
    this.handle?.controls.detach();
    this.handle?.controls.dispose();
  }
}

/**
 * A ring that faces the eye shall turn as the hand goes round it. three does so only where its axis points exactly to
 * the eye, which rounding prevents, and else turns by the way along a line whose direction is then a matter of chance.
 */
function alignEye(controls: TransformControls): void {
  const { mode, axis, eye } = controls as TransformControls & { eye: THREE.Vector3 }; // not in its types
  const k = ['X', 'Y', 'Z'].indexOf(axis ?? '');
  if (mode !== 'rotate' || k < 0 || Math.abs(eye.getComponent(k)) < kFacing) return;
  const side = Math.sign(eye.getComponent(k));
  eye.set(0, 0, 0).setComponent(k, side);
}
