#include "geste/geometry/internal/surface_cut.hpp"

namespace geste::internal {

void SurfaceCut::Bin::add(const Bin& other) {
  low = low.min(other.low);
  high = high.max(other.high);
  count += other.count;
}

float SurfaceCut::Bin::cost() const {
  if (count == 0) return 0;
  const Eigen::Array3f d = high - low;
  return (d[0] * d[1] + d[1] * d[2] + d[2] * d[0]) * static_cast<float>(count);
}

SurfaceCut::SurfaceCut(const Eigen::Array3f& low, const Eigen::Array3f& high) : low_(low) {
  for (int k = 0; k < 3; ++k) {
    const float extent = high[k] - low[k];
    scale_[k] = extent > 1e-30f ? kBins * 0.9999f / extent : 0;  // below, one bin takes all
  }
}

void SurfaceCut::add(const Eigen::Array3f& centroid, const Eigen::Array3f& low,
                     const Eigen::Array3f& high) {
  for (int k = 0; k < 3; ++k) {
    Bin& bin = bins_[k][bin_of(centroid[k], k)];
    bin.low = bin.low.min(low);
    bin.high = bin.high.max(high);
    ++bin.count;
  }
}

bool SurfaceCut::find() {
  float best = 3e38f;
  bool found = false;
  for (int k = 0; k < 3; ++k) {
    float right[kBins];
    Bin sum;
    for (int b = kBins - 1; b > 0; --b) {
      sum.add(bins_[k][b]);
      right[b] = sum.count > 0 ? sum.cost() : -1;
    }
    sum = Bin();
    for (int b = 1; b < kBins; ++b) {
      sum.add(bins_[k][b - 1]);
      const float cost = sum.cost() + right[b];
      if (sum.count == 0 || right[b] < 0 || !(cost < best)) continue;
      best = cost;
      axis_ = k;
      plane_ = b;
      found = true;
    }
  }
  return found;
}

}  // namespace geste::internal
