// Canvas, renderer, lights, and the rule that a frame is drawn only when something changed.

import * as THREE from 'three';
import { ViewFailure } from '../contract';
import type { Palette } from './palette';

const MAX_PIXEL_RATIO = 2;
/** More pixels than this are not worth their time, whatever the screen has. */
const MAX_PIXELS = 5e6;

export class Stage {
  readonly canvas = document.createElement('canvas');
  readonly renderer: THREE.WebGLRenderer;
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(40, 1, 0.01, 100);
  private readonly sky = new THREE.HemisphereLight();
  private readonly key = new THREE.DirectionalLight();
  private readonly fill = new THREE.DirectionalLight();
  private readonly observer: ResizeObserver;
  private frame = 0;
  private waiting: (() => void)[] = [];
  private isLost = false;
  private onGraphics: (state: 'lost' | 'back') => void = () => {};

  /** `draw` prepares a frame and says whether another one must follow (the camera is still on its way). */
  constructor(private readonly host: HTMLElement, private readonly draw: (now: number) => boolean) {
    this.renderer = makeRenderer(this.canvas);
    this.canvas.style.cssText = 'display:block;position:absolute;inset:0;width:100%;height:100%;touch-action:none';
    host.append(this.canvas);
    this.addLights();
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(host);
    this.canvas.addEventListener('webglcontextlost', this.lost);
    this.canvas.addEventListener('webglcontextrestored', this.restored);
    this.resize();
  }

  /** Lights hang on the camera, a little above it, so that shapes read well from every side. */
  private addLights(): void {
    this.camera.up.set(0, 0, 1);
    this.sky.position.set(0, 0, 1);
    this.key.position.set(-1.2, 1.6, 2);
    this.fill.position.set(2.2, -0.4, 1.2);
    this.camera.add(this.key, this.key.target, this.fill, this.fill.target);
    this.scene.add(this.sky, this.camera);
  }

  setPalette(palette: Palette): void {
    this.scene.background = new THREE.Color(palette.background);
    this.sky.color.set(palette.sky);
    this.sky.groundColor.set(palette.ground);
    this.sky.intensity = palette.ambient;
    this.key.intensity = palette.key;
    this.fill.intensity = palette.fill;
  }

  get width(): number {
    return Math.max(1, this.host.clientWidth);
  }

  get height(): number {
    return Math.max(1, this.host.clientHeight);
  }

  private resize(): void {
    const { width, height } = this;
    const affordable = Math.sqrt(MAX_PIXELS / (width * height));
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio || 1, MAX_PIXEL_RATIO, affordable));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    // A canvas that changed its size is empty until it is drawn again: at once, or it flickers.
    if (!this.isLost) this.drawNow();
  }

  request(): void {
    if (this.frame === 0 && !this.isLost) this.frame = requestAnimationFrame(this.tick);
  }

  /** When all that was asked for so far has been drawn; at once where nothing can be drawn. */
  settled(): Promise<void> {
    if (this.isLost) return Promise.resolve();
    this.request();
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  drawNow(now = performance.now()): boolean {
    const goesOn = this.draw(now);
    this.renderer.render(this.scene, this.camera);
    return goesOn;
  }

  picture(): string | null {
    if (this.isLost) return null;
    this.drawNow(); // The buffer can be read only right after it was drawn.
    return this.canvas.toDataURL('image/png');
  }

  listenToGraphics(listener: (state: 'lost' | 'back') => void): void {
    this.onGraphics = listener;
  }

  private readonly tick = (now: number): void => {
    this.frame = 0;
    if (this.drawNow(now)) this.request();
    else if (this.frame === 0) this.release();
  };

  private release(): void {
    const waiting = this.waiting;
    this.waiting = [];
    for (const resolve of waiting) resolve();
  }

  private readonly lost = (event: Event): void => {
    event.preventDefault(); // Says that we want it back.
    this.isLost = true;
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.release();
    this.onGraphics('lost');
  };

  private readonly restored = (): void => {
    this.isLost = false;
    this.resize();
    this.onGraphics('back');
  };

  dispose(): void {
    this.observer.disconnect();
    cancelAnimationFrame(this.frame);
    this.release();
    this.canvas.removeEventListener('webglcontextlost', this.lost);
    this.canvas.removeEventListener('webglcontextrestored', this.restored);
    this.renderer.dispose();
    this.canvas.remove();
  }
}

function makeRenderer(canvas: HTMLCanvasElement): THREE.WebGLRenderer {
  const context = canvas.getContext('webgl2', { antialias: true, powerPreference: 'high-performance' });
  if (!context) {
    throw new ViewFailure('no_webgl', 'This browser offers no WebGL 2, so there is no 3D view; everything else works.');
  }
  const renderer = new THREE.WebGLRenderer({ canvas, context });
  renderer.localClippingEnabled = true;
  return renderer;
}
