// The two materials of all parts, solid and see-through, and the section that both obey.

import * as THREE from 'three';
import type { Point } from '../contract';

export interface Section { normal: Point; offset: number }

export class PartMaterials {
  readonly solid = this.make(false);
  readonly clear = this.make(true);
  section: Section | null = null;
  private readonly cut = { colour: { value: new THREE.Color() }, on: { value: 0 } };

  setSection(section: Section | null): void {
    this.section = section;
    this.cut.on.value = section ? 1 : 0;
    // three cuts away where the distance is negative: the far side of our normal.
    const planes = section
      ? [new THREE.Plane(new THREE.Vector3(...section.normal).negate(), section.offset)]
      : [];
    this.solid.clippingPlanes = planes;
    this.clear.clippingPlanes = planes;
  }

  setSectionColour(hex: string): void {
    this.cut.colour.value.set(hex);
  }

  dispose(): void {
    this.solid.dispose();
    this.clear.dispose();
  }

  private make(transparent: boolean): THREE.MeshPhongMaterial {
    const material = new THREE.MeshPhongMaterial({
      specular: 0x1c1c1c, shininess: 28, side: THREE.DoubleSide, transparent, depthWrite: !transparent,
    });
    material.forceSinglePass = true;
    // A ghost that stands where the part itself is must not flicker through it.
    material.polygonOffset = transparent;
    material.polygonOffsetFactor = 1;
    material.polygonOffsetUnits = 1;
    if (!transparent) material.onBeforeCompile = (shader) => this.fillCuts(shader); // who is seen through is not solid
    return material;
  }

  /** Where a section is on, the inside of a part is drawn flat, so that the cut reads as solid. */
  private fillCuts(shader: THREE.WebGLProgramParametersWithUniforms): void {
    shader.uniforms.cutColour = this.cut.colour;
    shader.uniforms.cutOn = this.cut.on;
    shader.fragmentShader = `uniform vec3 cutColour;\nuniform float cutOn;\n${shader.fragmentShader}`.replace(
      '#include <opaque_fragment>',
      `#include <opaque_fragment>
      if (cutOn > 0.5 && !gl_FrontFacing) gl_FragColor.rgb = cutColour;`,
    );
  }
}
