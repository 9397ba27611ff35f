#pragma once
// What one call costs the host, jute's and cuBLASLt's.
#include "cublas_peer.hpp"

#include <jute/gemm/gemm.hpp>

namespace jute::bench {

/// Prints prepare (a new kernel, a known one), run and cublasLtMatmul, each in microseconds a call.
void print_host_costs(Context& context);

}  // namespace jute::bench
