// The packs that stand in the page; what cannot be read is said in one line and left out.
import type { Part, ScenePack, Track } from '../view/contract';
import { PackFault } from '../view/pack/pack_reader';
import { decodeScenePack } from '../view/pack/scene_pack';
import { decodeTrackPack } from '../view/pack/track_pack';
import { takeBytes } from './data';
import { addSwept } from './swept';

/** `swept`: the parts that are the space passed through. */
export interface Packs { pack: ScenePack | null; track: Track | null; swept: readonly Part[]; problems: string[] }

export async function loadPacks(page: Document): Promise<Packs> {
  const problems: string[] = [];
  const attempt = async <T>(work: () => Promise<T>): Promise<T | null> => {
    try {
      return await work();
    } catch (fault) {
      if (!(fault instanceof PackFault)) throw fault;
      problems.push(fault.message);
      return null;
    }
  };
  const scene = takeBytes(page.getElementById('geste-scene'));
  const motion = takeBytes(page.getElementById('geste-track'));
  const pack = scene && (await attempt(() => decodeScenePack(scene)));
  const track = pack && motion && (await attempt(() => decodeTrackPack(motion, pack.start.length)));
  if (!scene) problems.push('This page holds no scene that could be drawn.');
  const space = takeBytes(page.getElementById('geste-swept'));
  const swept = pack && space && (await attempt(() => decodeScenePack(space)));
  return swept ? { track, problems, ...whole(pack, swept) } : { pack, track, swept: [], problems };
}

function whole(scene: ScenePack, space: ScenePack): Pick<Packs, 'pack' | 'swept'> {
  const { pack, parts } = addSwept(scene, space);
  return { pack, swept: parts };
}
