#pragma once
// A call as it was seen, read by cuBLAS's own functions.
#include <jute/shim/cublas_call.hpp>
#include <jute/shim/cublas_seen.hpp>
#include <jute/shim/kept_calls.hpp>

#include <string>

namespace jute::shim {

struct SeenCall {
  ServedBy why =
      ServedBy::unknown;  ///< anything else: it is cuBLAS's, and the rest counts for nothing
  CublasCall call{};
  CublasAddresses addresses{};
};

/// What holds of all calls of a process.
struct CallRules {
  std::string tf32_override;  ///< "0": no f32 becomes tf32; another: all may; empty: as calls say
  bool is_emulated = false;   ///< f32 and f64 may be
};

/// The workspace of a handle.
struct HandleWorkspace {
  void* address = nullptr;
  std::size_t bytes = 0;
};

[[nodiscard]] SeenCall read_call(const SeenGemm& seen, const HandleWorkspace& workspace,
                                 const CallRules& rules);
[[nodiscard]] SeenCall read_call(const SeenMatmul& seen, const CallRules& rules);

}  // namespace jute::shim
