#include "geste/model/state.hpp"

#include "geste/model/configuration.hpp"

namespace geste {

State::State(const Scene& scene) : q(make_neutral(scene)), v(VecX::Zero(scene.nv())) {}

}  // namespace geste
