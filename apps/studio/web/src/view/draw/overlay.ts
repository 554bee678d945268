// Lines and words over the picture, as one SVG: crisp at any size, readable in print, and never hidden by parts.

import * as THREE from 'three';
import type { Marks, Point } from '../contract';
import { breakLabel, kEdge, kLetter, kLine, placeLabel, type Place } from '../math/labels';
import { kAxisColours, type Palette } from './palette';

type GapKind = 'clear' | 'touch' | 'measure';
interface Gap {
  a: Point; b: Point; label: string; group: SVGGElement; line: SVGLineElement; dots: SVGCircleElement[]; text: SVGTextElement;
  shown: string;
}

const kGapColours: Record<GapKind, string> = { clear: '#f5a524', touch: '#f0494f', measure: '#3b9dff' };
const kTriad = { x: 44, fromBottom: 44, length: 26 };

export class Overlay implements Marks {
  private readonly svg = make('svg', { class: 'view-overlay', 'aria-hidden': 'true' });
  private readonly gaps = new Map<string, Gap>();
  private readonly triad: { axis: THREE.Vector3; line: SVGLineElement; text: SVGTextElement }[];
  private readonly scale = make('text', { 'font-size': '11', 'text-anchor': 'end' });
  private halo = '#000';
  /** How the last frame was seen. */
  private seen: { camera: THREE.PerspectiveCamera; width: number; height: number } | null = null;

  constructor(host: HTMLElement) {
    this.svg.style.cssText = 'position:absolute;inset:0;width:100%;height:100%;pointer-events:none';
    this.triad = (['x', 'y', 'z'] as const).map((name, k) => this.makeAxis(name, k));
    this.svg.append(this.scale);
    host.append(this.svg);
  }

  private makeAxis(name: 'x' | 'y' | 'z', k: number): Overlay['triad'][number] {
    const colour = kAxisColours[name];
    const line = make('line', { stroke: colour, 'stroke-width': '2.5', 'stroke-linecap': 'round' });
    const text = make('text', { 'font-size': '12', 'font-weight': '600', 'text-anchor': 'middle', fill: colour });
    text.textContent = name.toUpperCase();
    this.svg.append(line, text);
    return { axis: new THREE.Vector3().setComponent(k, 1), line, text };
  }

  gap(id: string, a: Point, b: Point, label: string, kind: GapKind): void {
    this.remove(id);
    const colour = kGapColours[kind];
    const group = make('g', { class: 'view-mark' });
    const line = make('line', { stroke: colour, 'stroke-width': '2', 'stroke-dasharray': kind === 'measure' ? '5 3' : '' });
    const dots = [0, 1].map(() => make('circle', { r: '4.5', fill: colour, stroke: '#ffffff', 'stroke-width': '1.5' }));
    const text = make('text', { 'font-size': '13', 'font-weight': '600', class: 'view-label' });
    group.append(line, ...dots, text);
    this.svg.append(group);
    const gap = { a, b, label, group, line, dots, text, shown: '' };
    this.gaps.set(id, gap);
    if (this.seen) this.placeGap(gap, this.seen.camera, this.seen.width, this.seen.height); // needs no new picture
  }

  remove(id: string): void {
    this.gaps.get(id)?.group.remove();
    this.gaps.delete(id);
  }

  setPalette(palette: Palette): void {
    this.halo = palette.halo;
    this.svg.style.fill = palette.ink;
    this.svg.style.fontFamily = 'system-ui, sans-serif';
  }

  /** Puts everything where the camera sees it now. The picture is width by height pixels of the page. */
  update(camera: THREE.PerspectiveCamera, width: number, height: number, spacing: number): void {
    this.seen = { camera, width, height };
    set(this.svg, { viewBox: `0 0 ${width} ${height}` });
    this.placeTriad(camera, height);
    this.scale.textContent = `grid ${formatLength(spacing)}`;
    set(this.scale, { x: `${width - 12}`, y: `${height - 12}`, opacity: '0.75' });
    for (const gap of this.gaps.values()) this.placeGap(gap, camera, width, height);
  }

