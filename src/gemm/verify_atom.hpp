#pragma once
// One proof; `device` is held while the back end works.
#include <jute/gemm/verify.hpp>

#include <mutex>

namespace jute::gemm {

[[nodiscard]] AtomProof verify(Context& context, const MmaAtom& atom, std::mutex& device);
[[nodiscard]] AtomProof verify(Context& context, const CopyAtom& atom, std::mutex& device);

}  // namespace jute::gemm
