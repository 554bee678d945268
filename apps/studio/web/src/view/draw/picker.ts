// What lies under the pointer. A mesh gets its tree the first time a ray comes near it.

import * as THREE from 'three';
import { MeshBVH } from 'three-mesh-bvh';
import type { PackedMesh, Part, Pick, Point } from '../contract';
import { centreOf, radiusOf } from '../math/bounds';
import { transform, writeMatrix } from '../math/poses';
import type { Parts } from '../parts';
import type { Figure, Figures } from './figures';
import type { Section } from './materials';

const kMinOpacity = 0.05;

interface Hit { distance: number; point: THREE.Vector3; normal: THREE.Vector3 }

export class Picker {
  private readonly trees = new Map<number, MeshBVH>();
  private readonly toWorld = new THREE.Matrix4();

  constructor(private readonly meshes: readonly PackedMesh[], private readonly figures: Figures, private readonly parts: Parts) {}

  pick(ray: THREE.Ray, section: Section | null): Pick | null {
    let best: Hit | null = null;
    let part = -1;
    for (const figure of this.figures.list) {
      if (!this.isPickable(figure) || !this.comesNear(ray, figure)) continue;
      const hit = this.hit(ray, figure, section);
      if (hit && (!best || hit.distance < best.distance)) {
        best = hit;
        part = figure.body;
      }
    }
    if (!best) return null;
    const { point, normal } = best;
    return { part, point: [point.x, point.y, point.z], normal: [normal.x, normal.y, normal.z] };
  }

  /** Every part that the ray meets before `far`, but for what lies nearer than `near`. */
  partsOn(ray: THREE.Ray, near: number, far: number): Set<Part> {
    const found = new Set<Part>();
    for (const figure of this.figures.list) {
      if (found.has(figure.body) || !this.parts.isShown(figure.geometry) || !this.comesNear(ray, figure)) continue;
      if (this.isCrossed(ray, figure, near, far)) found.add(figure.body);
    }
    return found;
  }

  private isCrossed(ray: THREE.Ray, figure: Figure, near: number, far: number): boolean {
    const local = this.toLocal(ray, figure);
    return this.tree(figure.mesh).raycast(local, THREE.DoubleSide).some(({ distance }) => distance > near && distance < far);
  }

  private isPickable(figure: Figure): boolean {
    return this.parts.isShown(figure.geometry) && !this.parts.isFaded(figure.body) && this.parts.drawn(figure.geometry).opacity > kMinOpacity;
  }

  private comesNear(ray: THREE.Ray, figure: Figure): boolean {
    const box = this.figures.boxes[figure.mesh];
    const centre = new THREE.Vector3(...transform(figure.world, centreOf(box)));
    return ray.distanceToPoint(centre) <= radiusOf(box) * 1.001 + 1e-9;
  }

  private hit(ray: THREE.Ray, figure: Figure, section: Section | null): Hit | null {
    const local = this.toLocal(ray, figure);
    let best: Hit | null = null;
    for (const found of this.tree(figure.mesh).raycast(local, THREE.DoubleSide)) {
      if (best && found.distance >= best.distance) continue;
      const point = found.point.clone().applyMatrix4(this.toWorld);
      if (section && isCutAway(section, [point.x, point.y, point.z])) continue;
      const normal = found.face!.normal.clone().transformDirection(this.toWorld);
      best = { distance: found.distance, point, normal };
    }
    return best;
  }

  private toLocal(ray: THREE.Ray, figure: Figure): THREE.Ray {
    writeMatrix(figure.world, this.toWorld.elements);
    return ray.clone().applyMatrix4(this.toWorld.clone().invert());
  }

  private tree(mesh: number): MeshBVH {
    let tree = this.trees.get(mesh);
    if (!tree) {
      const { positions, levels } = this.meshes[mesh];
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute('position', new THREE.BufferAttribute(positions, 3));
      geometry.setIndex(new THREE.BufferAttribute(levels[0].indices.slice(), 1)); // The tree sorts them in place.
      tree = new MeshBVH(geometry);
      this.trees.set(mesh, tree);
    }
    return tree;
  }
}

function isCutAway(section: Section, p: Point): boolean {
  return section.normal[0] * p[0] + section.normal[1] * p[1] + section.normal[2] * p[2] > section.offset;
}