  private placeTriad(camera: THREE.PerspectiveCamera, height: number): void {
    const inverse = camera.quaternion.clone().invert();
    const y0 = height - kTriad.fromBottom;
    const ends = this.triad.map(({ axis, line, text }) => ({ line, text, end: axis.clone().applyQuaternion(inverse) }));
    // The axis that points to us is drawn last, over the others.
    ends.sort((a, b) => a.end.z - b.end.z);
    for (const { line, text, end } of ends) {
      const x = kTriad.x + end.x * kTriad.length;
      const y = y0 - end.y * kTriad.length;
      set(line, { x1: `${kTriad.x}`, y1: `${y0}`, x2: `${x}`, y2: `${y}` });
      set(text, { x: `${kTriad.x + end.x * (kTriad.length + 11)}`, y: `${y0 - end.y * (kTriad.length + 11) + 4}` });
      this.addHalo(text);
      this.svg.append(line, text);
    }
  }

  private placeGap(gap: Gap, camera: THREE.PerspectiveCamera, width: number, height: number): void {
    const ends = [gap.a, gap.b].map((point) => project(point, camera, width, height));
    const [a, b] = ends;
    gap.group.style.display = a && b ? '' : 'none';
    if (!a || !b) return;
    set(gap.line, { x1: `${a.x}`, y1: `${a.y}`, x2: `${b.x}`, y2: `${b.y}` });
    gap.dots.forEach((dot, k) => set(dot, { cx: `${ends[k]!.x}`, cy: `${ends[k]!.y}` }));
    this.placeWords(gap, a, b, width, height);
  }

  /** Beside the mark where there is room, always within the picture; what is longer than that is broken and cut. */
  private placeWords(gap: Gap, a: Place, b: Place, width: number, height: number): void {
    const inSight = [a, b].some(({ x, y }) => x >= 0 && x <= width && y >= 0 && y <= height);
    gap.text.style.display = inSight ? '' : 'none';
    if (!inSight) return;
    const lines = breakLabel(gap.label, Math.floor((width - 2 * kEdge) / kLetter));
    if (gap.shown !== lines.join('\n')) {
      gap.shown = lines.join('\n');
      gap.text.replaceChildren(...lines.map((line, k) => {
        const span = make('tspan', { dy: k === 0 ? '0' : `${kLine}` });
        span.textContent = line;
        return span;
      }));
    }
    const { x, y } = placeLabel({ wide: kLetter * Math.max(...lines.map((line) => line.length)), lines: lines.length }, a, b, width, height);
    for (const span of gap.text.children) set(span, { x: `${x}` });
    set(gap.text, { x: `${x}`, y: `${y}` });
    this.addHalo(gap.text);
  }

  private addHalo(text: SVGTextElement): void {
    set(text, { 'paint-order': 'stroke', stroke: this.halo, 'stroke-width': '3.5', 'stroke-linejoin': 'round' });
  }

  dispose(): void {
    this.svg.remove();
  }
}

export function formatLength(metres: number): string {
  if (metres >= 1000) return `${metres / 1000} km`;
  if (metres >= 1) return `${metres} m`;
  if (metres >= 0.01) return `${Math.round(metres * 100)} cm`;
  return metres >= 0.001 ? `${Math.round(metres * 1000)} mm` : `${Number((metres * 1e6).toPrecision(3))} µm`;
}

function project(point: Point, camera: THREE.PerspectiveCamera, width: number, height: number): Place | null {
  const p = new THREE.Vector3(...point).applyMatrix4(camera.matrixWorldInverse);
  if (p.z > -camera.near) return null;
  p.applyMatrix4(camera.projectionMatrix);
  return { x: ((p.x + 1) / 2) * width, y: ((1 - p.y) / 2) * height };
}

function make<K extends keyof SVGElementTagNameMap>(name: K, attributes: Record<string, string>): SVGElementTagNameMap[K] {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  set(element, attributes);
  return element;
}

function set(element: Element, attributes: Record<string, string>): void {
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== '') element.setAttribute(key, value);
  }
}
