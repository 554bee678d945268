#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

#include "geste/core/text.hpp"
#include "geste/formats/internal/bvh_parser.hpp"

namespace geste::bvh_internal {
namespace {

constexpr std::array<std::string_view, 6> kChannelNames = {"xposition", "yposition", "zposition",
                                                           "xrotation", "yrotation", "zrotation"};

std::optional<BvhChannel> find_channel(std::string_view text) {
  if (text.size() != kChannelNames[0].size()) return std::nullopt;
  const std::string name = to_lower(text);
  const auto found = std::find(kChannelNames.begin(), kChannelNames.end(), name);
  if (found == kChannelNames.end()) return std::nullopt;
  return static_cast<BvhChannel>(found - kChannelNames.begin());
}

class HierarchyParser {
 public:
  explicit HierarchyParser(Parse& parse) : parse_(parse), scanner_(parse.scanner) {}

  /// One word at a time with the open joints on a stack: as deep as the file likes.
  bool run() {
    const Word first = scanner_.next();
    if (to_lower(first.text) != "hierarchy") {
      return parse_.fault("bvh.not_bvh", first, "does not begin with the word HIERARCHY", "",
                          "check that this is a BVH motion capture file");
    }
    bool motion = false;
    while (!motion) {
      if (parse_.has_too_many_faults()) return false;
      const Word word = scanner_.next();
      if (word.text.empty()) return end_of_text(word);
      if (open_.empty() ? !read_top(word, motion) : !read_inside(word)) return false;
    }
    return finish();
  }

 private:
  std::string element() const {
    if (open_.empty()) return "";
    return fmt::format("joint '{}'", quote(parse_.bvh.joints[open_.back().joint].name));
  }

  bool end_of_text(const Word& word) {
    if (open_.empty()) {
      return parse_.fault("bvh.no_motion", word, "the file ends without a MOTION section", "",
                          "export the file again, with its motion");
    }
    return parse_.fault("bvh.truncated", word, "the file ends inside the hierarchy", element(),
                        "export the file again, or close every joint with '}'");
  }

  bool unexpected(const Word& word, const char* expected) {
    return parse_.fault("bvh.unexpected_word", word,
                        fmt::format("expected {}, not '{}'", expected, quote(word.text)), element(),
                        find_channel(word.text)
                            ? "state the true number of channels after CHANNELS"
                            : "check the braces and the keywords before this place");
  }

  /// Outside of all joints.
  bool read_top(const Word& word, bool& motion) {
    const std::string keyword = to_lower(word.text);
    if (keyword == "root") return begin_joint(-1, word);
    motion = keyword == "motion";
    return motion || unexpected(word, "ROOT or MOTION");
  }

  /// Inside the joint opened last.
  bool read_inside(const Word& word) {
    const std::string keyword = to_lower(word.text);
    if (keyword == "}") {
      close_joint();
      return true;
    }
    if (keyword == "joint") return begin_joint(open_.back().joint, word);
    if (keyword == "offset") return read_joint_offset(word);
    if (keyword == "channels") return read_channels(word);
    if (keyword == "end" || keyword == "endsite") return read_end_site();
    return unexpected(word, "OFFSET, CHANNELS, JOINT, End Site or '}'");
  }

  bool begin_joint(int parent, const Word& keyword) {
    BvhJoint joint;
    joint.name = to_utf8(scanner_.rest_of_line().text);
    joint.parent = parent;
    joint.line = keyword.line;
    joint.first_channel = parse_.bvh.channels;
    if (parent >= 0) has_child_[parent] = true;
    open_.push_back({static_cast<int>(parse_.bvh.joints.size()), false, false});
    parse_.bvh.joints.push_back(std::move(joint));
    has_child_.push_back(false);
    return open_brace();
  }

  bool open_brace() {
    const Word brace = scanner_.next();
    if (brace.text == "{") return true;
    return brace.text.empty() ? end_of_text(brace) : unexpected(brace, "'{'");
  }

