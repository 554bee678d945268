#include "geste/formats/bvh.hpp"

#include "checks.hpp"

using namespace geste;

namespace {

void require_sound(const BvhFile& bvh) {
  fuzz::require(bvh.values.size() == static_cast<std::size_t>(bvh.frames) * bvh.channels,
                "every frame has every channel");
  for (std::size_t i = 0; i < bvh.joints.size(); ++i) {
    fuzz::require(bvh.joints[i].parent < static_cast<int>(i), "parents come first");
    fuzz::require(bvh.joints[i].offset.allFinite(), "offsets are finite");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Result<BvhFile> bvh = parse_bvh(fuzz::as_text(data, size), "fuzz.bvh");
  if (!bvh) return fuzz::require_telling(bvh.error()), 0;
  fuzz::require_telling(bvh->notes);
  require_sound(*bvh);
  fuzz::require_telling(Notes{guess_bvh_scale(*bvh).note});

  const BvhSceneOptions options;
  fuzz::require_sound(make_bvh_scene(*bvh, options));
  std::vector<Pose> X_WJ;
  compute_bvh_rest_pose(*bvh, X_WJ);
  if (bvh->frames == 0) return 0;
  compute_bvh_pose(*bvh, 0, X_WJ);
  fuzz::require(X_WJ.size() == bvh->joints.size(), "every joint has a pose");
  if (bvh->values.size() < 1000) {
    fuzz::require(make_bvh_motion(*bvh, options).cols() == bvh->frames, "every frame has a column");
  }
  return 0;
}
