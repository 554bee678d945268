// The handle that drags a part: three's TransformControls on a stand-in that has the part's pose.

import * as THREE from 'three';
import { TransformControls } from 'three/addons/controls/TransformControls.js';
import type { GizmoEvent, Part, Pose } from '../contract';

export class Gizmo {
  private readonly controls: TransformControls;
  private readonly standIn = new THREE.Object3D();
  private readonly helper: THREE.Object3D;
  private part: Part | null = null;

  constructor(
    camera: THREE.Camera, canvas: HTMLCanvasElement, private readonly scene: THREE.Scene,
    private readonly poseOf: (part: Part) => Pose, private readonly emit: (event: GizmoEvent) => void,
    request: () => void, holdCamera: (hold: boolean) => void,
  ) {
    this.controls = new TransformControls(camera, canvas);
    this.controls.size = 0.85;
    this.helper = this.controls.getHelper();
    this.scene.add(this.standIn);
    this.controls.addEventListener('change', request);
    this.controls.addEventListener('dragging-changed', (event) => {
      holdCamera(event.value as boolean);
      this.send(event.value ? 'begin' : 'end');
      if (!event.value) this.follow();
    });
    this.controls.addEventListener('objectChange', () => this.send('move'));
  }

  /** The pointer is on the handle: a click there is no pick. */
  get isHeld(): boolean {
    return this.part !== null && this.controls.axis !== null;
  }

  set(part: Part | null, mode: 'move' | 'turn'): void {
    this.part = part;
    if (part === null) {
      this.controls.detach();
      this.scene.remove(this.helper);
      return;
    }
    this.controls.setMode(mode === 'move' ? 'translate' : 'rotate');
    this.follow();
    this.controls.attach(this.standIn);
    this.scene.add(this.helper);
  }

  /** Goes where the part is, unless a hand holds it: then the part comes to it. */
  follow(): void {
    if (this.part === null || this.controls.dragging) return;
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
    this.controls.detach();
    this.controls.dispose();
  }
}
