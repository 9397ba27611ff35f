// Asks Python where NVRTC is.
#include "compiler.hpp"

#include <jute/jit/compile.hpp>

#include "convert.hpp"
#include "module.hpp"

namespace jute::python {

Settings settings_here() {
  Settings settings = settings_from_environment();
  if (settings.nvrtc.empty())
    settings.nvrtc = nb::cast<std::string>(nb::module_::import_("jute._nvrtc").attr("found")());
  return settings;
}

void add_compiler(nb::module_& core) {
  core.def(
      "compiler_path", [] { return Compiler(settings_here()).path(); },
      "The NVRTC that kernels are compiled by; raises no_nvrtc where there is none");
  core.def(
      "cache_folder", [] { return settings_from_environment().cache_dir; },
      "Where compiled kernels and what was measured are kept; empty: nowhere");
}

}  // namespace jute::python
