#pragma once
// Parts of one D that are prepared as one.
#include <jute/gemm/gemm.hpp>

#include <string>
#include <vector>

namespace jute::gemm {

/// Gemms that runs launch one behind the other, in one workspace.
struct JointGemm {
  std::vector<Gemm> parts;
  Plan plan;  ///< the first part's, the others behind it
  std::vector<Source> sources;
  std::vector<Binary> binaries;
  std::vector<std::string> passed_over;
  Index workspace_bytes = 0, zeroed_bytes = 0;
  Index rows = 0;  ///< of all parts
};

/// A Gemm of them; two at least.
[[nodiscard]] Gemm as_one(std::vector<Gemm> parts);

/// throws  illegal_problem: rows of which parts would have no whole number, extents or strides that
///         are not the prepared ones; what a part's run throws
void run_parts(const JointGemm& joint, const GemmArgs& args);

/// throws  unsupported
[[noreturn]] void refuse_of_parts(const char* rule);

}  // namespace jute::gemm
