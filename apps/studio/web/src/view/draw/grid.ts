// The floor: lines in metres whose spacing follows the distance of the eye, fading out, with the X and Y axes in colour.

import * as THREE from 'three';
import { gridSpacing } from '../math/camera';
import { kAxisColours, type Palette } from './palette';

/** How many spacings the floor reaches from the point that is looked at. */
const kReach = 60;
/** It fades out round about; corners would only be drawn for nothing. */
const kSides = 48;

const kVertex = /* glsl */ `
  varying vec2 place;
  void main() {
    vec4 world = modelMatrix * vec4(position, 1.0);
    place = world.xy;
    gl_Position = projectionMatrix * viewMatrix * world;
  }`;

const kFragment = /* glsl */ `
  uniform vec2 centre;
  uniform float spacing, reach, opacity;
  uniform vec3 ink, xAxis, yAxis;
  varying vec2 place;
  float lines(float step, vec2 pixel) {
    vec2 p = place / step;
    vec2 width = pixel / step;
    vec2 off = abs(fract(p - 0.5) - 0.5) / max(width, 1e-6);
    // Lines nearer than some pixels would flicker: they fade before.
    float density = 1.0 - smoothstep(0.15, 0.45, max(width.x, width.y));
    return (1.0 - min(min(off.x, off.y), 1.0)) * density;
  }
  void main() {
    float fade = 1.0 - smoothstep(0.25 * reach, reach, distance(place, centre));
    vec2 pixel = fwidth(place); // costs the most here: taken once
    float strength = max(0.45 * lines(spacing, pixel), lines(10.0 * spacing, pixel));
    vec2 off = abs(place) / max(pixel, vec2(1e-9));
    float onX = 1.0 - min(off.y / 1.5, 1.0), onY = 1.0 - min(off.x / 1.5, 1.0);
    vec3 colour = mix(mix(ink, xAxis, step(0.01, onX)), yAxis, step(0.01, onY) * step(onX, 0.01));
    float alpha = max(strength * opacity, 0.9 * max(onX, onY)) * fade;
    if (alpha < 0.004) discard;
    gl_FragColor = vec4(colour, alpha);
    #include <colorspace_fragment>
  }`;

export class Grid {
  readonly mesh: THREE.Mesh<THREE.CircleGeometry, THREE.ShaderMaterial>;
  spacing = 1;

  /** `height`: where the floor lies. */
  constructor(height: number) {
    const material = new THREE.ShaderMaterial({
      vertexShader: kVertex, fragmentShader: kFragment, transparent: true, depthWrite: false, side: THREE.DoubleSide,
      uniforms: {
        centre: { value: new THREE.Vector2() }, spacing: { value: 1 }, reach: { value: 1 }, opacity: { value: 1 },
        ink: { value: new THREE.Color() }, xAxis: { value: new THREE.Color(kAxisColours.x) },
        yAxis: { value: new THREE.Color(kAxisColours.y) },
      },
      // Parts that stand on the floor win against it.
      polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 4,
    });
    this.mesh = new THREE.Mesh(new THREE.CircleGeometry(1, kSides), material);
    this.mesh.position.z = height;
    this.mesh.frustumCulled = false;
  }

  follow(target: THREE.Vector3, distance: number): void {
    this.spacing = gridSpacing(distance);
    const reach = this.spacing * kReach;
    const { uniforms } = this.mesh.material;
    uniforms.centre.value.set(target.x, target.y);
    uniforms.spacing.value = this.spacing;
    uniforms.reach.value = reach;
    this.mesh.position.setX(target.x).setY(target.y);
    this.mesh.scale.setScalar(reach);
  }

  setPalette(palette: Palette): void {
    this.mesh.material.uniforms.ink.value.set(palette.grid);
    this.mesh.material.uniforms.opacity.value = palette.gridOpacity;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}
