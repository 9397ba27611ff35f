#pragma once
// `jute bench` as the program that races has it.
#include "tree/command_tree.hpp"

namespace jute::command {

/// Adds the command, and it races in this process.
void add_race(Command& jute);

}  // namespace jute::command
