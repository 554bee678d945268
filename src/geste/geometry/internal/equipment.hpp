#pragma once

#include <span>
#include <vector>

#include "geste/geometry/internal/solids.hpp"

namespace geste {

// What plants and halls are made of. Each function writes closed solids in world coordinates.

/// Rolled steel, m: height, flange width, flange and web thickness (EN 10365).
struct SteelSection {
  double h, b, tf, tw;
};
inline constexpr SteelSection kHea200{0.190, 0.200, 0.0100, 0.0065};
inline constexpr SteelSection kHea300{0.290, 0.300, 0.0140, 0.0085};
inline constexpr SteelSection kIpe200{0.200, 0.100, 0.0085, 0.0056};
inline constexpr SteelSection kIpe360{0.360, 0.170, 0.0127, 0.0080};
inline constexpr SteelSection kIpe400{0.400, 0.180, 0.0135, 0.0086};

/// An I-beam whose axis runs from p to q; its web stands upright (along x where it is a column).
void add_beam(Solids& solids, const Vec3& p, const Vec3& q, const SteelSection& section);
/// A column with its foot plate at `foot`.
void add_column(Solids& solids, const Vec3& foot, double height, const SteelSection& section);

/// Posts, two rails and a toe plate along the edge of a floor, 1.1 m high.
void add_handrail(Solids& solids, const Vec3& p, const Vec3& q);
/// Bars on edge, 0.1 m apart, in a rim; its top is at high.z().
void add_grating(Solids& solids, const Vec3& low, const Vec3& high);
/// From `foot` up; the rungs run along the horizontal unit vector `across`. Above 2.2 m a cage
/// stands on the side of `out`.
void add_ladder(Solids& solids, const Vec3& foot, const Vec3& across, const Vec3& out,
                double height);

/// Outer radii of steel pipes DN50 to DN400, m (EN 10220).
inline constexpr double kPipeRadii[] = {0.0302, 0.0445, 0.0572, 0.0842,
                                        0.1095, 0.1365, 0.1620, 0.2032};
double flange_radius(double pipe_radius);

/// Two flanges face to face on a pipe along the unit vector `axis`.
void add_flanges(Solids& solids, const Vec3& p, const Vec3& axis, double pipe_radius);
/// A flanged valve on a pipe with stem and hand wheel towards the unit vector `stem`.
void add_valve(Solids& solids, const Vec3& p, const Vec3& axis, const Vec3& stem,
               double pipe_radius);
double valve_reach(double pipe_radius);
/// A pipe stub with a blind flange; starts `inside` before p.
void add_nozzle(Solids& solids, const Vec3& p, const Vec3& out, double pipe_radius, double inside,
                double length);

/// A vessel with elliptical heads between `low` and `low + length * axis` (tangent lines).
void add_shell(Solids& solids, const Vec3& low, const Vec3& axis, double radius, double length);
/// Standing on four legs, nozzles around; `foot` on the floor. Total height `height`.
void add_drum(Solids& solids, const Vec3& foot, double radius, double height, double turn);
/// Lying on two saddles along x or y (unit vector `axis`), `foot` under its middle.
void add_exchanger(Solids& solids, const Vec3& foot, const Vec3& axis, double radius,
                   double length);
/// Flat-bottomed, with a conical roof, rings and a manhole.
void add_storage_tank(Solids& solids, const Vec3& foot, double radius, double height, double turn);
/// A tall column on a skirt with round platforms; `radius` of the shell, platforms 0.9 m wider.
void add_tower(Solids& solids, const Vec3& foot, double radius, double height);
/// Motor and pump on a frame along the unit vector `axis`, about 1.5 m long times `scale`.
void add_pump(Solids& solids, const Vec3& foot, const Vec3& axis, double scale);

}  // namespace geste
