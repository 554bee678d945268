// Which rows the part tree has: actors with their sub-assemblies and bodies, filtered by what is searched for. No DOM.
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

interface Branch { node: TreeNode; parts: Part[]; children: TreeNode[]; inner: Map<string, Branch> }

function makeBranch(id: string, name: string, kind: string): Branch {
  const parts: Part[] = [];
  const children: TreeNode[] = [];
  return { node: { id, name, kind, parts, children }, parts, children, inner: new Map() };
}

/** The bodies of one actor below it, in the sub-assemblies that they stand in. */
function makeActor(actor: Actor, k: number, parts: readonly Part[], bodies: readonly Body[]): TreeNode {
  if (parts.length === 1) {
    return { id: `b${parts[0]}`, name: actor.name, kind: actor.kind, parts, children: [] };
  }
  const root = makeBranch(`a${k}`, actor.name, actor.kind);
  for (const part of parts) {
    let branch = root;
    branch.parts.push(part);
    for (const name of bodies[part].assemblies ?? []) {
      let next = branch.inner.get(name);
      if (!next) {
        next = makeBranch(`${branch.node.id}/${branch.children.length}`, name, 'assembly');
        branch.inner.set(name, next);
        branch.children.push(next.node);
      }
      branch = next;
      branch.parts.push(part);
    }
    branch.children.push({
      id: `b${part}`, name: shortName(bodies[part].name, actor.name), kind: 'part', parts: [part], children: [],
    });
  }
  return root.node;
}

/** Actors in their order, then bodies of no actor. An actor of one body is a leaf. */
export function makeTree(actors: readonly Actor[], bodies: readonly Body[]): TreeNode[] {
  const members: Part[][] = actors.map(() => []);
  const loose: TreeNode[] = [];
  bodies.forEach((body, part) => {
    if (members[body.actor]) members[body.actor].push(part);
    else loose.push({ id: `b${part}`, name: body.name, kind: 'part', parts: [part], children: [] });
  });
  const nodes = actors.map((actor, k) => makeActor(actor, k, members[k], bodies));
  return [...nodes.filter((node) => node.parts.length > 0), ...loose];
}

/** The nodes above a part, outermost first. */
export function nodesAbove(roots: readonly TreeNode[], part: Part): TreeNode[] {
  const above: TreeNode[] = [];
  let level: readonly TreeNode[] = roots;
  for (;;) {
    const node = level.find((each) => each.children.length > 0 && each.parts.includes(part));
    if (!node) return above;
    above.push(node);
    level = node.children;
  }
}

/** Every word must occur, in any order, in the names on the way to the node. */
function matches(text: string, words: readonly string[]): boolean {
  const low = text.toLowerCase();
  return words.every((word) => low.includes(word));
}

/** The nodes that are found, each with those below it that are. A node that is found shows all below it. */
interface Found { node: TreeNode; children: Found[] }

function find(nodes: readonly TreeNode[], above: string, words: readonly string[]): Found[] {
  return nodes.flatMap((node): Found[] => {
    const text = `${above} ${node.name}`;
    const whole = matches(text, words);
    const children = find(node.children, text, whole ? [] : words);
    return whole || children.length > 0 ? [{ node, children }] : [];
  });
}

/** The rows as they are seen, top to bottom. While something is searched for, all that holds a find is open. */
export function visibleRows(roots: readonly TreeNode[], open: ReadonlySet<string>, search: string): TreeRow[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const rows: TreeRow[] = [];
  const add = (found: readonly Found[], level: number): void => found.forEach(({ node, children }, k) => {
    const expanded = node.children.length === 0 ? null : words.length > 0 ? children.length > 0 : open.has(node.id);
    rows.push({ node, level, position: k + 1, setSize: found.length, expanded });
    if (expanded) add(children, level + 1);
  });
  add(find(roots, '', words), 1);
  return rows;
}
