#pragma once
// What tiled MMAs and tiled copies are written with.
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
  throw Exception({.code = code,
                   .operand = std::move(operand),
                   .value = std::move(value),
                   .violated_rules = {std::move(rule)}});
}

}  // namespace jute
