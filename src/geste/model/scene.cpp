#include "geste/model/scene.hpp"

#include <algorithm>

namespace geste {
namespace {

template <class Tag>
std::optional<Id<Tag>> look_up(const std::unordered_map<std::string, int>& index,
                               std::string_view name) {
  const auto found = index.find(std::string(name));
  if (found == index.end()) return std::nullopt;
  return Id<Tag>(found->second);
}

template <class T>
const T* find_named(const std::vector<T>& items, std::string_view name) {
  const auto found =
      std::find_if(items.begin(), items.end(), [&](const T& item) { return item.name == name; });
  return found == items.end() ? nullptr : &*found;
}

}  // namespace

const char* to_string(JointRole role) {
  switch (role) {
    case JointRole::independent:
      return "independent";
    case JointRole::follower:
      return "following";
    case JointRole::dependent:
      return "dependent";
    case JointRole::carried:
      return "carried";
  }
  return "?";
}

void Scene::throw_bad_id(int id) {
  throw std::out_of_range(fmt::format("Scene: there is nothing with id {}", id));
}

std::optional<BodyId> Scene::find_body(std::string_view name) const {
  return look_up<BodyTag>(body_index_, name);
}
std::optional<JointId> Scene::find_joint(std::string_view name) const {
  return look_up<JointTag>(joint_index_, name);
}
std::optional<FrameId> Scene::find_frame(std::string_view name) const {
  return look_up<FrameTag>(frame_index_, name);
}

std::optional<ActorId> Scene::find_actor(std::string_view name) const {
  const Actor* actor = find_named(actors_, name);
  if (!actor) return std::nullopt;
  return ActorId(static_cast<int>(actor - actors_.data()));
}

const Group* Scene::find_group(std::string_view name) const { return find_named(groups_, name); }

const NamedConfiguration* Scene::find_configuration(std::string_view name) const {
  return find_named(configurations_, name);
}

}  // namespace geste
