#pragma once

#include <vector>

#include "rigid/problems.hpp"

namespace geste::bench {

// Puzzles of our own, each with a way that is known to be free. Metres.

/// A bar, 0.1 m thick, that must turn to go through a square window of this side.
RigidProblem make_window(double side);
/// A board through a slit that it fits through one way round.
RigidProblem make_slit();
/// A bar through two windows, one behind the other.
RigidProblem make_two_windows();
/// A flat bar, twisted by half a turn, through a window that leaves `clearance` on each side: it
/// must be screwed through.
RigidProblem make_twisted_bar(double clearance);
/// A round bar, 0.1 m thick, bent twice at right angles, through a square window `gap` times as
/// wide.
RigidProblem make_bent_bar(double gap);

/// A bar shut in a box whose only way out is a tube that begins well inside; `clearance` on each
/// side of the bar in it.
RigidProblem make_bug_trap(double clearance);
/// A hook around a rod with a bar at each end: the rod, 0.1 m thick, must be led out through the
/// hook's mouth.
RigidProblem make_hook(double mouth);
/// Two tubes of one shape, hooked into each other: a loop whose legs cross, where they are `gap`
/// times as far apart as the tube is thick. From 1.1 on the way that is known is free.
RigidProblem make_alpha(double gap);

/// A table in an office of columns x rows cubicles: over the partitions, with `clearance` above and
/// below it.
RigidProblem make_cubicles(int columns, int rows, double clearance);
/// A piano through three doors of a furnished flat; `clearance` on each side of it in a door.
RigidProblem make_piano(double clearance);
/// A long hook of tube out of a bundle of so many pipes, none nearer than `clearance` to its way.
RigidProblem make_pipes(int pipes, double clearance);

/// A window of 0.15 m again, among balls of so many triangles in all that are always at the same
/// places.
RigidProblem make_cluttered_window(long triangles);

}  // namespace geste::bench
