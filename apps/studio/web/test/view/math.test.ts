import { Matrix4, PerspectiveCamera, Quaternion, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import type { NamedView, Pose } from '../../src/view/contract';
import { addMoved, boxOfPositions, cornersOf, emptyBox, isEmpty } from '../../src/view/math/bounds';
import { fitCamera, gridSpacing, viewDirection } from '../../src/view/math/camera';
import { breakLabel, kEdge, kLetter, kLine, placeLabel } from '../../src/view/math/labels';
import { chooseLevel, compactLevel, pixelsPerMetre } from '../../src/view/math/levels';
import { compose, transform, writeMatrix } from '../../src/view/math/poses';
import { acrossOf, chooseSight } from '../../src/view/math/sight';

const Q = new Quaternion().setFromAxisAngle(new Vector3(1, 2, 3).normalize(), 0.8);
const A: Pose = [1, -2, 3, Q.x, Q.y, Q.z, Q.w];
const B: Pose = [0.5, 0.1, -1, Q.y, Q.x, Q.w, Q.z];

function matrixOf([x, y, z, qx, qy, qz, qw]: Pose): Matrix4 {
  return new Matrix4().compose(new Vector3(x, y, z), new Quaternion(qx, qy, qz, qw), new Vector3(1, 1, 1));
}

describe('poses', () => {
  it('agree with three about points, products and matrices', () => {
    const p = new Vector3(0.3, 0.4, 0.5);
    const moved = p.clone().applyMatrix4(matrixOf(A));
    transform(A, [p.x, p.y, p.z]).forEach((x, k) => expect(x).toBeCloseTo(moved.getComponent(k), 12));
    const product = matrixOf(A).multiply(matrixOf(B)).elements;
    const own: number[] = [];
    writeMatrix(compose(A, B), own);
    own.forEach((x, k) => expect(x).toBeCloseTo(product[k], 12));
  });
});

describe('bounds', () => {
  it('hold every corner of the moved box, and touch them', () => {
    const box = boxOfPositions(Float32Array.from([0, 0, 0, 1, 2, 3]));
    const moved = emptyBox();
    expect(isEmpty(moved)).toBe(true);
    addMoved(moved, box, A);
    const corners = cornersOf(box).map((corner) => transform(A, corner));
    for (let k = 0; k < 3; ++k) {
      expect(moved.min[k]).toBeCloseTo(Math.min(...corners.map((c) => c[k])), 6);
      expect(moved.max[k]).toBeCloseTo(Math.max(...corners.map((c) => c[k])), 6);
    }
  });

  it('of nothing stay empty', () => {
    const box = emptyBox();
    addMoved(box, boxOfPositions(new Float32Array(0)), A);
    expect(isEmpty(box)).toBe(true);
  });
});

describe('levels of detail', () => {
  const errors = [0, 0.001, 0.01];

  it('are the coarsest whose error stays under a pixel', () => {
    expect(chooseLevel(errors, 2000, 0)).toBe(0);
    expect(chooseLevel(errors, 800, 0)).toBe(1);
    expect(chooseLevel(errors, 50, 0)).toBe(2);
    expect(chooseLevel([0], 1, 0)).toBe(0);
  });

  it('are kept a little beyond the border, in that direction only', () => {
    expect(chooseLevel(errors, 1000, 1)).toBe(1);
    expect(chooseLevel(errors, 1500, 1)).toBe(0);
    expect(chooseLevel(errors, 1000, 0)).toBe(0);
  });

  it('count pixels at the nearest point, also from inside', () => {
    expect(pixelsPerMetre(1000, 6, 1, 0.1)).toBe(200);
    expect(pixelsPerMetre(1000, 0.5, 1, 0.1)).toBe(10000);
  });

  it('keep only the vertices they use, with the same triangles', () => {
    const mesh = {
      kind: 'mesh', positions: Float32Array.from([0, 0, 0, 9, 9, 9, 1, 0, 0, 0, 1, 0]),
      normals: Int8Array.from([1, 0, 0, 0, 9, 9, 9, 0, 2, 0, 0, 0, 3, 0, 0, 0]),
      levels: [{ indices: Uint32Array.from([3, 0, 2]), error: 0 }],
    };
    const level = compactLevel(mesh, 0);
    expect([...level.indices]).toEqual([0, 1, 2]);
    expect([...level.positions]).toEqual([0, 1, 0, 0, 0, 0, 1, 0, 0]);
    expect([...level.normals]).toEqual([3, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0]);
  });
});

describe('the camera', () => {
  const box = { min: [-1, -0.2, 0] as [number, number, number], max: [3, 0.2, 0.5] as [number, number, number] };

  it.each<NamedView>(['iso', 'front', 'back', 'left', 'right', 'top', 'bottom'])('sees all of a box from %s, and fills the picture', (view) => {
    for (const aspect of [16 / 9, 0.6]) {
      const { position, target } = fitCamera(box, viewDirection(view), (40 * Math.PI) / 180, aspect);
      const camera = new PerspectiveCamera(40, aspect, 0.01, 100);
      camera.up.set(0, 0, 1);
      camera.position.set(...position);
      camera.lookAt(...target);
      camera.updateMatrixWorld();
      const reach = cornersOf(box).map((corner) => new Vector3(...corner).project(camera));
      const widest = Math.max(...reach.flatMap((p) => [Math.abs(p.x), Math.abs(p.y)]));
      expect(widest).toBeLessThan(1);
      expect(widest).toBeGreaterThan(0.8);
    }
  });

  it('has grid lines at powers of ten', () => {
    expect(gridSpacing(4)).toBe(1);
    expect(gridSpacing(2.9)).toBeCloseTo(0.1, 12);
    expect(gridSpacing(0.05)).toBeCloseTo(0.01, 12);
  });
});

describe('labels', () => {
  const [width, height] = [400, 200];

  it('stay within the picture wherever the mark is', () => {
    for (const length of [5, 30, 49]) {
      for (const x of [0, 3, 200, 399]) {
        for (const y of [0, 100, 200]) {
          const wide = kLetter * length;
          const place = placeLabel({ wide, lines: 2 }, { x, y }, { x: Math.max(0, x - 2), y }, width, height);
          expect(place.x).toBeGreaterThanOrEqual(kEdge);
          expect(place.x + wide).toBeLessThanOrEqual(width - kEdge + 1e-9);
          expect(place.y).toBeGreaterThan(kLine);
          expect(place.y + kLine).toBeLessThanOrEqual(height);
        }
      }
    }
    expect(placeLabel({ wide: 50, lines: 1 }, { x: 100, y: 90 }, { x: 110, y: 90 }, width, height)).toEqual({ x: 122, y: 82 });
    expect(placeLabel({ wide: 50, lines: 1 }, { x: 380, y: 90 }, { x: 370, y: 90 }, width, height)).toEqual({ x: 308, y: 82 });
  });

  it('are broken before the figure, between names, and cut in the middle', () => {
    expect(breakLabel('cup – table: 2 mm', 40)).toEqual(['cup – table: 2 mm']);
    expect(breakLabel('cup – table: 2 mm', 12)).toEqual(['cup – table', '2 mm']);
    expect(breakLabel('a/long name – b/longer name: 2 mm', 13)).toEqual(['a/long name', 'b/longer name', '2 mm']);
    expect(breakLabel('assembly/housing_of_the_gear: 2 mm', 9)).toEqual(['asse…gear', '2 mm']);
  });
});

describe('sight', () => {
  it('keeps the direction that hides nothing, else turns as little as needed', () => {
    expect(chooseSight([3, 0, 0], () => 0)).toEqual([1, 0, 0]);
    // Everything but what lies towards -y is hidden.
    const direction = chooseSight([1, 0, 0], ([, y]) => (y < -0.5 ? 0 : 1));
    expect(direction[1]).toBeLessThan(-0.5);
    expect(direction[0]).toBeGreaterThan(0.3); // not farther round than needed
    expect(Math.hypot(...direction)).toBeCloseTo(1);
    // Hidden from everywhere: the least.
    const least = chooseSight([1, 0, 0], ([, , z]) => (z > 0.9 ? 1 : 5));
    expect(least[2]).toBeGreaterThan(0.9);
  });

  it('knows what lies across', () => {
    for (const direction of [[1, 0, 0], [0, 0, 1], [0.6, -0.48, 0.64]] as const) {
      const [u, v] = acrossOf(direction);
      const dot = (a: readonly number[], b: readonly number[]): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
      for (const [a, b, is] of [[u, u, 1], [v, v, 1], [u, v, 0], [u, direction, 0], [v, direction, 0]] as const) expect(dot(a, b)).toBeCloseTo(is);
    }
  });
});
