// node play.mjs FILE TIME... [--node NAME]...: loads a .glb with three, plays it and prints as JSON where
// each named node (all of them when none is named) is in the world, in glTF's axes.
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { AnimationMixer, Box3, LoopOnce } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

/** A loaded .glb that can be put at any time of its animation. */
export class Player {
  static async open(bytes) {
    const data = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    return new Player(await new GLTFLoader().parseAsync(data, ''));
  }

  constructor(gltf) {
    this.scene = gltf.scene;
    this.mixer = new AnimationMixer(gltf.scene);
    for (const clip of gltf.animations) {
      const action = this.mixer.clipAction(clip);
      action.setLoop(LoopOnce); // the default wraps the last key to the first
      action.clampWhenFinished = true;
      action.play();
    }
    // three changes names for its own use and keeps the file's in userData.
    this.nodes = new Map();
    gltf.scene.traverse((node) => {
      const name = node.userData.name ?? node.name;
      if (name && !this.nodes.has(name)) this.nodes.set(name, node);
    });
  }

  setTime(seconds) {
    this.mixer.setTime(seconds);
    this.scene.updateMatrixWorld(true);
  }

  node(name) {
    const node = this.nodes.get(name);
    if (!node) throw new Error(`no node '${name}' in: ${[...this.nodes.keys()].join(', ')}`);
    return node;
  }

  /** 4x4, an array of rows. */
  worldMatrix(name) {
    const columns = this.node(name).matrixWorld.elements;
    return [0, 1, 2, 3].map((row) => [0, 1, 2, 3].map((column) => columns[4 * column + row]));
  }

  /** [min, max] of everything below the node, or null. */
  worldBox(name) {
    const box = new Box3().setFromObject(this.node(name), true);
    return box.isEmpty() ? null : [box.min.toArray(), box.max.toArray()];
  }
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { node: { type: 'string', multiple: true } },
  });
  const [file, ...times] = positionals;
  if (!file || times.length === 0 || times.some((time) => !Number.isFinite(Number(time)))) {
    throw new Error('usage: node play.mjs FILE TIME... [--node NAME]...');
  }
  const player = await Player.open(await readFile(file));
  const names = values.node ?? [...player.nodes.keys()];
  const frames = times.map(Number).map((time) => {
    player.setTime(time);
    return { time, nodes: Object.fromEntries(names.map((name) => [name, player.worldMatrix(name)])) };
  });
  console.log(JSON.stringify(frames));
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await main();
