// The camera and the hands on it: camera-controls with Z up, keys, and depth limits that follow.

import CameraControls from 'camera-controls';
import {
  Box3, MathUtils, Matrix4, OrthographicCamera, PerspectiveCamera, Quaternion, Raycaster, Sphere, Spherical, Vector2, Vector3,
  Vector4,
} from 'three';
import type { Camera, Point } from '../contract';
import { centreOf, radiusOf, type Box } from '../math/bounds';
import { fitCamera } from '../math/camera';

// Only what it uses: handed all of three, it would bring all of three into the pages.
CameraControls.install({ THREE: {
  Box3, MathUtils, Matrix4, OrthographicCamera, PerspectiveCamera, Quaternion, Raycaster, Sphere, Spherical, Vector2, Vector3,
  Vector4,
} });

const kKeyTurn = Math.PI / 24;
const kKeyZoom = 1.15;
/** Of the distance: so near to where it goes the camera has arrived. */
const kArrived = 1e-5;

/** What a step of the camera did: it moved, and it is still under way. */
export interface CameraStep { moved: boolean; goesOn: boolean }

/** Who asked the system for less motion sees the camera jump where others see it glide. */
function mayGlide(): boolean {
  return !window.matchMedia('(prefers-reduced-motion: reduce)').matches;
}

export class CameraRig {
  readonly controls: CameraControls;
  private readonly target = new Vector3();
  private world: Box;
  private last = performance.now();

  constructor(
    private readonly camera: PerspectiveCamera, private readonly canvas: HTMLCanvasElement, world: Box,
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

  update(now: number): CameraStep {
    // After a pause the first step is short, or the camera would jump.
    const seconds = Math.min(Math.max(now - this.last, 0) / 1000, 0.05);
    this.last = now;
    const moved = this.controls.update(seconds);
    this.controls.getTarget(this.target, false);
    this.fitDepth();
    return { moved, goesOn: moved && !this.hasArrived() };
  }

  private hasArrived(): boolean {
    const slack = kArrived * this.distance();
    return this.controls.getPosition(new Vector3()).distanceTo(this.camera.position) <= slack
      && this.controls.getTarget(new Vector3()).distanceTo(this.target) <= slack;
  }

  /** As near and far as needed: depth has few bits. */
  private fitDepth(): void {
    const distance = this.distance();
    const toWorld = this.camera.position.distanceTo(new Vector3(...centreOf(this.world)));
    this.camera.near = Math.max(distance * 0.01, 1e-4);
    this.camera.far = Math.max(toWorld + 2 * radiusOf(this.world), distance * 40);
    this.camera.updateProjectionMatrix();
  }

  distance(): number {
    return this.camera.position.distanceTo(this.target);
  }

  lookedAt(): Vector3 {
    return this.target;
  }

  get(): Camera {
    const p = this.controls.getPosition(new Vector3());
    const t = this.controls.getTarget(new Vector3());
    return { position: [p.x, p.y, p.z], target: [t.x, t.y, t.z] };
  }

  set({ position, target }: Camera, smooth: boolean): void {
    void this.controls.setLookAt(...position, ...target, smooth && mayGlide());
  }

  /** From `direction`, or from where the camera is. */
  fit(box: Box, direction: Point | null, smooth: boolean): void {
    const { position, target } = this.get();
    const from: Point = direction ?? [position[0] - target[0], position[1] - target[1], position[2] - target[2]];
    this.set(fitCamera(box, from, MathUtils.degToRad(this.camera.fov), this.camera.aspect), smooth);
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const { controls } = this;
    const glides = mayGlide();
    const actions: Record<string, () => unknown> = {
      ArrowLeft: () => controls.rotate(-kKeyTurn, 0, glides),
      ArrowRight: () => controls.rotate(kKeyTurn, 0, glides),
      ArrowUp: () => controls.rotate(0, -kKeyTurn, glides),
      ArrowDown: () => controls.rotate(0, kKeyTurn, glides),
      '+': () => controls.dollyTo(controls.distance / kKeyZoom, glides),
      '-': () => controls.dollyTo(controls.distance * kKeyZoom, glides),
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
