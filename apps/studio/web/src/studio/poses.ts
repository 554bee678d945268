// Poses as people write them: x y z, roll pitch yaw.
import type { Body, Part, Point, Pose } from '../view/contract';
import { compose, IDENTITY, readPoseAt } from '../view/math/poses';

/** Where a body stands, given where all movers are. */
export function poseOfPart(bodies: readonly Body[], part: Part, poses: Float32Array): Pose {
  return compose(readPoseAt(poses, bodies[part].mover), bodies[part].pose);
}

/** Roll, pitch, yaw (rad): turns about the fixed x, then y, then z. */
export function toRollPitchYaw(pose: Pose): Point {
  const [, , , x, y, z, w] = pose;
  const sine = Math.max(-1, Math.min(1, 2 * (w * y - z * x)));
  if (Math.abs(sine) > 1 - 1e-9) { // looking straight up or down only roll and yaw together are known: roll is 0
    return [0, Math.sign(sine) * (Math.PI / 2), Math.atan2(-2 * (x * y - w * z), 1 - 2 * (x * x + z * z))];
  }
  const yaw = Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
  return [Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)), Math.asin(sine), yaw];
}

function turnAbout(axis: 0 | 1 | 2, angle: number): Pose {
  const turn = [...IDENTITY] as [number, number, number, number, number, number, number];
  turn[3 + axis] = Math.sin(angle / 2);
  turn[6] = Math.cos(angle / 2);
  return turn;
}

export function fromRollPitchYaw([x, y, z]: Point, [roll, pitch, yaw]: Point): Pose {
  const q = compose(turnAbout(2, yaw), compose(turnAbout(1, pitch), turnAbout(0, roll)));
  return [x, y, z, q[3], q[4], q[5], q[6]];
}
