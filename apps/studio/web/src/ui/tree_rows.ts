// Which rows the part tree has: actors with their bodies, filtered by what is searched for. No DOM.
import type { Actor, Body, Part } from '../view/contract';

export interface TreeNode {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  /** All bodies below; a leaf has one. */
  readonly parts: readonly Part[];
  readonly children: readonly TreeNode[];
}

export interface TreeRow { node: TreeNode; level: number; position: number; setSize: number; expanded: boolean | null }

/** "arm/link3" under "arm" is shown as "link3". */
function shortName(name: string, actor: string): string {
  return name.startsWith(`${actor}/`) && name.length > actor.length + 1 ? name.slice(actor.length + 1) : name;
}

/** Actors in their order, then bodies of no actor. An actor of one body is a leaf. */
export function makeTree(actors: readonly Actor[], bodies: readonly Body[]): TreeNode[] {
  const members: Part[][] = actors.map(() => []);
  const loose: TreeNode[] = [];
  bodies.forEach((body, part) => {
    if (members[body.actor]) members[body.actor].push(part);
    else loose.push({ id: `b${part}`, name: body.name, kind: 'part', parts: [part], children: [] });
  });
  const nodes = actors.map((actor, k): TreeNode => {
    const parts = members[k];
    const children = parts.length < 2 ? [] : parts.map((part): TreeNode => ({
      id: `b${part}`, name: shortName(bodies[part].name, actor.name), kind: 'part', parts: [part], children: [],
    }));
    return { id: parts.length === 1 ? `b${parts[0]}` : `a${k}`, name: actor.name, kind: actor.kind, parts, children };
  });
  return [...nodes.filter((node) => node.parts.length > 0), ...loose];
}

/** Every word must occur, in any order, in the names on the way to the node. */
function matches(text: string, words: readonly string[]): boolean {
  const low = text.toLowerCase();
  return words.every((word) => low.includes(word));
}

/** The rows as they are seen, top to bottom. While something is searched for, all that holds a find is open. */
export function visibleRows(roots: readonly TreeNode[], open: ReadonlySet<string>, search: string): TreeRow[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const searching = words.length > 0;
  const rows: TreeRow[] = [];
  const shown = roots.flatMap((root) => {
    const children = searching && !matches(root.name, words)
      ? root.children.filter((child) => matches(`${root.name} ${child.name}`, words))
      : root.children;
    return !searching || matches(root.name, words) || children.length > 0 ? [{ root, children }] : [];
  });
  shown.forEach(({ root, children }, k) => {
    const expanded = root.children.length === 0 ? null : searching ? children.length > 0 : open.has(root.id);
    rows.push({ node: root, level: 1, position: k + 1, setSize: shown.length, expanded });
    if (!expanded) return;
    children.forEach((child, n) =>
      rows.push({ node: child, level: 2, position: n + 1, setSize: children.length, expanded: null }));
  });
  return rows;
}
