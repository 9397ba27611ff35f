// The only reader of environment variables.
#include <jute/base/error.hpp>
#include <jute/base/nearest_name.hpp>
#include <jute/base/settings.hpp>

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace jute {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

/// A variable whose values are listed; unset means `fallback`.
std::string choice(const char* name, const std::string& fallback, std::vector<std::string> legal) {
  std::string value = variable(name);
  if (value.empty()) return fallback;
  if (std::ranges::find(legal, value) != legal.end()) return value;
  throw Exception({.code = ErrorCode::illegal_config,
                   .operand = name,
                   .value = value,
                   .violated_rules = {"it must be one of " + joined(legal)},
                   .nearest_legal = nearest_name(value, legal)});
}

std::string cache_directory() {
  if (std::string chosen = variable("JUTE_CACHE_DIR"); !chosen.empty()) return chosen;
  // XDG Base Directory Specification: a relative path is invalid and is ignored.
  if (const std::string xdg = variable("XDG_CACHE_HOME"); xdg.starts_with('/'))
    return xdg + "/jute";
  if (const std::string home = variable("HOME"); home.starts_with('/'))
    return home + "/.cache/jute";
  return {};
}

}  // namespace

Settings settings_from_environment() {
  Settings settings;
  settings.cache_dir = cache_directory();
  settings.cache = choice("JUTE_CACHE", "on", {"on", "off", "readonly"});
  settings.log = choice("JUTE_LOG", "", {"info", "debug"});
  settings.dump_dir = variable("JUTE_DUMP_DIR");
  settings.arch = variable("JUTE_ARCH");
  settings.device = choice("JUTE_DEVICE", "", {"auto", "cuda", "emulator"});
  settings.nvrtc = variable("JUTE_NVRTC");
  settings.cuda_home = variable("CUDA_HOME");
  if (settings.cuda_home.empty()) settings.cuda_home = variable("CUDA_PATH");
  settings.virtual_env = variable("VIRTUAL_ENV");
  settings.pdl = choice("JUTE_PDL", "on", {"on", "off", "1", "0"});
  settings.tuned = choice("JUTE_TUNED", "on", {"on", "off", "1", "0"});
  settings.template_dir = variable("JUTE_TEMPLATE_DIR");
  settings.stand_in = variable("JUTE_STAND_IN");
  settings.stand_in_findings = variable("JUTE_STAND_IN_FINDINGS");
  return settings;
}

}  // namespace jute
