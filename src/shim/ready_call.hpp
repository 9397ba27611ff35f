#pragma once
// A call that is prepared: what serves it, and what is measured.
#include <jute/gemm/gemm.hpp>
#include <jute/shim/cublas_call.hpp>

namespace jute::shim {

struct ReadyCall {
  CublasProduct product;
  Gemm gemm;

  [[nodiscard]] bool fits(const CublasCall& call) const {
    return gemm.workspace_bytes() <= call.workspace;
  }
  /// A workspace is the caller's, who leaves in it what he likes.
  void run(const CublasAddresses& addresses, Index m) const {
    GemmArgs args = run_of(product, addresses);
    args.m = m;
    if (gemm.zeroed_bytes() > 0) gemm.clear_workspace(args.workspace, args.stream);
    gemm.run(args);
  }
};

}  // namespace jute::shim
