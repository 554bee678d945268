// @vitest-environment jsdom
import { describe, expect, it, vi } from 'vitest';
import type { Body, Pose } from '../../src/view/contract';
import { Looks } from '../../src/ui/looks';
import { createTree } from '../../src/ui/tree';
import { makeTree, nodesAbove, visibleRows } from '../../src/ui/tree_rows';

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

describe('tree rows of an assembly', () => {
  const inside = (name: string, ...assemblies: string[]): Body => ({ ...body(name, 0), assemblies });
  const kParts = [
    inside('as1/plate'), inside('as1/nut_1', 'rod'), inside('as1/rod_1', 'rod'), inside('as1/bolt_1', 'l', 'fix_1'),
    inside('as1/bolt_2', 'l', 'fix_2'), inside('as1/nut_2', 'rod'),
  ];
  const roots = makeTree([{ name: 'as1', kind: 'part' }], kParts);

  it('keep its sub-assemblies', () => {
    const outline = (node: (typeof roots)[0]): unknown =>
      (node.children.length === 0 ? node.name : { [node.name]: node.children.map(outline) });
    expect(roots.map(outline)).toEqual([{
      as1: ['plate', { rod: ['nut_1', 'rod_1', 'nut_2'] }, { l: [{ fix_1: ['bolt_1'] }, { fix_2: ['bolt_2'] }] }],
    }]);
    expect(roots[0].children[1].parts).toEqual([1, 2, 5]);
    expect(nodesAbove(roots, 4).map((node) => node.name)).toEqual(['as1', 'l', 'fix_2']);
  });

  it('are found through all levels', () => {
    const names = (search: string): string[] => visibleRows(roots, new Set(), search).map((row) => row.node.name);
    expect(names('bolt_2')).toEqual(['as1', 'l', 'fix_2', 'bolt_2']);
    expect(names('rod nut')).toEqual(['as1', 'rod', 'nut_1', 'nut_2']);
    expect(names('fix_1')).toEqual(['as1', 'l', 'fix_1', 'bolt_1']);
  });

  it('have levels, and ids of their own', () => {
    const all = visibleRows(roots, new Set(['a0', ...roots[0].children.map((node) => node.id)]), '');
    expect(all.map((row) => row.level)).toEqual([1, 2, 2, 3, 3, 3, 2, 3, 3]);
    expect(new Set(all.map((row) => row.node.id)).size).toBe(all.length);
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
