#pragma once
// What several things take that happen at once.
#include <cmath>

namespace jute::plan {

/// The longest of three decides, the more the greater `sharp` is; what is less hides in it but for
/// some.
[[nodiscard]] inline double together(double x, double y, double z, double sharp) {
  return std::pow(std::pow(x, sharp) + std::pow(y, sharp) + std::pow(z, sharp), 1 / sharp);
}

}  // namespace jute::plan
