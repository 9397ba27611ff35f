#pragma once
// Parameters of a kernel, and their values in a launch.
#include <jute/base/export.hpp>
#include <jute/launch/tensor_map_spec.hpp>
#include <jute/plan/values/count.hpp>

#include <string>
#include <variant>
#include <vector>

namespace JUTE_API jute {

/// The address that the caller gave for a tensor of the problem.
struct Argument {
  TensorRole tensor = TensorRole::a;
  bool operator==(const Argument&) const = default;
};

/// Where a region of the workspace begins.
struct InWorkspace {
  std::string region;
  bool operator==(const InWorkspace&) const = default;
};

/// Where a tensor lies, seen from a kernel.
using Base = std::variant<Argument, InWorkspace>;

enum class ScaleFactor : std::uint8_t { alpha, beta };

/// A scalar input of the epilogue, by its place, that each run passes as a number.
struct InputValue {
  int place = 0;
  bool operator==(const InputValue&) const = default;
};

/// A tensor that TMA moves, as a map that every launch encodes anew: the contiguous dimension
/// first, then the other, then the matrices of a batch; of a View as many as it takes, up to five.
struct MapOf {
  Base base;
  DType type = DType::f32;
  std::vector<Count> dims;     ///< elements; of 0 the map has 1, which no box reaches
  std::vector<Count> strides;  ///< elements from row to row and from matrix to matrix
  std::vector<Count> box;      ///< elements of the first dimensions; of others one
  TmaSwizzle swizzle = TmaSwizzle::none;
  std::vector<Index> steps{};  ///< along each dimension, between a box's elements; none: 1
  Index offset_elems = 0;      ///< from the base
  bool operator==(const MapOf&) const = default;
};

/// `name` is the kernel's word for it; `role` says what bind puts there, in the problem's terms.
struct KernelParameter {
  std::string name;
  ParameterKind kind = ParameterKind::pointer;
  std::variant<Base, Count, ScaleFactor, InputValue, MapOf> role;
  bool operator==(const KernelParameter&) const = default;
};

/// `pointer a = a`, `i32 m = m`, `tensor_map map_a = a bf16 (k,m,batch):(1,lda,batch_stride_a) box
/// (64,128) swizzle 128B`.
[[nodiscard]] std::string to_string(const KernelParameter& parameter);

}  // namespace jute
