#pragma once
// Contexts that leave nothing behind.
#include <jute/gemm/context.hpp>

namespace jute::test {

/// Options of a Context that compiles what it is asked for, whatever ran before.
[[nodiscard]] inline ContextOptions without_disk_cache() {
  ContextOptions options;
  options.settings.cache = "off";
  return options;
}

}  // namespace jute::test
