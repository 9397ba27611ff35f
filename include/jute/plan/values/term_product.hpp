#pragma once
// Which terms of split operands are multiplied.
#include <jute/base/export.hpp>

namespace JUTE_API jute {

/// A product of split operands: which term of A by which of B.
struct TermProduct {
  int a = 0, b = 0;
  bool operator==(const TermProduct&) const = default;
};

}  // namespace jute
