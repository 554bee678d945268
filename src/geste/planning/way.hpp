#pragma once

#include <vector>

#include "geste/model/motion.hpp"

namespace geste {

/// A way through configurations, leg by leg; each leg goes as those of a JointMotion do.
class Way {
 public:
  explicit Way(int nq, Course course = Course::straight) : nq_(nq), course_(course) {}

  void clear() { values_.clear(); }
  void add(ConstVecRef q) { values_.insert(values_.end(), q.data(), q.data() + q.size()); }
  void pop() { values_.resize(values_.size() - static_cast<std::size_t>(nq_)); }
  void set_course(Course course) { course_ = course; }

  [[nodiscard]] Course course() const { return course_; }
  [[nodiscard]] int points() const { return nq_ == 0 ? 0 : static_cast<int>(values_.size()) / nq_; }
  [[nodiscard]] int legs() const { return std::max(0, points() - 1); }

  using Columns = Eigen::Map<MatX>;
  using ConstColumns = Eigen::Map<const MatX>;
  /// One column per point.
  [[nodiscard]] ConstColumns q() const { return {values_.data(), nq_, points()}; }
  [[nodiscard]] Columns q() { return {values_.data(), nq_, points()}; }

 private:
  int nq_;
  Course course_;
  std::vector<double> values_;
};

}  // namespace geste
