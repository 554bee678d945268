// @vitest-environment jsdom
import { describe, expect, it, vi } from 'vitest';
import type { Body, Pose } from '../../src/view/contract';
import { Looks } from '../../src/ui/looks';
import { createTree } from '../../src/ui/tree';
import { makeTree, visibleRows } from '../../src/ui/tree_rows';

const kPose: Pose = [0, 0, 0, 0, 0, 0, 1];
const body = (name: string, actor: number): Body => ({ name, actor, mover: 0, parent: -1, pose: kPose, mass: 0 });
const kActors = [{ name: 'arm', kind: 'robot' }, { name: 'table', kind: 'part' }];
const kBodies = [body('arm/base', 0), body('arm/link1', 0), body('table', 1), body('<img src=x onerror=alert(1)>', -1)];

describe('tree rows', () => {
  it('are actors, leaves where they have one body, then what belongs to nobody', () => {
    const roots = makeTree(kActors, kBodies);
    expect(roots.map((root) => [root.name, root.children.map((child) => child.name)])).toEqual([
      ['arm', ['base', 'link1']], ['table', []], ['<img src=x onerror=alert(1)>', []],
    ]);
  });

  it('are found by words in any order, with their actor', () => {
    const roots = makeTree(kActors, kBodies);
    const names = (search: string): string[] => visibleRows(roots, new Set(), search).map((row) => row.node.name);
    expect(names('')).toEqual(['arm', 'table', '<img src=x onerror=alert(1)>']);
    expect(names('LINK')).toEqual(['arm', 'link1']);
    expect(names('link arm')).toEqual(['arm', 'link1']);
    expect(names('arm')).toEqual(['arm', 'base', 'link1']);
    expect(names('nothing')).toEqual([]);
  });
});

describe('tree', () => {
  const make = (bodies = kBodies) => {
    const looks = new Looks(bodies.length);
    const onSelect = vi.fn();
    const tree = createTree({ actors: kActors, bodies }, looks, { onSelect, onFrame: vi.fn() });
    document.body.replaceChildren(tree.element);
    const list = tree.element.querySelector<HTMLElement>('[role=tree]')!;
    const key = (name: string, more = {}) =>
      list.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, ...more }));
    return { tree, looks, onSelect, list, key };
  };

  it('shows hostile names as text', () => {
    const { tree } = make();
    expect(tree.element.querySelector('img')).toBeNull();
    expect(tree.element.textContent).toContain('<img src=x');
  });

  it('opens, walks and selects by keyboard', () => {
    const { key, onSelect, tree } = make();
    key('ArrowRight');
    key('ArrowDown');
    key('ArrowDown');
    key('Enter');
    expect(onSelect).toHaveBeenLastCalledWith([1]);
    key('ArrowLeft'); // to the actor
    key('Enter');
    expect(onSelect).toHaveBeenLastCalledWith([0, 1]);
    expect(tree.element.querySelector('[aria-selected=true]')?.textContent).toContain('arm');
  });

  it('has few elements for many parts, and brings a selected one into sight', () => {
    const many = Array.from({ length: 3000 }, (_, k) => body(`arm/p${k}`, 0));
    const { tree } = make(many);
    tree.select([2500]);
    expect(tree.element.querySelectorAll('[role=treeitem]').length).toBeLessThan(60);
  });

  it('hides by its eye', () => {
    const { tree, looks } = make();
    const eyes = tree.element.querySelectorAll<HTMLElement>('[data-act=eye]');
    eyes[0].click();
    expect([looks.isHidden(0), looks.isHidden(1), looks.isHidden(2)]).toEqual([true, true, false]);
  });
});

describe('looks', () => {
  it('isolate, show all, and come back from a record', () => {
    const looks = new Looks(4);
    looks.paint([1], '#ff0000');
    const before = looks.record();
    looks.isolate([1, 2]);
    expect([0, 1, 2, 3].map((part) => looks.isHidden(part))).toEqual([true, false, false, true]);
    looks.fade([2], 0.5);
    looks.restore(before);
    expect(looks.record()).toEqual([[1, { colour: '#ff0000' }]]);
    looks.isolate([]);
    expect(looks.hiddenCount).toBe(0);
    looks.restore([[99, { hidden: true }]]);
    expect(looks.record()).toEqual([]);
  });
});
