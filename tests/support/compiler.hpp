#pragma once
// The NVRTC that tests use: what the environment names, else what tools/setup installed.
#include <jute/base/settings.hpp>
#include <jute/jit/compile.hpp>

namespace jute::test {

/// throws  no_nvrtc: run tools/setup
inline Compiler test_compiler() {
  Settings settings = settings_from_environment();
  if (settings.virtual_env.empty()) settings.virtual_env = JUTE_SOURCE_DIR "/.venv";
  return Compiler(settings);
}

}  // namespace jute::test
