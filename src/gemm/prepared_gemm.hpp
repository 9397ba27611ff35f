#pragma once
// What prepare leaves behind for run.
#include "gemm/kernel_store.hpp"
#include "gemm/run_rules.hpp"

#include <jute/gemm/gemm.hpp>

#include <memory>

namespace jute {
namespace gemm {

struct PreparedGemm {
  Plan plan;
  RunRules rules;
  std::shared_ptr<const CompiledSteps> steps;
  bool overlaps = true;  ///< may kernels begin before the one ahead has ended?
};

}  // namespace gemm

struct Gemm::Impl {
  std::shared_ptr<const gemm::PreparedGemm> prepared;
  PrepareTimes times;
};

}  // namespace jute
