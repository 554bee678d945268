// Canvas, renderer, lights, and the rule that a frame is drawn only when something changed.

import * as THREE from 'three';
import { ViewFailure } from '../contract';
import { Quality } from '../math/quality';
import type { Palette } from './palette';

const kMaxPixelRatio = 2;
/** More pixels than this are not worth their time, whatever the screen has. */
const kMaxPixels = 5e6;
/** Where the processor draws, smooth edges cost three times the frame; still pictures get them by more pixels instead. */
const kSoftware = /swiftshader|llvmpipe|softpipe|software|basic render/i;
/** Moving pictures as coarse as this get fewer pixels too. */
const kBlurFrom = 4;
const kBlur = 0.6;
/** After so long without motion the picture is drawn in full, in ms. */
const kRestMs = 160;

export class Stage {
  readonly canvas = document.createElement('canvas');
  readonly renderer: THREE.WebGLRenderer;
  private readonly isSoftware = detectSoftware();
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(40, 1, 0.01, 100);
  private readonly sky = new THREE.HemisphereLight();
  private readonly key = new THREE.DirectionalLight();
  private readonly fill = new THREE.DirectionalLight();
  private readonly observer: ResizeObserver;
  private fitted = { width: 0, height: 0 };
  private frame = 0;
  private waiting: (() => void)[] = [];
  private isLost = false;
  private readonly quality = new Quality();
  private movedAt = -Infinity;
  private drawnAt = -Infinity;
  private rest = 0;
  private onGraphics: (state: 'lost' | 'back') => void = () => {};

  /** `draw` prepares a frame and says whether another one must follow (the camera is still on its way). */
  constructor(private readonly host: HTMLElement, private readonly draw: (now: number, coarseness: number) => boolean) {
    this.renderer = makeRenderer(this.canvas, !this.isSoftware);
    this.canvas.style.cssText = 'display:block;position:absolute;inset:0;width:100%;height:100%;touch-action:none';
    host.append(this.canvas);
    this.addLights();
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(host);
    this.canvas.addEventListener('webglcontextlost', this.lost);
    this.canvas.addEventListener('webglcontextrestored', this.restored);
    this.fitHost();
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
    const isSame = this.fitted.width === this.width && this.fitted.height === this.height;
    if (isSame || this.isLost) return;
    this.fitHost();
    this.drawNow(); // A canvas that changed its size is empty until it is drawn: at once, or it flickers.
  }

  private fitHost(): void {
    const { width, height } = this;
    this.fitted = { width, height };
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
  }

  private setSharpness(ratio: number): void {
    const affordable = Math.min(ratio, Math.sqrt(kMaxPixels / (this.width * this.height)));
    if (this.renderer.getPixelRatio() !== affordable) this.renderer.setPixelRatio(affordable);
  }

  private screenRatio(): number {
    return Math.min(window.devicePixelRatio || 1, kMaxPixelRatio);
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

  /** Says that the scene moves: frames may be coarse until it rests. */
  moving(): void {
    this.movedAt = performance.now();
  }

  /** How long nothing has been drawn, in ms. */
  idleTime(): number {
    return performance.now() - this.drawnAt;
  }

  /** In full quality. */
  drawNow(now = performance.now()): boolean {
    const isAffordable = this.waiting.length > 0 || this.quality.coarseness <= 2;
    this.setSharpness(this.isSoftware && isAffordable ? kMaxPixelRatio : this.screenRatio());
    return this.render(now, 1, true);
  }

  private drawMoving(now: number): boolean {
    const { coarseness } = this.quality;
    this.setSharpness((this.isSoftware ? 1 : this.screenRatio()) * (coarseness >= kBlurFrom ? kBlur : 1));
    const goesOn = this.render(now, coarseness, this.quality.wantsTime());
    if (coarseness > 1 || this.isSoftware) this.drawInFullAtRest();
    return goesOn;
  }

  private render(now: number, coarseness: number, isTimed: boolean): boolean {
    const begin = performance.now();
    const goesOn = this.draw(now, coarseness);
    this.renderer.render(this.scene, this.camera);
    if (isTimed) {
      // Reading a pixel waits for the graphics, so that the time is theirs too.
      const gl = this.renderer.getContext();
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
      this.quality.took(performance.now() - begin);
    }
    this.drawnAt = performance.now();
    return goesOn;
  }

  private drawInFullAtRest(): void {
    window.clearTimeout(this.rest);
    this.rest = window.setTimeout(() => {
      if (performance.now() - this.movedAt < kRestMs) this.drawInFullAtRest();
      else this.request();
    }, kRestMs);
  }

  picture(): string | null {
    if (this.isLost) return null;
    this.setSharpness(kMaxPixelRatio);
    this.render(performance.now(), 1, false); // The buffer can be read only right after it was drawn.
    return this.canvas.toDataURL('image/png');
  }

  listenToGraphics(listener: (state: 'lost' | 'back') => void): void {
    this.onGraphics = listener;
  }

  private readonly tick = (now: number): void => {
    this.frame = 0;
    const isMoving = performance.now() - this.movedAt < kRestMs;
    // Whoever waits for the picture wants the full one.
    const inFull = !isMoving || this.waiting.length > 0;
    if (inFull ? this.drawNow(now) : this.drawMoving(now)) this.request();
    else if (inFull && this.frame === 0) this.release();
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
    this.fitHost();
    this.request();
    this.onGraphics('back');
  };

  dispose(): void {
    this.observer.disconnect();
    window.clearTimeout(this.rest);
    cancelAnimationFrame(this.frame);
    this.release();
    this.canvas.removeEventListener('webglcontextlost', this.lost);
    this.canvas.removeEventListener('webglcontextrestored', this.restored);
    this.renderer.dispose();
    this.canvas.remove();
  }
}

function makeRenderer(canvas: HTMLCanvasElement, antialias: boolean): THREE.WebGLRenderer {
  const context = canvas.getContext('webgl2', { antialias, powerPreference: 'high-performance' });
  if (!context) {
    throw new ViewFailure('no_webgl', 'This browser offers no WebGL 2, so there is no 3D view; everything else works.');
  }
  const renderer = new THREE.WebGLRenderer({ canvas, context });
  renderer.localClippingEnabled = true;
  return renderer;
}

/** Asked of a context of its own: with edges or without is decided when one is made. */
function detectSoftware(): boolean {
  const gl = document.createElement('canvas').getContext('webgl2');
  const info = gl?.getExtension('WEBGL_debug_renderer_info');
  const name = gl && info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : '';
  gl?.getExtension('WEBGL_lose_context')?.loseContext();
  return kSoftware.test(name);
}
