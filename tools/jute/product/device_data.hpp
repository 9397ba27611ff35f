#pragma once
// The buffers of one run of a product.
#include <jute/launch/backend.hpp>
#include <jute/plan/ask/problem_tensors.hpp>

#include <cstddef>
#include <vector>

#include "product/gemm_data.hpp"

namespace jute::command {

/// D starts as zeros, or as what its data hold, so that gaps between its rows hold something.
struct DeviceData {
  ByTensor<Buffer> tensors{};
  Buffer workspace{};
  int outputs = 0;  ///< of the epilogue

  [[nodiscard]] DevicePointer at(TensorRole role) const { return tensors[role].pointer(); }
};

/// Everything that a run writes.
struct HostResult {
  std::vector<std::byte> d;
  std::vector<std::vector<std::byte>>
      outputs{};  ///< of the epilogue, by their places; d's is empty
};

/// Does a run bring C along?
enum class BringC : bool { no, yes };

/// Without what a fresh workspace must hold.
[[nodiscard]] DeviceData upload(Backend& backend, const GemmData& data, Index workspace_bytes,
                                BringC c);
[[nodiscard]] HostResult downloaded(Backend& backend, DeviceData& device);

}  // namespace jute::command
