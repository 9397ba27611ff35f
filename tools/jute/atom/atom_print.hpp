#pragma once
// `jute atom show --cute`: what CuTe's print says of an atom.
#include "command/command_line.hpp"

namespace jute::command {

/// `type`: of a copy atom's values, whose layouts then count values; empty: f16.
///   throws  unknown_name; not_divisible: the atom moves no whole number of such values
[[nodiscard]] std::string cute_print(const std::string& name, const std::string& type,
                                     const Catalogue& catalogue);

}  // namespace jute::command
