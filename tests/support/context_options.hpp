#pragma once
// Contexts that leave nothing behind but in a folder of a test's own.
#include <jute/gemm/context.hpp>

#include <string>

namespace jute::test {

/// Options of Contexts that keep what they compile in a folder, each kernel once for all of them;
/// nothing is kept in "off".
[[nodiscard]] inline ContextOptions with_cache_in(const std::string& folder) {
  ContextOptions options;
  options.settings.cache = folder == "off" ? "off" : "on";
  options.settings.cache_dir = folder;
  return options;
}

/// Options of Contexts that keep in a folder what they compile, what was tuned and chips.
[[nodiscard]] inline ContextOptions with_tuning_in(const std::string& folder) {
  ContextOptions options;
  options.settings.cache = "on";
  options.settings.tuned = "on";
  options.settings.cache_dir = folder;
  return options;
}

/// Options of Contexts that take from each other what one of them has compiled, in another test or
/// run as well: a kernel's text, the compiler and its options are all that it is made of.
[[nodiscard]] inline ContextOptions with_kept_kernels() { return with_cache_in(JUTE_TEST_KERNELS); }

/// Options of a Context that compiles what it is asked for, whatever ran before.
[[nodiscard]] inline ContextOptions without_disk_cache() { return with_cache_in("off"); }

}  // namespace jute::test
