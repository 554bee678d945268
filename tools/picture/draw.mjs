// Runs in the browser: a .glb as a lit picture. `draw` is called by picture.mjs.
import * as THREE from 'three';
import { RoomEnvironment } from 'three/addons/environments/RoomEnvironment.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { Ground } from './ground.mjs';

// Where the camera stands, in glTF's axes (Y up): geste's x, z, -y.
const VIEWS = {
  iso: { from: [1, 0.85, 1.25], up: [0, 1, 0] },
  front: { from: [0, 0, 1], up: [0, 1, 0] },
  back: { from: [0, 0, -1], up: [0, 1, 0] },
  left: { from: [-1, 0, 0], up: [0, 1, 0] },
  right: { from: [1, 0, 0], up: [0, 1, 0] },
  top: { from: [0, 1, 0], up: [0, 0, -1] },
};
const FIELD_OF_VIEW = 28; // degrees, vertical
const MARGIN = 1.1; // of the picture around the scene
const OVERSAMPLING = 2; // per axis, on top of the renderer's own smoothing
const GHOST_OPACITY = 0.28;
const EDGE_ANGLE = 35; // degrees
const MAX_EDGE_TRIANGLES = 200000; // edges of larger meshes say nothing and take long

/** A PNG as a data URL. See picture.mjs for the options. */
export async function draw(options) {
  const gltf = await new GLTFLoader().loadAsync('/model.glb');
  const model = new Model(gltf);
  const scene = new THREE.Scene();
  scene.background = new THREE.Color(options.background);
  scene.add(gltf.scene);

  model.setTime(options.time);
  if (options.edges) model.addEdges();
  for (const ghost of model.makeGhosts(options.ghosts, options.time)) scene.add(ghost);

  const points = collectCorners(scene);
  if (points.length === 0) throw new Error('the file draws nothing');
  const box = new THREE.Box3().setFromPoints(points);
  const camera = makeCamera(points, VIEWS[options.view], options.width / options.height);
  const renderer = makeRenderer(options.width * OVERSAMPLING, options.height * OVERSAMPLING);
  addLights(scene, renderer, box);
  if (options.grid) scene.add(new Ground(box));
  renderer.render(scene, camera);
  return shrink(renderer.domElement, options.width, options.height);
}

/** The loaded file: put at a time, or copied as a ghost of another time. */
class Model {
  constructor(gltf) {
    this.root = gltf.scene;
    this.mixer = new THREE.AnimationMixer(this.root);
    this.moving = new Set();
    for (const clip of gltf.animations) {
      const action = this.mixer.clipAction(clip);
      action.setLoop(THREE.LoopOnce);
      action.clampWhenFinished = true;
      action.play();
      for (const track of clip.tracks) this.moving.add(THREE.PropertyBinding.parseTrackName(track.name).nodeName);
    }
    this.root.traverse((node) => {
      if (!node.isMesh) return;
      const seen_through = node.material.transparent;
      node.castShadow = !seen_through;
      node.receiveShadow = !seen_through;
    });
  }

  setTime(time) {
    this.mixer.setTime(time);
    this.root.updateMatrixWorld(true);
  }

  meshes() {
    const meshes = [];
    this.root.traverse((node) => node.isMesh && meshes.push(node));
    return meshes;
  }

  addEdges() {
    const ink = new THREE.LineBasicMaterial({ color: 0x101418, transparent: true, opacity: 0.45 });
    const edges = new Map();
    for (const mesh of this.meshes()) {
      const { geometry } = mesh;
      if (geometry.index && geometry.index.count > 3 * MAX_EDGE_TRIANGLES) continue;
      if (!edges.has(geometry)) edges.set(geometry, new THREE.EdgesGeometry(geometry, EDGE_ANGLE));
      mesh.add(new THREE.LineSegments(edges.get(geometry), ink));
    }
  }

  isMoving(node) {
    return this.moving.has(node.name) || (node.parent !== null && this.isMoving(node.parent));
  }

  /** The moving bodies as they are at `times`, where they differ from the solid ones at `solid_time`. */
  makeGhosts(times, solid_time) {
    const moving = this.meshes().filter((mesh) => this.isMoving(mesh));
    const solid = moving.map((mesh) => mesh.matrixWorld.clone());
    const ghosts = times.map((time, order) => {
      this.setTime(time);
      const ghost = new THREE.Group();
      moving.forEach((mesh, k) => {
        if (isNear(mesh.matrixWorld, solid[k])) return;
        ghost.add(...makeGhostMeshes(mesh, order, times.length));
      });
      return ghost;
    });
    this.setTime(solid_time);
    return ghosts;
  }
}

function isNear(a, b) {
  return a.elements.every((value, i) => Math.abs(value - b.elements[i]) < 1e-6);
}

/**
 * Depth first, then colour: only the nearest surface of a ghost shows, not its inside. Where surfaces
 * slide in themselves, the solid hides all ghosts and each ghost the earlier ones, by a small offset.
 */
