#include "geste/formats/internal/stl_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "geste/core/text.hpp"
#include "geste/formats/internal/asset_builder.hpp"
#include "geste/formats/internal/fault_list.hpp"
#include "geste/formats/internal/number.hpp"

namespace geste {
namespace {

constexpr const char* kExportAgain = "export the part again; binary STL is smaller and safer";

/// Words of a text, with the line they stand on.
class Words {
 public:
  explicit Words(std::string_view text) : p_(text.data()), end_(text.data() + text.size()) {}

  [[nodiscard]] int line() const { return line_; }
  bool at_end() {
    skip_blanks();
    return p_ == end_;
  }

  /// The next word; empty at the end.
  std::string_view next() {
    skip_blanks();
    const char* begin = p_;
    while (p_ < end_ && !is_blank(*p_)) ++p_;
    return {begin, static_cast<std::size_t>(p_ - begin)};
  }

  [[nodiscard]] std::string_view peek() const {
    Words ahead = *this;
    return ahead.next();
  }

  bool next_number(double& value) {
    skip_blanks();
    const char* after = parse_number(p_, end_, value);
    if (after == nullptr || (after < end_ && !is_blank(*after))) return false;
    p_ = after;
    return true;
  }

  std::string_view rest_of_line() {
    const char* begin = p_;
    while (p_ < end_ && *p_ != '\n') ++p_;
    return trim({begin, static_cast<std::size_t>(p_ - begin)});
  }

 private:
  static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
  void skip_blanks() {
    while (p_ < end_ && is_blank(*p_)) {
      if (*p_ == '\n' && line_ < std::numeric_limits<int>::max()) ++line_;
      ++p_;
    }
  }

  const char* p_;
  const char* end_;
  int line_ = 1;
};

/// `keyword` is in lower case.
bool is_word(std::string_view word, std::string_view keyword) {
  if (word.size() != keyword.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if ((word[i] | 0x20) != keyword[i]) return false;
  }
  return true;
}

class TextReader {
 public:
  TextReader(std::string_view text, Asset& asset, const std::string& stem)
      : words_(text), text_size_(text.size()), asset_(asset), stem_(stem), faults_(asset.file) {}

  Result<void> read() {
    while (!words_.at_end() && !faults_.full()) {
      const std::string_view word = words_.next();
      if (is_word(word, "solid")) {
        begin_solid(words_.rest_of_line());
      } else if (is_word(word, "facet")) {
        if (!in_solid_) begin_solid({});
        if (!read_facet()) skip_to_next_facet();
      } else if (is_word(word, "endsolid")) {
        words_.rest_of_line();
        end_solid();
      } else {
        expected("'facet' or 'endsolid'", word);
        skip_to_next_facet();
      }
    }
    if (in_solid_) {
      if (faults_.empty()) note_missing_end();
      end_solid();
    }
    if (faults_.empty() && facets_ == 0) {
      faults_.add("stl.empty", words_.line(), "", "holds no triangles",
                  "export the part again with its surfaces");
    }
    if (!faults_.empty()) return std::move(faults_).make();
    return {};
  }

 private:
  void begin_solid(std::string_view name) {
    end_solid();
    in_solid_ = true;
    name_ = clean_name(name, stem_);
    // A facet takes about 250 bytes; most files are one solid.
    if (asset_.meshes.empty()) vertices_.reserve(text_size_ / 250 * 3);
  }

  void end_solid() {
    if (!in_solid_) return;
    in_solid_ = false;
    if (!faults_.empty()) return;
    TriangleMesh mesh;
    mesh.triangles.resize(vertices_.size() / 3);
    std::uint32_t next = 0;
    for (Triangle& t : mesh.triangles) {
      t = {next, next + 1, next + 2};
      next += 3;
    }
    mesh.vertices = std::move(vertices_);
    vertices_ = {};
    AssetInstance instance;
    instance.name = instance.path = name_;
    instance.mesh = static_cast<int>(asset_.meshes.size());
    asset_.instances.push_back(std::move(instance));
    asset_.meshes.push_back(make_asset_mesh(name_, std::move(mesh)));
  }

  /// After "facet", up to and with "endfacet".
  bool read_facet() {
    // The normal is not looked at: some exporters write nan, or nothing.
    constexpr int kWordsOfNormal = 4;
    std::string_view word = words_.next();
    for (int i = 0; i < kWordsOfNormal && !is_word(word, "outer"); ++i) word = words_.next();
    if (!is_word(word, "outer")) return expected("'outer loop'", word);
    if (word = words_.next(); !is_word(word, "loop")) return expected("'loop'", word);

    std::array<Vec3, 3> corners;
    for (Vec3& corner : corners) {
      if (word = words_.next(); !is_word(word, "vertex")) return expected("'vertex'", word);
      if (!read_point(corner)) return false;
    }
    word = words_.next();
    if (is_word(word, "vertex")) {
      fault("stl.syntax", "the facet has more than three vertices", "export the part as triangles");
      return false;
    }
    if (!is_word(word, "endloop")) return expected("'endloop'", word);
    if (word = words_.next(); !is_word(word, "endfacet")) return expected("'endfacet'", word);
    vertices_.insert(vertices_.end(), corners.begin(), corners.end());
    ++facets_;
    return true;
  }

  bool read_point(Vec3& point) {
    for (int k = 0; k < 3; ++k) {
      if (!words_.next_number(point[k])) return expected("a number", words_.next());
    }
    if (point.allFinite()) return true;
    fault("stl.not_finite", "a coordinate is not a finite number of single precision",
          kExportAgain);
    return false;
  }

  /// Always false, to be returned.
  bool expected(const char* what, std::string_view found) {
    if (found.empty()) {
      fault("stl.truncated",
            fmt::format("the file ends inside a facet, after {} whole triangles", facets_),
            "copy or export the file again, it is cut short");
    } else {
      fault("stl.syntax",
            fmt::format("expected {}, found '{}'", what, clean_name(found.substr(0, 40), "?")),
            kExportAgain);
    }
    return false;
  }

  void fault(std::string code, std::string message, std::string remedy) {
    faults_.add(std::move(code), words_.line(), fmt::format("triangle {}", facets_ + 1),
                std::move(message), std::move(remedy));
  }

  void skip_to_next_facet() {
    ++facets_;
    while (!words_.at_end()) {
      const std::string_view word = words_.peek();
      if (is_word(word, "facet") || is_word(word, "endsolid") || is_word(word, "solid")) return;
      words_.next();
    }
  }

  void note_missing_end() {
    Note note;
    note.code = "stl.no_endsolid";
    note.file = asset_.file;
    note.line = words_.line();
    note.message = fmt::format("the file ends without 'endsolid', after {} triangles", facets_);
    note.remedy = "check that the file is whole";
    asset_.notes.push_back(std::move(note));
  }

  Words words_;
  std::size_t text_size_;
  Asset& asset_;
  const std::string& stem_;
  FaultList faults_;
  bool in_solid_ = false;
  std::string name_;
  std::vector<Vec3> vertices_;
  std::size_t facets_ = 0;
};

}  // namespace

Result<void> read_stl_text(std::string_view text, Asset& asset, const std::string& stem) {
  return TextReader(text, asset, stem).read();
}

}  // namespace geste
