#pragma once
// `jute atom show --source`: an atom's instruction as CUDA.
#include "command/command_line.hpp"

namespace jute::command {

/// The functions that kernels and proofs call, with the types they need.
///   throws  unsupported: no single instruction
void show_source(const std::string& name, const Catalogue& catalogue, const Session& session);

}  // namespace jute::command
