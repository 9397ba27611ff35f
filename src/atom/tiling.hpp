#pragma once
// What tiled MMAs and tiled copies are written with.
#include <jute/base/refuse.hpp>
#include <jute/layout/algebra.hpp>

#include <string>
#include <utility>
#include <vector>

namespace jute {

[[nodiscard]] inline Tiler by_mode(Tiler first, Tiler second) {
  return Tiler(std::vector<Tiler>{std::move(first), std::move(second)});
}

[[noreturn]] inline void refuse_tiling(ErrorCode code, std::string operand, std::string value,
                                       std::string rule) {
  jute::refuse(code, std::move(operand), std::move(value), std::move(rule));
}

}  // namespace jute
