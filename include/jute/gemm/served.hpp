#pragma once
// The list of what a layer of kernels was made for, so that anything else is refused at once.
#include <jute/base/export.hpp>
#include <jute/jit/disk_cache.hpp>
#include <jute/plan/ask/problem.hpp>

#include <span>
#include <string>

namespace JUTE_API jute {

/// The problem as a layer's list has it: its whole text, with the last M of its range in M's place.
///   throws  illegal_problem: it cannot be
[[nodiscard]] std::string served_line(const Problem& problem);

/// Writes the list of a layer's problems beside its kernels, in place of one that is there. Where
/// compiling is forbidden, every layer has a list and the cache itself is empty, a problem that no
/// list has is refused before anything is planned; choices of the caller's are planned as ever.
///   throws  unwritable: the layer takes no file; what served_line throws
void list_served(const DiskCache& layer, std::span<const Problem> problems);

}  // namespace jute