function makeGhostMeshes(mesh, order, ghost_count) {
  const depth = new THREE.MeshBasicMaterial({ colorWrite: false });
  const colour = mesh.material.clone();
  Object.assign(colour, { opacity: GHOST_OPACITY * colour.opacity, depthWrite: false });
  return [depth, colour].map((material, pass) => {
    const offset = ghost_count - order;
    Object.assign(material, {
      transparent: true,
      polygonOffset: true,
      polygonOffsetFactor: offset,
      polygonOffsetUnits: 4 * offset,
    });
    const copy = new THREE.Mesh(mesh.geometry, material);
    copy.matrixAutoUpdate = false;
    copy.matrix.copy(mesh.matrixWorld);
    copy.renderOrder = 1 + 2 * order + pass;
    return copy;
  });
}

/** The corners of every mesh's box, in the world. */
function collectCorners(scene) {
  const points = [];
  scene.updateMatrixWorld(true);
  scene.traverse((node) => {
    if (!node.isMesh) return;
    node.geometry.computeBoundingBox();
    const { min, max } = node.geometry.boundingBox;
    for (let k = 0; k < 8; ++k) {
      const corner = new THREE.Vector3(k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z);
      points.push(corner.applyMatrix4(node.matrixWorld));
    }
  });
  return points;
}

/** A camera that sees all points, as near as it can stand. */
function makeCamera(points, { from, up }, aspect) {
  const back = new THREE.Vector3(...from).normalize();
  const right = new THREE.Vector3(...up).cross(back).normalize();
  const above = new THREE.Vector3().crossVectors(back, right);
  const tangent_y = Math.tan(THREE.MathUtils.degToRad(FIELD_OF_VIEW / 2)) / MARGIN;
  const tangent_x = tangent_y * aspect;

  // Each side plane of the view bounds eye = (x, y, distance); the tightest two of opposite sides
  // meet in the best distance, and the middle between them is the best x and y.
  const along = points.map((p) => [p.dot(right), p.dot(above), p.dot(back)]);
  const fit = (axis, tangent) => {
    const high = Math.max(...along.map((p) => p[axis] + p[2] * tangent));
    const low = Math.min(...along.map((p) => p[axis] - p[2] * tangent));
    return { middle: (high + low) / 2, distance: (high - low) / (2 * tangent) };
  };
  const x = fit(0, tangent_x);
  const y = fit(1, tangent_y);
  const nearest = Math.max(...along.map((p) => p[2]));
  const farthest = Math.min(...along.map((p) => p[2]));
  const distance = Math.max(x.distance, y.distance, nearest + 1e-3 * (nearest - farthest));

  const place = (depth) =>
    new THREE.Vector3()
      .addScaledVector(right, x.middle)
      .addScaledVector(above, y.middle)
      .addScaledVector(back, depth);
  const reach = distance - farthest;
  const camera = new THREE.PerspectiveCamera(FIELD_OF_VIEW, aspect, 0.02 * reach, 20 * reach);
  camera.up.set(...up);
  camera.position.copy(place(distance));
  camera.lookAt(place(farthest - reach));
  camera.updateMatrixWorld(true);
  return camera;
}

function makeRenderer(width, height) {
  const renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
  renderer.setPixelRatio(1);
  renderer.setSize(width, height);
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = THREE.PCFSoftShadowMap;
  return renderer;
}

/** A bright room around and one lamp above the left shoulder, whose shadows fall on the ground. */
function addLights(scene, renderer, box) {
  const generator = new THREE.PMREMGenerator(renderer);
  scene.environment = generator.fromScene(new RoomEnvironment(), 0.04).texture;
  scene.environmentIntensity = 0.48;

  const centre = box.getCenter(new THREE.Vector3());
  const radius = box.getSize(new THREE.Vector3()).length() / 2;
  const lamp = new THREE.DirectionalLight(0xffffff, 1.5);
  lamp.position.copy(centre).addScaledVector(new THREE.Vector3(-0.45, 1.0, 0.55).normalize(), 3 * radius);
  lamp.target.position.copy(centre);
  lamp.castShadow = true;
  lamp.shadow.mapSize.set(2048, 2048);
  lamp.shadow.radius = 3;
  lamp.shadow.normalBias = 0.002 * radius;
  lamp.shadow.bias = -0.0004;
  const reach = 1.6 * radius;
  Object.assign(lamp.shadow.camera, {
    left: -reach,
    right: reach,
    top: reach,
    bottom: -reach,
    near: 0.1 * radius,
    far: 8 * radius,
  });
  scene.add(lamp, lamp.target);
}

function shrink(canvas, width, height) {
  const small = document.createElement('canvas');
  Object.assign(small, { width, height });
  const context = small.getContext('2d');
  context.imageSmoothingQuality = 'high';
  context.drawImage(canvas, 0, 0, width, height);
  return small.toDataURL('image/png');
}
