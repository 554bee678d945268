// The space that is passed through: one more part of the scene, that is seen through and not picked.
import type { Part, ScenePack } from '../view/contract';

/** Linear light: amber, a quarter opaque. */
const kColour = [0.9, 0.42, 0.05, 0.25] as const;

/** The scene with the parts of the other in it, which stand still; and which these are. */
export function addSwept(pack: ScenePack, swept: ScenePack): { pack: ScenePack; parts: Part[] } {
  const { bodies, meshes } = pack;
  const whole: ScenePack = {
    ...pack,
    triangles: pack.triangles + swept.triangles,
    bodies: [...bodies, ...swept.bodies.map((body) => ({ ...body, actor: -1, mover: 0, parent: -1 }))],
    meshes: [...meshes, ...swept.meshes],
    geometry: [...pack.geometry, ...swept.geometry.map((item) => ({
      ...item, body: bodies.length + item.body, mesh: item.mesh < 0 ? -1 : meshes.length + item.mesh,
      colour: kColour, visual: true, collision: true, passive: true,
    }))],
  };
  return { pack: whole, parts: swept.bodies.map((_, k) => bodies.length + k) };
}
