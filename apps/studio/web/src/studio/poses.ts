// Poses as the page needs them: composed, and written as x y z, roll pitch yaw.
import type { Body, Part, Point, Pose } from '../view/contract';

type Quaternion = readonly [number, number, number, number]; // x y z w

function multiply(a: Quaternion, b: Quaternion): Quaternion {
  return [
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
    a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
  ];
}

export function rotate(q: Quaternion, v: Point): Point {
  const [x, y, z] = multiply(multiply(q, [v[0], v[1], v[2], 0]), [-q[0], -q[1], -q[2], q[3]]);
  return [x, y, z];
}

/** X_WB = X_WM X_MB. */
export function compose(a: Pose, b: Pose): Pose {
  const qa: Quaternion = [a[3], a[4], a[5], a[6]];
  const p = rotate(qa, [b[0], b[1], b[2]]);
  const q = multiply(qa, [b[3], b[4], b[5], b[6]]);
  const size = Math.hypot(...q) || 1;
  return [a[0] + p[0], a[1] + p[1], a[2] + p[2], q[0] / size, q[1] / size, q[2] / size, q[3] / size];
}

export function poseOfMover(poses: Float32Array, mover: number): Pose {
  return Array.from(poses.subarray(7 * mover, 7 * mover + 7)) as unknown as Pose;
}

/** Where a body stands, given where all movers are. */
export function poseOfPart(bodies: readonly Body[], part: Part, poses: Float32Array): Pose {
  return compose(poseOfMover(poses, bodies[part].mover), bodies[part].pose);
}

/** Roll, pitch, yaw (rad): turns about the fixed x, then y, then z. */
export function toRollPitchYaw(pose: Pose): Point {
  const [, , , x, y, z, w] = pose;
  const sine = Math.max(-1, Math.min(1, 2 * (w * y - z * x)));
  const yaw = Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
  if (Math.abs(sine) > 1 - 1e-9) { // looking straight up or down only roll and yaw together are known: roll is 0
    return [0, Math.sign(sine) * (Math.PI / 2), Math.atan2(-2 * (x * y - w * z), 1 - 2 * (x * x + z * z))];
  }
  return [Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)), Math.asin(sine), yaw];
}

export function fromRollPitchYaw(position: Point, [roll, pitch, yaw]: Point): Pose {
  const about = (axis: 0 | 1 | 2, angle: number): Quaternion => {
    const s = Math.sin(angle / 2);
    return [axis === 0 ? s : 0, axis === 1 ? s : 0, axis === 2 ? s : 0, Math.cos(angle / 2)];
  };
  const q = multiply(about(2, yaw), multiply(about(1, pitch), about(0, roll)));
  return [position[0], position[1], position[2], q[0], q[1], q[2], q[3]];
}
