// A floor under the scene: shadow, and a grid of 1, 2 or 5 times a power of ten that fades away.
import * as THREE from 'three';

const VERTEX = `
  varying vec2 place;
  void main() {
    vec4 world = modelMatrix * vec4(position, 1.0);
    place = world.xz;
    gl_Position = projectionMatrix * viewMatrix * world;
  }`;

const FRAGMENT = `
  varying vec2 place;
  uniform vec2 centre;
  uniform float cell, reach;
  float line(float size, float width) {
    vec2 p = place / size;
    vec2 apart = abs(fract(p - 0.5) - 0.5) / fwidth(p);
    return 1.0 - smoothstep(width - 0.5, width + 0.5, min(apart.x, apart.y));
  }
  void main() {
    float ink = max(0.16 * line(cell, 0.7), 0.32 * line(5.0 * cell, 0.9));
    float fade = 1.0 - smoothstep(0.45, 1.0, distance(place, centre) / reach);
    gl_FragColor = vec4(vec3(0.25, 0.29, 0.34), ink * fade);
  }`;

/** The largest of 1, 2, 5 times a power of ten that is not above `length`. */
function roundDown(length) {
  const power = 10 ** Math.floor(Math.log10(length));
  return power * [5, 2, 1].find((factor) => factor * power <= length * (1 + 1e-9));
}

export class Ground extends THREE.Group {
  constructor(box) {
    super();
    const size = box.getSize(new THREE.Vector3());
    const centre = box.getCenter(new THREE.Vector3());
    const extent = Math.max(size.x, size.z, 0.5 * size.y);
    const reach = 2.2 * extent;
    const plane = new THREE.PlaneGeometry(2 * reach, 2 * reach).rotateX(-Math.PI / 2);
    const grid = new THREE.ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: {
        centre: { value: new THREE.Vector2(centre.x, centre.z) },
        cell: { value: roundDown(extent / 8) },
        reach: { value: reach },
      },
      transparent: true,
      depthWrite: false,
    });
    const shadow = new THREE.Mesh(plane, new THREE.ShadowMaterial({ opacity: 0.22, depthWrite: false }));
    shadow.receiveShadow = true;
    const lines = new THREE.Mesh(plane, grid);
    this.position.set(centre.x, box.min.y - 1e-3 * extent, centre.z);
    // Behind everything see-through.
    shadow.renderOrder = -2;
    lines.renderOrder = -1;
    this.add(shadow, lines);
  }
}
