// The module jute._core: one file for each concept.
#include "module.hpp"

#include <jute/version.hpp>

NB_MODULE(_core, core) {
  namespace python = jute::python;
  core.attr("__version__") = JUTE_VERSION_TEXT;
  python::add_errors(core);
  python::add_pictures(core);
  python::add_layouts(core);
  python::add_atoms(core);
  python::add_operations(core);
  python::add_plans(core);
  python::add_products(core);
  python::add_contractions(core);
  python::add_convolutions(core);
  python::add_convolution_gradients(core);
  python::add_groups(core);
  python::add_each(core);
  python::add_scaled(core);
  python::add_scaled_product(core);
  python::add_emulation(core);
  python::add_compiler(core);
  python::add_packing(core);
  python::add_command(core);
}
