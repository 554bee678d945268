// From the names in a result to the parts of the pack.
import type { Part, ScenePack } from '../view/contract';

export type FindParts = (...names: string[]) => Part[];

/** By the name of a body, of an actor (all its bodies), or of a geometry; unknown names give nothing. */
export function makeFinder(pack: Pick<ScenePack, 'bodies' | 'actors' | 'geometry'>): FindParts {
  const known = new Map<string, Part[]>();
  const add = (name: string, part: Part): void => {
    const parts = known.get(name);
    if (!parts) known.set(name, [part]);
    else if (!parts.includes(part)) parts.push(part);
  };
  pack.bodies.forEach((body, part) => add(body.name, part));
  const bodyNames = new Set(known.keys());
  pack.bodies.forEach((body, part) => {
    const actor = pack.actors[body.actor]?.name;
    if (actor !== undefined && !bodyNames.has(actor)) add(actor, part);
  });
  const taken = new Set(known.keys());
  for (const geometry of pack.geometry) if (!taken.has(geometry.name)) add(geometry.name, geometry.body);
  return (...names) => [...new Set(names.flatMap((name) => known.get(name) ?? []))];
}
