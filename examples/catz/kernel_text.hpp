#pragma once
// The matmul kernel as CUDA text whose every index expression is a layout, written out.
#include <jute/atom/catalogue.hpp>

#include <string>

inline constexpr int kTileM = 16, kTileN = 8, kTileK = 8;
inline constexpr int kThreads = 32;

struct MatmulShape {
  int m = 0, n = 0, k = 0;
};

struct KernelText {
  std::string layouts;  ///< what the indices were made from, as comment lines
  std::string source;   ///< the layouts, then the kernel `catz_matmul(a, b, c)`
};

/// C = A·B for row-major matrices of halves and a C of floats; parts of tiles beyond the edges
/// count as zeros and are not stored.
[[nodiscard]] KernelText write_kernel(const MatmulShape& shape, const jute::Catalogue& catalogue);
