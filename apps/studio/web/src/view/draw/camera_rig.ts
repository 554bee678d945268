// The camera and the hands on it: camera-controls with Z up, keys, and depth limits that follow.

import CameraControls from 'camera-controls';
import * as THREE from 'three';
import type { Camera, Point } from '../contract';
import { centreOf, radiusOf, type Box } from '../math/bounds';
import { fitCamera } from '../math/camera';

CameraControls.install({ THREE });

const kKeyTurn = Math.PI / 24;
const kKeyZoom = 1.15;

export class CameraRig {
  readonly controls: CameraControls;
  private readonly target = new THREE.Vector3();
  private world: Box;
  private last = performance.now();

  constructor(
    private readonly camera: THREE.PerspectiveCamera, private readonly canvas: HTMLCanvasElement, world: Box,
    request: () => void,
  ) {
    this.world = world;
    this.controls = new CameraControls(camera, canvas);
    this.controls.smoothTime = 0.18;
    this.controls.draggingSmoothTime = 0.06;
    this.controls.dollyToCursor = true;
    this.controls.minDistance = Math.max(radiusOf(world) * 1e-3, 1e-4);
    this.controls.maxDistance = Math.max(radiusOf(world), 0.1) * 200;
    for (const type of ['control', 'controlstart', 'transitionstart', 'wake'] as const) {
      this.controls.addEventListener(type, request);
    }
    canvas.addEventListener('keydown', this.onKey);
  }

  /** One step of the way; true while the camera moves. */
  update(now: number): boolean {
    // After a pause the first step is short, or the camera would jump.
    const seconds = Math.min(Math.max(now - this.last, 0) / 1000, 0.05);
    this.last = now;
    const moves = this.controls.update(seconds);
    this.controls.getTarget(this.target);
    this.fitDepth();
    return moves;
  }

  /** As near and far as needed: depth has few bits. */
  private fitDepth(): void {
    const distance = this.distance();
    const toWorld = this.camera.position.distanceTo(new THREE.Vector3(...centreOf(this.world)));
    this.camera.near = Math.max(distance * 0.01, 1e-4);
    this.camera.far = Math.max(toWorld + 2 * radiusOf(this.world), distance * 40);
    this.camera.updateProjectionMatrix();
  }

  distance(): number {
    return this.camera.position.distanceTo(this.target);
  }

  lookedAt(): THREE.Vector3 {
    return this.target;
  }

  get(): Camera {
    const p = this.controls.getPosition(new THREE.Vector3());
    const t = this.controls.getTarget(new THREE.Vector3());
    return { position: [p.x, p.y, p.z], target: [t.x, t.y, t.z] };
  }

  set({ position, target }: Camera, smooth: boolean): void {
    void this.controls.setLookAt(...position, ...target, smooth);
  }

  /** From `direction`, or from where the camera is. */
  fit(box: Box, direction: Point | null, smooth: boolean): void {
    const { position, target } = this.get();
    const from: Point = direction ?? [position[0] - target[0], position[1] - target[1], position[2] - target[2]];
    this.set(fitCamera(box, from, THREE.MathUtils.degToRad(this.camera.fov), this.camera.aspect), smooth);
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const { controls } = this;
    const actions: Record<string, () => unknown> = {
      ArrowLeft: () => controls.rotate(-kKeyTurn, 0, true),
      ArrowRight: () => controls.rotate(kKeyTurn, 0, true),
      ArrowUp: () => controls.rotate(0, -kKeyTurn, true),
      ArrowDown: () => controls.rotate(0, kKeyTurn, true),
      '+': () => controls.dollyTo(controls.distance / kKeyZoom, true),
      '-': () => controls.dollyTo(controls.distance * kKeyZoom, true),
    };
    const action = actions[event.key];
    if (!action) return;
    action();
    event.preventDefault();
    event.stopPropagation();
  };

  dispose(): void {
    this.canvas.removeEventListener('keydown', this.onKey);
    this.controls.dispose();
  }
}
