#include "studio/server/frames.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <iterator>

namespace geste::studio {
namespace {

static_assert(std::endian::native == std::endian::little, "frames are little-endian");

template <class Items>
void append_list(std::string& out, const Items& items) {
  const char* separator = "";
  for (const auto& item : items) {
    fmt::format_to(std::back_inserter(out), "{}{}", separator, item);
    separator = ",";
  }
}

std::string make_head(const Snapshot& snapshot, std::optional<std::int64_t> ack,
                      const std::vector<int>& moved) {
  std::string head = fmt::format("{{\"seq\":{},\"ack\":", snapshot.seq);
  head += ack ? fmt::format("{}", *ack) : "null";
  head += ",\"q\":[";
  append_list(head, snapshot.q);
  head += "],\"movers\":[";
  append_list(head, moved);
  head += "]}";
  head.append((4 - head.size() % 4) % 4, ' ');
  return head;
}

}  // namespace

std::string make_state_frame(const Snapshot& snapshot, std::optional<std::int64_t> ack,
                             std::vector<Placement>& known) {
  std::vector<int> moved;
  const bool all = known.size() != snapshot.movers.size();
  for (std::size_t i = 0; i < snapshot.movers.size(); ++i)
    if (all || known[i] != snapshot.movers[i]) moved.push_back(static_cast<int>(i));

  const std::string head = make_head(snapshot, ack, moved);
  const auto length = static_cast<std::uint32_t>(head.size());
  std::string frame = "GSF1";
  frame.append(reinterpret_cast<const char*>(&length), sizeof length);
  frame += head;
  for (const int i : moved)
    frame.append(reinterpret_cast<const char*>(snapshot.movers[static_cast<std::size_t>(i)].data()),
                 sizeof(Placement));
  known = snapshot.movers;
  return frame;
}

}  // namespace geste::studio
