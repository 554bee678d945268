// Spaces that are seen through and cannot be picked: what a motion sweeps.

import * as THREE from 'three';
import type { Triangles } from '../contract';

const kColour = '#f0a030';
const kOpacity = 0.25;

export class Spaces {
  readonly group = new THREE.Group();
  private readonly material = new THREE.MeshPhongMaterial({
    color: kColour, transparent: true, opacity: kOpacity, depthWrite: false, side: THREE.DoubleSide, specular: 0x000000,
  });
  private readonly meshes = new Map<string, THREE.Mesh>();

  constructor() {
    this.material.forceSinglePass = true;
  }

  set(id: string, triangles: Triangles | null): void {
    this.remove(id);
    if (!triangles || triangles.length < 9) return;
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(triangles, 3));
    geometry.computeVertexNormals();
    const mesh = new THREE.Mesh(geometry, this.material);
    mesh.renderOrder = 2; // over parts that are seen through
    this.meshes.set(id, mesh);
    this.group.add(mesh);
  }

  private remove(id: string): void {
    const mesh = this.meshes.get(id);
    if (!mesh) return;
    this.group.remove(mesh);
    mesh.geometry.dispose();
    this.meshes.delete(id);
  }

  dispose(): void {
    for (const id of [...this.meshes.keys()]) this.remove(id);
    this.material.dispose();
  }
}
