#pragma once
// What a launch puts into a kernel's parameters.
#include <jute/plan/count.hpp>

#include <string>
#include <variant>

namespace jute {

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

/// `name` is the kernel's word for it; `role` says what bind puts there, in the problem's terms.
struct KernelParameter {
  std::string name;
  ParameterKind kind = ParameterKind::pointer;
  std::variant<Base, Count, ScaleFactor> role;
  bool operator==(const KernelParameter&) const = default;
};

/// `a`, `workspace padded_a`, `ceil_div(m,128)`, `alpha`.
[[nodiscard]] std::string to_string(const KernelParameter& parameter);

}  // namespace jute
