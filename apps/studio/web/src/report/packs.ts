// The packs that stand in the page; what cannot be read is said in one line and left out.
import { takeBytes } from '../outcome/data';
import { spaceOfPack } from '../outcome/swept';
import type { ScenePack, Track, Triangles } from '../view/contract';
import { PackFault } from '../view/pack/pack_reader';
import { decodeScenePack } from '../view/pack/scene_pack';
import { decodeTrackPack } from '../view/pack/track_pack';

/** `swept`: the space passed through. */
export interface Packs { pack: ScenePack | null; track: Track | null; swept: Triangles | null; problems: string[] }

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
  return { pack, track, swept: swept && spaceOfPack(swept), problems };
}
