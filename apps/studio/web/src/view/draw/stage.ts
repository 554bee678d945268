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
  readonly canvas: HTMLCanvasElement;
  readonly renderer: THREE.WebGLRenderer;
  private readonly isSoftware: boolean;
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(40, 1, 0.01, 100);
  private readonly sky = new THREE.HemisphereLight();
  private readonly key = new THREE.DirectionalLight();
  private readonly fill = new THREE.DirectionalLight();
  private readonly observer: ResizeObserver;
  /** The picture that was drawn last. */
  private drawn = { width: 0, height: 0, ratio: 0 };
  private frame = 0;
  private waiting: (() => void)[] = [];
  private isLost = false;
  private readonly quality = new Quality();
  private movedAt = -Infinity;
  private drawnAt = -Infinity;
  private rest = 0;
  private isUpToDate = false; // and in full quality
  private onGraphics: (state: 'lost' | 'back') => void = () => {};

  /** `draw` prepares a frame and says whether another one must follow (the camera is still on its way). */
  constructor(private readonly host: HTMLElement, private readonly draw: (now: number, coarseness: number) => boolean) {
    const { renderer, isSoftware } = prepared ?? makeGraphics();
    prepared = null;
    this.isSoftware = isSoftware;
    this.renderer = renderer;
    this.canvas = renderer.domElement;
    this.canvas.style.cssText = 'display:block;position:absolute;inset:0;width:100%;height:100%;touch-action:none';
    host.append(this.canvas);
    this.addLights();
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(host);
    this.canvas.addEventListener('webglcontextlost', this.lost);
    this.canvas.addEventListener('webglcontextrestored', this.restored);
    this.fitCamera();
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
    const isSame = this.drawn.width === this.width && this.drawn.height === this.height;
    if (isSame || this.isLost) return;
    // A canvas that changed its size is empty until it is drawn: at once, or it flickers.
    cancelAnimationFrame(this.frame);
    this.tick(performance.now());
  }

  /** Nothing is drawn before the host stands in the page; then at once. */
  private hasSize(): boolean {
    return this.host.clientWidth > 0 && this.host.clientHeight > 0;
  }

  /** To the shape that the host has now. */
  fitCamera(): void {
    this.camera.aspect = this.width / this.height;
    this.camera.updateProjectionMatrix();
  }

  /** Size and sharpness of the next picture, both at once: each change makes the graphics take new memory. */
  private fitPicture(wantedRatio: number): void {
    const { width, height } = this;
    const ratio = Math.min(wantedRatio, Math.sqrt(kMaxPixels / (width * height)));
    const isSame = this.drawn.width === width && this.drawn.height === height && this.drawn.ratio === ratio;
    if (isSame) return;
    this.drawn = { width, height, ratio };
    this.renderer.setDrawingBufferSize(width, height, ratio);
    this.fitCamera();
  }

  private screenRatio(): number {
    return Math.min(window.devicePixelRatio || 1, kMaxPixelRatio);
  }

  request(): void {
    this.isUpToDate = false;
    if (this.frame === 0 && !this.isLost) this.frame = requestAnimationFrame(this.tick);
  }

  /** When all that was asked for so far has been drawn; at once where nothing can be drawn. */
  settled(): Promise<void> {
    if (this.isLost || !this.hasSize() || (this.isUpToDate && this.frame === 0)) return Promise.resolve();
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

  /** Makes the graphics compile what they need while the page is still being built. */
  prepare(): void {
    this.renderer.compile(this.scene, this.camera);
  }

  /** In full quality. */
  private drawNow(now: number): boolean {
    const isAffordable = this.waiting.length > 0 || this.quality.coarseness <= 2;
    this.fitPicture(this.isSoftware && isAffordable ? kMaxPixelRatio : this.screenRatio());
    const goesOn = this.render(now, 1, true);
    this.isUpToDate = !goesOn && (isAffordable || !this.isSoftware);
    return goesOn;
  }

  private drawMoving(now: number): boolean {
    const { coarseness } = this.quality;
    this.fitPicture((this.isSoftware ? 1 : this.screenRatio()) * (coarseness >= kBlurFrom ? kBlur : 1));
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
    this.fitPicture(kMaxPixelRatio);
    this.render(performance.now(), 1, false); // The buffer can be read only right after it was drawn.
    return this.canvas.toDataURL('image/png');
  }

  listenToGraphics(listener: (state: 'lost' | 'back') => void): void {
    this.onGraphics = listener;
  }

  private readonly tick = (now: number): void => {
    this.frame = 0;
    if (!this.hasSize()) return;
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
    this.drawn = { width: 0, height: 0, ratio: 0 };
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

interface Graphics { renderer: THREE.WebGLRenderer; isSoftware: boolean }

let prepared: Graphics | null = null;

/** Makes what the next stage will need before there is a scene: it takes long, and waiting for a scene is time to spare. */
export function prepareGraphics(): void {
  try {
    prepared ??= makeGraphics();
  } catch {
    // Who makes the stage is told.
  }
}

/**
 * With smooth edges, unless the processor draws. Which it does is known only of a context, and edges are chosen before
 * there is one: so it is made without them first. Where it can stay, that saves making another, which takes long there.
 */
function makeGraphics(): Graphics {
  const plain = askContext(false);
  const isSoftware = isDrawnInSoftware(plain);
  if (!isSoftware) plain.getExtension('WEBGL_lose_context')?.loseContext();
  const context = isSoftware ? plain : askContext(true);
  const renderer = new THREE.WebGLRenderer({ canvas: context.canvas as HTMLCanvasElement, context });
  renderer.localClippingEnabled = true;
  return { renderer, isSoftware };
}

function askContext(antialias: boolean): WebGL2RenderingContext {
  // The background fills the picture: nothing of the page shows through, and nobody need mix the two.
  const context = document.createElement('canvas').getContext('webgl2', { antialias, alpha: false, powerPreference: 'high-performance' });
  if (context) return context;
  throw new ViewFailure('no_webgl', 'This browser offers no WebGL 2, so there is no 3D view; everything else works.');
}

function isDrawnInSoftware(gl: WebGL2RenderingContext): boolean {
  const info = gl.getExtension('WEBGL_debug_renderer_info');
  return info !== null && kSoftware.test(String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)));
}
