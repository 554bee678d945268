// Lines through places: the way of a link, coloured along it.

import * as THREE from 'three';
import { Line2 } from 'three/addons/lines/Line2.js';
import { LineGeometry } from 'three/addons/lines/LineGeometry.js';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { toLinear } from '../parts';

const kWidthPx = 3;

export class Traces {
  readonly group = new THREE.Group();
  private readonly lines = new Map<string, Line2>();

  /** `colours`: r g b per place as on the page, so that a trace has the colours of the ribbon; white without. */
  set(id: string, points: Float32Array | null, colours?: Float32Array): void {
    this.remove(id);
    if (!points || points.length < 6) return;
    const geometry = new LineGeometry();
    geometry.setPositions(points);
    geometry.setColors(colours?.length === points.length ? colours.map(toLinear) : new Float32Array(points.length).fill(1));
    const line = new Line2(geometry, new LineMaterial({ linewidth: kWidthPx, vertexColors: true }));
    line.frustumCulled = false;
    this.lines.set(id, line);
    this.group.add(line);
  }

  private remove(id: string): void {
    const line = this.lines.get(id);
    if (!line) return;
    this.group.remove(line);
    line.geometry.dispose();
    line.material.dispose();
    this.lines.delete(id);
  }

  dispose(): void {
    for (const id of [...this.lines.keys()]) this.remove(id);
  }
}
