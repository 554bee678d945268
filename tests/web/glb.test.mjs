// What geste writes as .glb, judged by the Khronos validator and played by three.
// GLB_SAMPLE names the built program glb_sample (ctest sets it).
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

const TOLERANCE = 1e-5;

function missing() {
  if (!process.env.GLB_SAMPLE) return 'set GLB_SAMPLE to the built program glb_sample';
  try {
    import.meta.resolve('three');
    import.meta.resolve('gltf-validator');
  } catch {
    return 'node_modules is absent, run npm ci in the project folder';
  }
  return false;
}

const skip = missing();
if (skip && process.env.GESTE_NO_SKIP) throw new Error(`web_glb may not be skipped: ${skip}`);
if (skip) console.log(`web_glb skipped: ${skip}`);

let folder;
let bytes;
let witness;

before(() => {
  if (skip) return;
  folder = mkdtempSync(join(tmpdir(), 'geste-glb-'));
  execFileSync(process.env.GLB_SAMPLE, [folder]);
  bytes = readFileSync(join(folder, 'sample.glb'));
  witness = JSON.parse(readFileSync(join(folder, 'sample.json'), 'utf8'));
});

after(() => folder && rmSync(folder, { recursive: true }));

// geste has Z up, glTF Y up: (x, y, z) becomes (x, z, -y).
const yUp = ([x, y, z]) => [x, z, negate(y)];
const negate = (value) => (Array.isArray(value) ? value.map((v) => -v) : -value);

function assertNear(actual, expected, what) {
  const error = Math.max(...actual.flat().map((value, i) => Math.abs(value - expected.flat()[i])));
  assert.ok(error <= TOLERANCE, `${what}: off by ${error}`);
}

test('the Khronos validator finds neither errors nor warnings', { skip }, async () => {
  const { validate } = await import('./validate.mjs');
  const { faults, info } = await validate(bytes);
  assert.deepEqual(faults, []);
  assert.equal(info.animationCount, 1);
  assert.ok(info.totalTriangleCount > 1000);
});

test('the validator is awake: a damaged file fails', { skip }, async () => {
  const { validate } = await import('./validate.mjs');
  const damaged = Buffer.from(bytes);
  damaged.write('"SCALER"', damaged.indexOf('"SCALAR"'));
  assert.notDeepEqual((await validate(damaged)).faults, []);
});

test('three plays every body where geste put it', { skip }, async () => {
  const { Player } = await import('./play.mjs');
  const player = await Player.open(bytes);
  for (const { name, poses } of witness.bodies) {
    for (const { time, X_WB } of poses) {
      player.setTime(time);
      const matrix = player.worldMatrix(name);
      assertNear(matrix.slice(0, 3), yUp(X_WB), `${name} at ${time} s`);
      assert.deepEqual(matrix[3], [0, 0, 0, 1]);
    }
  }
});

test('three draws every body in its box, also one modelled far from its origin', { skip }, async () => {
  const { Player } = await import('./play.mjs');
  const player = await Player.open(bytes);
  player.setTime(0);
  for (const { name, box } of witness.bodies) {
    if (!box) {
      assert.equal(player.worldBox(name), null);
      continue;
    }
    const [low, high] = box.map(yUp);
    const expected = [
      [low[0], low[1], high[2]],
      [high[0], high[1], low[2]],
    ]; // y changes sign, so its ends swap
    assertNear(player.worldBox(name), expected, name);
  }
});
