// A small report made by hand, as `geste run` would write it: a block flies over a table and comes near it in the middle.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { HERE, makeBallMesh, makeBoxMesh, makeScenePack, makeTrackPack } from '../../apps/studio/web/test/view/pack_maker';

/** Names come from files of anybody: markup in them must stay text. */
export const BLOCK = 'block <img src=x onerror=alert(1)>';
export const SECONDS = 3;
export const TIGHTEST_AT = 1.5;
const FRAMES = 61;

const folder = mkdtempSync(path.join(tmpdir(), 'geste-report-'));

/** GESTE_PAGES, else those that the program was built with; where there are none they are built, which takes long. */
let pages = process.env.GESTE_PAGES ?? pagesBeside(process.env.GESTE);

function pagesBeside(program?: string): string | undefined {
  const folder = program && path.resolve(path.dirname(program), '../../src/pages');
  return folder && existsSync(path.join(folder, 'report.html')) ? folder : undefined;
}

function builtPage(): string {
  if (!pages) {
    pages = path.join(folder, 'pages');
    const script = fileURLToPath(new URL('../../apps/studio/web/build.mjs', import.meta.url));
    execFileSync(process.execPath, [script, pages], { stdio: 'inherit' });
  }
  return readFileSync(path.join(pages, 'report.html'), 'utf8');
}

function blockPose(t: number): number[] {
  return [0.6 * (t - TIGHTEST_AT), 0, 0.9 + 0.1 * (t - TIGHTEST_AT) ** 2, 0, 0, Math.sin(t / 4), Math.cos(t / 4)];
}

export function makeScene(): Promise<Uint8Array> {
  return makeScenePack({
    name: 'sample', start: [HERE, blockPose(0)],
    actors: [{ name: 'bench', kind: 'part' }, { name: BLOCK, kind: 'part' }],
    bodies: [
      { name: 'bench/top', actor: 0, mover: 0, parent: -1 }, { name: 'bench/legs', actor: 0, mover: 0, parent: -1 },
      { name: BLOCK, actor: 1, mover: 1, parent: -1 },
    ],
    geometry: [
      { name: 'top', body: 0, mesh: 0, pose: [0, 0, 0.7, 0, 0, 0, 1], colour: [0.4, 0.28, 0.18, 1] },
      ...[[-0.8, -0.3], [0.8, -0.3], [-0.8, 0.3], [0.8, 0.3]].map(([x, y]) => (
        { name: 'leg', body: 1, mesh: 1, pose: [x, y, 0.34, 0, 0, 0, 1], colour: [0.2, 0.2, 0.22, 1] })),
      { name: 'block', body: 2, mesh: 2, colour: [0.1, 0.3, 0.65, 1] },
      { name: 'knob', body: 2, mesh: 3, pose: [0, 0, 0.2, 0, 0, 0, 1], colour: [0.7, 0.7, 0.7, 1] },
    ],
    meshes: [makeBoxMesh(1.8, 0.8, 0.04), makeBoxMesh(0.06, 0.06, 0.68), makeBoxMesh(0.2, 0.3, 0.3), makeBallMesh(0.08)],
  });
}

/** A box around all that the block passes. */
export function makeSwept(): Promise<Uint8Array> {
  return makeScenePack({
    name: 'swept', start: [HERE], actors: [], bodies: [{ name: 'space passed through', actor: -1, mover: 0, parent: -1 }],
    geometry: [{ name: '', body: 0, mesh: 0, pose: [0, 0, 1.05, 0, 0, 0, 1], colour: [0.5, 0.5, 0.5, 1] }],
    meshes: [makeBoxMesh(2.1, 0.5, 0.6)],
  });
}

export function makeTrack(): Promise<Uint8Array> {
  const times = Array.from({ length: FRAMES }, (_, i) => (i * SECONDS) / (FRAMES - 1));
  return makeTrackPack({
    times, still: [[0, HERE]], movers: [{ mover: 1, poses: times.map(blockPose) }],
    joints: [
      { name: 'slide', type: 'prismatic', unit: 'm', nq: 1, limits: [[-1, 1]], values: [times.map((t) => blockPose(t)[0])] },
      { name: 'turn', type: 'revolute', unit: 'rad', nq: 1, limits: [[null, 2]], values: [times.map((t) => t / 2)] },
      { name: 'lift', type: 'prismatic', unit: 'm', nq: 1, limits: [[0, null]], values: [times.map((t) => blockPose(t)[2])] },
    ],
  });
}

function makeProfile() {
  return Array.from({ length: 30 }, (_, i) => {
    const [begin, end] = [i / 10, (i + 1) / 10];
    const nearest = begin <= TIGHTEST_AT && end >= TIGHTEST_AT ? TIGHTEST_AT : Math.abs(begin - TIGHTEST_AT) < Math.abs(end - TIGHTEST_AT) ? begin : end;
    return { begin_s: begin, end_s: end, clearance_m: blockPose(nearest)[2] - 0.15 - 0.72, a: 'bench/top', b: BLOCK };
  });
}

export function makeResult() {
  const sha256 = '0123456789abcdef'.repeat(4);
  return {
    geste: '0.1.0', task: 'replay', task_file: { file: 'sample.yaml', sha256 }, outcome: 'found',
    verdict: `Replayed 61 frames over 3 s; proven free of collisions: tightest 30 mm, bench/top - ${BLOCK} at 1.5 s.`,
    certificate: {
      checked: true, free: true, pairs: 2, touch_m: 1e-5, clearance_m: 0.03, profile: makeProfile(),
      tightest: { at_s: TIGHTEST_AT, a: 'bench/top', b: BLOCK, distance_m: 0.03, on_a: [0, 0, 0.72], on_b: [0, 0, 0.75] },
    } as Record<string, unknown>,
    collisions: [] as object[],
    figures: { duration: { value: 3, unit: 's' }, joint_path_length: { value: 3.149, unit: 'rad and m' } },
    motion: { frames: FRAMES, course: 'straight', begin_s: 0, end_s: SECONDS },
    scene: { name: 'sample', degrees_of_freedom: 3, bodies: 3, joints: [] },
    seed: 1, inputs: [{ file: 'block.csv', sha256 }],
    notes: [{ code: 'scene.no_mass', message: 'the <b>block</b> has no mass', element: "part 'block'", remedy: 'Give it one.' }],
    report: { command: 'geste run sample.yaml --seed 1 --out result' },
  };
}

/** Writes the report and gives its address. */
export function writeReport(
  name: string, result: object, scene: Uint8Array | null, track: Uint8Array | null, swept: Uint8Array | null = null,
): string {
  const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
  const data = [`<script type="application/json" id="geste-result">${JSON.stringify(result).replaceAll('<', '\\u003c')}</script>`];
  if (scene) data.push(`<script type="text/plain" id="geste-scene">${base64(scene)}</script>`);
  if (track) data.push(`<script type="text/plain" id="geste-track">${base64(track)}</script>`);
  if (swept) data.push(`<script type="text/plain" id="geste-swept">${base64(swept)}</script>`);
  const file = path.join(folder, `${name}.html`);
  writeFileSync(file, builtPage().replace('<!--geste:data-->', () => data.join('\n')));
  return `file://${file}`;
}