  void close_joint() {
    if (!open_.back().has_offset) without_offset_.push_back(open_.back().joint);
    open_.pop_back();
  }

  bool read_joint_offset(const Word& keyword) {
    if (open_.back().has_offset) {
      return parse_.fault("bvh.repeated", keyword, "has a second OFFSET", element(),
                          "keep one OFFSET per joint");
    }
    open_.back().has_offset = true;
    return read_offset(parse_.bvh.joints[open_.back().joint].offset);
  }

  /// Three numbers. A word that is none is reported and stepped over; a keyword in its place is a
  /// number that is missing.
  bool read_offset(Vec3& offset) {
    for (int i = 0; i < 3; ++i) {
      scanner_.skip_blanks();
      const Word word = scanner_.at_line_end() ? scanner_.rest_of_line() : scanner_.next();
      if (word.text.empty() || is_brace(word.text.front())) {
        return parse_.fault("bvh.offset_short", word, fmt::format("OFFSET has {} of 3 numbers", i),
                            element(), "write OFFSET x y z on one line");
      }
      const std::optional<double> number = parse_number(word.text);
      if (number) {
        offset[i] = *number;
      } else {
        parse_.fault("bvh.not_a_number", word,
                     fmt::format("'{}' in OFFSET is not a number", quote(word.text)), element(),
                     number_remedy(word.text));
      }
    }
    return true;
  }

  bool read_channels(const Word& keyword) {
    BvhJoint& joint = parse_.bvh.joints[open_.back().joint];
    if (open_.back().has_channels) {
      return parse_.fault("bvh.repeated", keyword, "has a second CHANNELS", element(),
                          "keep one CHANNELS line per joint");
    }
    // Rows hold the numbers of the joints in the order of their CHANNELS, which is the order of
    // the joints only if no child comes in between.
    joint.first_channel = parse_.bvh.channels;
    open_.back().has_channels = true;
    const Word count_word = scanner_.next();
    const std::optional<long long> count = parse_integer(count_word.text);
    if (!count || *count < 0) {
      return parse_.fault("bvh.channel_count", count_word,
                          fmt::format("'{}' is not a number of channels", quote(count_word.text)),
                          element(), "write CHANNELS, their number, and their names");
    }
    for (long long i = 0; i < *count; ++i) {
      const Word word = scanner_.peek();
      const std::optional<BvhChannel> channel = find_channel(word.text);
      if (!channel) return unknown_channel(word, i, *count);
      scanner_.next();
      joint.channels.push_back(*channel);
      ++parse_.bvh.channels;
    }
    return check_positions(joint, count_word);
  }

  bool unknown_channel(const Word& word, long long have, long long count) {
    return parse_.fault("bvh.channel_name", word,
                        fmt::format("'{}' is not the name of a channel ({} of {} were read)",
                                    quote(word.text), have, count),
                        element(),
                        "valid: Xposition, Yposition, Zposition, Xrotation, Yrotation, Zrotation");
  }

  /// Rotations may repeat (z, x, z is a way to turn); a position twice contradicts itself.
  bool check_positions(const BvhJoint& joint, const Word& where) {
    std::array<int, 3> seen{};
    for (const BvhChannel channel : joint.channels) {
      if (!is_rotation(channel) && ++seen[axis_of(channel)] == 2) {
        return parse_.fault("bvh.repeated", where, "has a position channel twice", element(),
                            "name each position channel once");
      }
    }
    return true;
  }

  bool read_end_site() {
    scanner_.rest_of_line();  // "Site", and a name where somebody gave one
    if (!open_brace()) return false;
    Vec3 tip = Vec3::Zero();
    Word word = scanner_.next();
    if (to_lower(word.text) == "offset") {
      if (!read_offset(tip)) return false;
      word = scanner_.next();
    }
    if (word.text.empty()) return end_of_text(word);
    if (word.text != "}") return unexpected(word, "the '}' of an End Site");
    parse_.bvh.joints[open_.back().joint].end_sites.push_back(tip);
    return true;
  }

