#pragma once
// The cache that `jute cache` and its commands are about.
#include <jute/jit/disk_cache.hpp>

#include "command/command_line.hpp"
#include "tree/command_tree.hpp"

namespace jute::command {

/// The folder that the environment names.
///   throws  unwritable: there is none
[[nodiscard]] DiskCache opened_cache(const Session& session, CacheAccess access);

/// `jute cache warm` and `jute cache pack`.
void add_cache_filling(Command& cache);

}  // namespace jute::command
