#pragma once
// Whether what a contestant wrote is right.
#include <jute/gemm/reference.hpp>
#include <jute/host/operands.hpp>

#include <map>
#include <string>
#include <vector>

#include "race/operands/operand_sets.hpp"

namespace jute::bench {

/// Elements of D that still hold the poison.
[[nodiscard]] Index unwritten(const Problem& problem, std::span<const std::byte> d);

struct Judgement {
  double error = 0;  ///< worst |D - reference| / bound of the samples; infinite: not all written
  std::string note;  ///< what is wrong; else empty
};

/// Compares D of the first and the last operand set with a float64 reference at 256 sampled
/// elements each, and looks for elements that nobody wrote. Keeps the operands on the host.
class Judge {
 public:
  Judge(Backend& backend, const RotatingSets& sets, const Case& each);
  /// After a run over all sets on poisoned results. `roundoff`: of the contestant's accumulator.
  [[nodiscard]] Judgement judge(double roundoff);

 private:
  struct Sample {
    Operands operands;
    TensorBytes memory;  // of what is read
    std::vector<ResultElement> elements;
    std::map<double, Reference> references;  // by roundoff: contestants mostly share one
  };
  [[nodiscard]] const Reference& reference_of(Sample& sample, double roundoff) const;
  [[nodiscard]] Judgement judge(Sample& sample, double roundoff) const;

  Backend& backend_;
  const Case& case_;
  Index d_bytes_ = 0;
  std::vector<Sample> samples_;
};

}  // namespace jute::bench
