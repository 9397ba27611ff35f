#pragma once
// What a process that may not compile can be asked for.
#include <jute/base/settings.hpp>
#include <jute/plan/ask/problem.hpp>

#include <mutex>
#include <string>
#include <unordered_set>

namespace jute::gemm {

/// The problems that the layers list. Read when one is first asked for; of no consequence where
/// compiling is allowed, a layer has no list, or the cache itself has kernels.
class ServedProblems {
 public:
  explicit ServedProblems(const Settings& settings);
  /// throws  unsupported: it is in no list; the nearest legal one has the most words in common
  void require(const Problem& problem);

 private:
  void read();

  bool is_asked_;  ///< does anything have to be read?
  Settings settings_;
  std::once_flag reading_;
  bool is_whole_ = false;  ///< do the lists say everything?
  std::unordered_set<std::string> lines_;
};

/// The rule by which a problem of the file cannot be compiled ahead.
[[nodiscard]] std::string rule_to_warm(const Problem& problem);

}  // namespace jute::gemm
