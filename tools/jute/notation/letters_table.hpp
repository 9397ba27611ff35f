#pragma once
// Which letter of a contraction lies where.
#include <jute/plan/notation/contraction_modes.hpp>

#include <string>

namespace jute::command {

/// A row a mode: what it is to the product, its letters, how long it is, and how far apart its
/// neighbours lie in each array.
[[nodiscard]] std::string letters_table(const Subscripts& subscripts,
                                        const ContractionModes& modes);

}  // namespace jute::command
