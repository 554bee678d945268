#include "geste/formats/internal/obj_text.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "geste/core/text.hpp"
#include "geste/formats/internal/asset_builder.hpp"
#include "geste/formats/internal/line_reader.hpp"
#include "geste/formats/internal/make_diagnostic.hpp"

namespace geste {
namespace {

constexpr std::size_t kMostVertices = 1'000'000'000;

// What is known of OBJ and has no triangles: first what can be left out without a word.
constexpr std::string_view kSilent[] = {
    "vt",     "vn",         "vp",        "s",   "lod",    "bevel", "c_interp", "d_interp", "maplib",
    "usemap", "shadow_obj", "trace_obj", "mg",  "ctech",  "stech", "end",      "parm",     "trim",
    "hole",   "scrv",       "sp",        "con", "cstype", "deg",   "bmat",     "step"};
constexpr std::string_view kCurves[] = {"curv", "curv2", "surf", "bzp", "bsp", "cdc", "cdp", "res"};

template <class Words>
bool is_among(std::string_view word, const Words& words) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

class ObjReader {
 public:
  ObjReader(std::string_view text, const std::string& file, FaultList& faults)
      : lines_(text), file_(file), faults_(faults) {}

  ObjText read() {
    for (; !lines_.at_end() && !faults_.full(); lines_.next_line()) {
      const std::string_view word = lines_.next_word();
      if (word == "v") {
        read_vertex();
      } else if (word == "f" || word == "fo") {
        read_face();
      } else if (!word.empty()) {
        read_other(word);
      }
    }
    if (!faults_.full()) check_corners();
    note_ignored();
    return std::move(obj_);
  }

 private:
  void read_vertex() {
    Vec3 p = Vec3::Zero();
    // A weight or a colour may follow; neither moves the point of a polygon.
    for (int k = 0; k < 3; ++k) {
      if (lines_.next_number(p[k])) continue;
      const std::string found = clean_name(lines_.next_word().substr(0, 40), "end of line");
      fault("obj.bad_number", vertex_name(),
            fmt::format("expected three coordinates, found '{}'", found),
            "correct the line: v x y z");
      break;
    }
    if (!p.allFinite()) {
      fault("obj.not_finite", vertex_name(),
            "a coordinate is not a finite number of single precision", "export the part again");
    }
    // Kept all the same, so that the faces' numbers keep their meaning.
    obj_.vertices.push_back(p);
    if (obj_.vertices.size() == kMostVertices + 1) {
      fault("obj.too_large", "", fmt::format("has more than {} vertices", kMostVertices),
            "split the part or reduce its mesh");
    }
  }

  void read_face() {
    const std::size_t before = obj_.corners.size();
    const bool good = read_corners();
    const std::size_t count = obj_.corners.size() - before;
    if (good && count < 3) ++flat_faces_;
    if (good && count >= 3) {
      obj_.polygons.push_back({static_cast<std::uint32_t>(count), lines_.line()});
    } else {
      obj_.corners.resize(before);
    }
  }

  bool read_corners() {
    const auto known = static_cast<long long>(obj_.vertices.size());
    long long vertex = 0;
    while (lines_.next_corner(vertex)) {
      // Counted from 1, or back from the latest. Later vertices are checked at the end.
      const long long limit = static_cast<long long>(kMostVertices);
      const long long index = vertex > 0 ? vertex - 1 : known + std::max(vertex, -limit);
      if (vertex == 0 || index < 0 || index >= limit) {
        add_index_fault(lines_.line(), vertex, known);
        return false;
      }
      obj_.corners.push_back(static_cast<std::uint32_t>(index));
    }
    if (lines_.at_line_end()) return true;
    const std::string found = clean_name(lines_.next_word().substr(0, 40), "?");
    fault("obj.bad_index", "", fmt::format("expected the number of a vertex, found '{}'", found),
          "correct the line: f 1 2 3");
    return false;
  }

  void read_other(std::string_view word) {
    const std::size_t polygon = obj_.polygons.size();
    if (word == "o") {
      obj_.objects.push_back({std::string(lines_.rest_of_line()), polygon});
    } else if (word == "g") {
      obj_.groups.push_back({std::string(lines_.rest_of_line()), polygon});
    } else if (word == "usemtl") {
      obj_.materials.push_back({std::string(lines_.rest_of_line()), polygon});
    } else if (word == "mtllib") {
      obj_.material_files.emplace_back(lines_.rest_of_line());
    } else if (word == "l") {
      ++segments_;
    } else if (word == "p") {
      ++points_;
    } else if (is_among(word, kCurves)) {
      ++curves_;
    } else if (!is_among(word, kSilent)) {
      if (unknown_++ == 0) {
        unknown_word_ = clean_name(word.substr(0, 40), "?");
        unknown_line_ = lines_.line();
      }
    }
  }

  void check_corners() {
    const auto known = obj_.vertices.size();
    std::size_t c = 0;
    for (const ObjPolygon& polygon : obj_.polygons) {
      for (const std::size_t end = c + polygon.corners; c < end; ++c) {
        if (obj_.corners[c] < known) continue;
        add_index_fault(polygon.line, static_cast<long long>(obj_.corners[c]) + 1,
                        static_cast<long long>(known));
      }
    }
  }

  void note_ignored() {
    const auto note = [this](const char* code, int line, std::string message, const char* remedy) {
      obj_.notes.push_back(make_diagnostic(file_, code, std::move(message), remedy, "", line));
    };
    std::string ignored;
    const auto list = [&ignored](const char* what, std::size_t count) {
      if (count > 0) ignored += fmt::format("{}{}: {}", ignored.empty() ? "" : ", ", what, count);
    };
    list("lines", segments_);
    list("points", points_);
    list("curves and free-form surfaces", curves_);
    list("faces of fewer than three corners", flat_faces_);
    if (!ignored.empty()) {
      note("obj.ignored_elements", 0, "ignored " + ignored,
           "export curved surfaces as polygons where the part needs them");
    }
    if (unknown_ > 0) {
      note("obj.unknown_statement", unknown_line_,
           fmt::format("ignored {} statements that OBJ does not have, the first is '{}'", unknown_,
                       unknown_word_),
           "check that the file is OBJ");
    }
  }

  [[nodiscard]] std::string vertex_name() const {
    return fmt::format("vertex {}", obj_.vertices.size() + 1);
  }

  void add_index_fault(int line, long long vertex, long long known) {
    faults_.add("obj.bad_index", line, "",
                fmt::format("the face names vertex {}, but there are {}", vertex, known),
                "count vertices from 1, or back from -1");
  }

  void fault(std::string code, std::string element, std::string message, std::string remedy) {
    faults_.add(std::move(code), lines_.line(), std::move(element), std::move(message),
                std::move(remedy));
  }

  LineReader lines_;
  const std::string& file_;
  FaultList& faults_;
  ObjText obj_;
  std::size_t segments_ = 0, points_ = 0, flat_faces_ = 0, curves_ = 0, unknown_ = 0;
  std::string unknown_word_;
  int unknown_line_ = 0;
};

}  // namespace

ObjText read_obj_text(std::string_view text, const std::string& file, FaultList& faults) {
  return ObjReader(text, file, faults).read();
}

}  // namespace geste
