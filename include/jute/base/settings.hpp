#pragma once
// What the environment asks for, as one value. src/base/settings.cpp is its only reader.
#include <jute/base/export.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace JUTE_API jute {

/// Empty strings mean "not set".
struct Settings {
  std::string cache_dir = {};  ///< JUTE_CACHE_DIR, else $XDG_CACHE_HOME/jute, else ~/.cache/jute
  std::string cache = "on";    ///< JUTE_CACHE: on | off | readonly
  /// JUTE_CACHE_LAYERS, between colons: folders of kernels that are only read, behind the cache in
  /// this order, as `jute cache pack` writes them.
  std::vector<std::string> cache_layers = {};
  /// JUTE_COMPILE: allowed | forbidden; then a kernel that no cache has is refused.
  std::string compile = "allowed";
  std::string log = {};          ///< JUTE_LOG: "" | info | debug
  std::string dump_dir = {};     ///< JUTE_DUMP_DIR: generated source and binaries are kept here
  std::string arch = {};         ///< JUTE_ARCH: architecture when none is asked for
  std::string device = {};       ///< JUTE_DEVICE: auto | cuda | emulator
  std::string nvrtc = {};        ///< JUTE_NVRTC: path of libnvrtc
  std::string cuda_home = {};    ///< CUDA_HOME, else CUDA_PATH: an installed toolkit
  std::string virtual_env = {};  ///< VIRTUAL_ENV: a Python environment, which may hold NVRTC
  std::string pdl = "on";        ///< JUTE_PDL: on | off, or 1 | 0: may kernels begin early?
  std::string tuned = "on";  ///< JUTE_TUNED: on | off, or 1 | 0: plan as `jute tune` found best?
  std::string template_dir = {};  ///< JUTE_TEMPLATE_DIR: templates instead of the built-in ones
  std::string stand_in =
      {};  ///< JUTE_STAND_IN: options of the stand-in driver's emulator, as words
  std::string stand_in_findings =
      {};  ///< JUTE_STAND_IN_FINDINGS: the file that takes what it finds
  bool operator==(const Settings&) const = default;
};

/// throws  illegal_config: a variable holds a value outside its list
[[nodiscard]] Settings settings_from_environment();
/// Sets what a variable of the environment sets.
///   example  choose(settings, "JUTE_COMPILE", "forbidden")
///   throws   illegal_config: a value outside the variable's list; unknown_name: no such variable
void choose(Settings& settings, std::string_view name, std::string_view value);

}  // namespace jute
