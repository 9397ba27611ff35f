#pragma once
// How much memory this process may have.
#include <jute/base/types.hpp>

#include <filesystem>

namespace jute::base {

/// Bytes: the machine's, or the least that a control group of the process allows, as containers
/// have it. A limit is enforced by ending the process, so nobody is told when it is reached.
///   source  Linux, Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/memory.rst, cgroups(7)
[[nodiscard]] Index host_memory_bytes(const std::filesystem::path& root = "/");

}  // namespace jute::base
