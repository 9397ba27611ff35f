#pragma once
// The subcommand `jute atom verify`.
#include "command/command_line.hpp"

namespace jute::command {

void add_atom_verify(Command& atom);

}  // namespace jute::command
