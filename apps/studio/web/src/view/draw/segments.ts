// Thin lines between pairs of places: how a search grows.

import * as THREE from 'three';

export class Segments {
  readonly group = new THREE.Group();
  private readonly material = new THREE.LineBasicMaterial({ transparent: true, opacity: 0.7, depthWrite: false });
  private readonly lines = new Map<string, THREE.LineSegments>();

  set(id: string, points: Float32Array | null): void {
    this.remove(id);
    if (!points || points.length < 6) return;
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(points, 3));
    const line = new THREE.LineSegments(geometry, this.material);
    line.frustumCulled = false;
    this.lines.set(id, line);
    this.group.add(line);
  }

  setColour(colour: string): void {
    this.material.color.set(colour);
  }

  private remove(id: string): void {
    const line = this.lines.get(id);
    if (!line) return;
    this.group.remove(line);
    line.geometry.dispose();
    this.lines.delete(id);
  }

  dispose(): void {
    for (const id of [...this.lines.keys()]) this.remove(id);
    this.material.dispose();
  }
}
