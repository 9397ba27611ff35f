#pragma once
// One proof among others that run beside it.
#include <jute/gemm/verify.hpp>

#include <mutex>

namespace jute::gemm {

/// The back end as proofs share it: held while it works, and told whose turn it is.
struct SharedDevice {
  std::mutex mutex;
  std::function<void(const std::string& name)> executing;
  bool has_faulted = false;  ///< nothing that it says from then on counts
};

[[nodiscard]] AtomProof verify(Context& context, const MmaAtom& atom, SharedDevice& device);
[[nodiscard]] AtomProof verify(Context& context, const CopyAtom& atom, SharedDevice& device);

}  // namespace jute::gemm
