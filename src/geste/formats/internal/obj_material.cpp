#include "geste/formats/internal/obj_material.hpp"

#include <algorithm>
#include <cmath>

#include "geste/formats/internal/line_reader.hpp"
#include "geste/formats/internal/srgb.hpp"

namespace geste {
namespace {

struct Material {
  std::string name;
  Colour colour;
  bool has_colour = false;
};

double to_fraction(double value) { return std::isnan(value) ? 0 : std::clamp(value, 0.0, 1.0); }

void read_diffuse(LineReader& lines, Material& material) {
  double r = 0, g = 0, b = 0;
  // "Kd spectral file.rfl" and "Kd xyz ..." are no colours here. One value stands for all three.
  if (!lines.next_number(r)) return;
  if (!lines.next_number(g)) g = r;
  if (!lines.next_number(b)) b = g;
  material.colour = colour_from_srgb(r, g, b, material.colour.a);
  material.has_colour = true;
}

}  // namespace

void read_mtl(std::string_view text, std::map<std::string, Colour, std::less<>>& colours) {
  Material material;
  const auto finish = [&] {
    if (material.has_colour) colours.emplace(material.name, material.colour);
  };
  for (LineReader lines(text); !lines.at_end(); lines.next_line()) {
    const std::string_view word = lines.next_word();
    double value = 0;
    if (word == "newmtl") {
      finish();
      material = {};
      material.name = lines.rest_of_line();
    } else if (word == "Kd") {
      read_diffuse(lines, material);
    } else if (word == "d" && lines.next_number(value)) {
      material.colour.a = to_fraction(value);
    } else if (word == "Tr" && lines.next_number(value)) {
      material.colour.a = 1 - to_fraction(value);
    }
  }
  finish();
}

}  // namespace geste
