// One three.BatchedMesh: all meshes with all their levels in one pair of buffers, drawn by one call.

import * as THREE from 'three';
import type { PackedMesh, Pose } from '../contract';
import { writeMatrix } from '../math/poses';
import { compactLevel } from '../math/levels';

const kGrowth = 1.5;

export class Batch {
  readonly mesh: THREE.BatchedMesh;
  /** Per mesh and level the id of the geometry in the batch. */
  private readonly levelIds: number[][];
  private readonly matrix = new THREE.Matrix4();
  private readonly colour = new THREE.Vector4();

  /** `like`: a batch of the same meshes whose buffers this one uses too. */
  constructor(meshes: readonly PackedMesh[], instances: number, material: THREE.Material, like?: Batch) {
    const levels = meshes.map((mesh) => mesh.levels.map((_, level) => compactLevel(mesh, level)));
    const flat = levels.flat();
    const vertices = flat.reduce((sum, level) => sum + level.positions.length / 3, 0);
    const indices = flat.reduce((sum, level) => sum + level.indices.length, 0);
    this.mesh = new THREE.BatchedMesh(Math.max(instances, 1), Math.max(vertices, 1), Math.max(indices, 1), material);
    this.mesh.frustumCulled = false; // Each instance is culled by itself; the whole is nearly always in sight.
    this.levelIds = levels.map((ofMesh) => ofMesh.map((level) => this.mesh.addGeometry(makeGeometry(level))));
    if (like) {
      // Same meshes in the same order: the ranges are the same, and the graphics card holds the buffers once.
      this.mesh.geometry.dispose();
      this.mesh.geometry = like.mesh.geometry;
    }
  }

  add(mesh: number): number {
    if (this.mesh.instanceCount >= this.mesh.maxInstanceCount) {
      this.mesh.setInstanceCount(Math.ceil(this.mesh.maxInstanceCount * kGrowth) + 8);
    }
    return this.mesh.addInstance(this.levelIds[mesh][0]);
  }

  remove(instance: number): void {
    this.mesh.deleteInstance(instance);
  }

  setPose(instance: number, pose: Pose): void {
    writeMatrix(pose, this.matrix.elements);
    this.mesh.setMatrixAt(instance, this.matrix);
  }

  setColour(instance: number, r: number, g: number, b: number, opacity: number): void {
    this.mesh.setColorAt(instance, this.colour.set(r, g, b, opacity));
  }

  setVisible(instance: number, visible: boolean): void {
    this.mesh.setVisibleAt(instance, visible);
  }

  setLevel(instance: number, mesh: number, level: number): void {
    this.mesh.setGeometryIdAt(instance, this.levelIds[mesh][level]);
  }
}

function makeGeometry(level: { positions: Float32Array; normals: Int8Array; indices: Uint32Array }): THREE.BufferGeometry {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(level.positions, 3));
  geometry.setAttribute('normal', new THREE.BufferAttribute(level.normals, 4, true));
  geometry.setIndex(new THREE.BufferAttribute(level.indices, 1));
  geometry.computeBoundingSphere();
  return geometry;
}