  bool finish() {
    if (parse_.bvh.joints.empty()) {
      const Word here = scanner_.word(scanner_.at(), scanner_.at());
      return parse_.fault("bvh.no_joints", here, "the hierarchy has no joints", "",
                          "export the file again, with its skeleton");
    }
    make_names_unique();
    note_missing_offsets();
    note_missing_tips();
    note_replaced_offsets();
    return true;
  }

  void make_names_unique() {
    std::vector<BvhJoint>& joints = parse_.bvh.joints;
    std::unordered_set<std::string> taken;
    for (const BvhJoint& joint : joints) taken.insert(joint.name);
    std::unordered_set<std::string> seen;
    std::unordered_map<std::string, int> last_number;
    const BvhJoint* first = nullptr;
    std::string first_was;
    int renamed = 0;
    for (BvhJoint& joint : joints) {
      if (!joint.name.empty() && seen.insert(joint.name).second) continue;
      const std::string base = joint.name.empty() ? "joint" : joint.name;
      std::string name;
      int& number = last_number[base];
      if (number == 0) number = 1;
      do name = fmt::format("{}_{}", base, ++number);
      while (!taken.insert(name).second);
      if (renamed++ == 0) {
        first = &joint;
        first_was = joint.name;
      }
      joint.name = name;
    }
    if (renamed == 0) return;
    parse_.note("bvh.duplicate_names", first->line,
                fmt::format("{} joint{} no name of {} own; '{}' here became '{}'", renamed,
                            renamed == 1 ? " has" : "s have", renamed == 1 ? "its" : "their",
                            quote(first_was), quote(first->name)),
                "", "give every joint its own name");
  }

  void note_missing_offsets() {
    if (without_offset_.empty()) return;
    const BvhJoint& joint = parse_.bvh.joints[without_offset_.front()];
    parse_.note(
        "bvh.no_offset", joint.line,
        fmt::format("{} joint{} no OFFSET and sit at the parent's place", without_offset_.size(),
                    without_offset_.size() == 1 ? " has" : "s have"),
        fmt::format("joint '{}'", quote(joint.name)), "add the line OFFSET x y z");
  }

  void note_missing_tips() {
    int missing = 0;
    const BvhJoint* first = nullptr;
    for (std::size_t i = 0; i < has_child_.size(); ++i) {
      const BvhJoint& joint = parse_.bvh.joints[i];
      if (has_child_[i] || !joint.end_sites.empty()) continue;
      if (missing++ == 0) first = &joint;
    }
    if (missing == 0) return;
    parse_.note("bvh.no_end_site", first->line,
                fmt::format("{} joint{} without an End Site; nothing tells the length of the "
                            "last bone",
                            missing, missing == 1 ? " ends" : "s end"),
                fmt::format("joint '{}'", quote(first->name)),
                "add End Site { OFFSET x y z } where the length matters");
  }

  void note_replaced_offsets() {
    for (const BvhJoint& joint : parse_.bvh.joints) {
      const bool replaced = std::any_of(
          joint.channels.begin(), joint.channels.end(),
          [&](BvhChannel c) { return !is_rotation(c) && joint.offset[axis_of(c)] != 0; });
      if (!replaced) continue;
      parse_.note("bvh.offset_replaced", joint.line,
                  "has an OFFSET and position channels; the channels are the position, the OFFSET "
                  "is not added",
                  fmt::format("joint '{}'", quote(joint.name)),
                  "if the figure floats or sinks by the OFFSET, add it to the channels");
      return;
    }
  }

  struct Open {
    int joint;
    bool has_offset;
    bool has_channels;
  };

  Parse& parse_;
  Scanner& scanner_;
  std::vector<Open> open_;
  std::vector<bool> has_child_;
  std::vector<int> without_offset_;
};

}  // namespace

bool parse_hierarchy(Parse& parse) { return HierarchyParser(parse).run(); }

}  // namespace geste::bvh_internal
