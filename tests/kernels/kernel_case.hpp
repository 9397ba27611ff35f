#pragma once
// Small Hopper kernels with their inputs and what a plain C++ reference says they must leave: the
// same cases run on the emulator, on a GPU, and with faults seeded into them.
#include <jute/launch/launch_spec.hpp>
#include <jute/launch/tensor_map_spec.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace jute::test {

/// Device memory of a case. Nothing in `before` means that no one has written it.
struct Array {
  std::vector<std::byte> before;
  std::vector<std::byte> after;  ///< what the launches must leave
};

/// Arguments in kernel order.
struct AddressOf {
  size_t array;
  Index offset_bytes = 0;
};
struct MapOf {
  size_t array;
  TensorMapSpec spec;
};
using Argument = std::variant<AddressOf, MapOf, std::int32_t>;

struct CaseLaunch {
  std::string symbol = {};
  Dim3 grid = {};
  Dim3 block = {};
  Dim3 cluster = {};
  Index smem_bytes = 0;
  std::vector<Argument> arguments = {};
  LaunchOrder order = LaunchOrder::after_previous;
};

struct KernelCase {
  std::string name = {};
  std::string file = {};     ///< in tests/kernels, without .cu
  std::string prelude = {};  ///< constants that the file leaves to its case; may be empty
  std::vector<Array> arrays = {};
  std::vector<CaseLaunch> launches = {};
};

/// Every case, in order of what it is about: copies, products, clusters, warps and blocks.
[[nodiscard]] std::vector<KernelCase> kernel_cases();

[[nodiscard]] std::vector<KernelCase> copy_cases();
[[nodiscard]] std::vector<KernelCase> product_cases();
[[nodiscard]] std::vector<KernelCase> cluster_cases();
[[nodiscard]] std::vector<KernelCase> warp_cases();

/// What a kernel only reads.
template <class T>
Array input(const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {{bytes.begin(), bytes.end()}, {bytes.begin(), bytes.end()}};
}
/// What it writes, every byte of it.
template <class T>
Array output(const std::vector<T>& expected) {
  const auto bytes = std::as_bytes(std::span(expected));
  return {{}, {bytes.begin(), bytes.end()}};
}
template <class T>
Array updated(const std::vector<T>& before, const std::vector<T>& expected) {
  return {input(before).before, input(expected).before};
}

}  // namespace jute::test
