// The module jute._core: one file for each concept.
#include "module.hpp"

#include <jute/version.hpp>

namespace {

/// The module's functions: the language's but for those that hide Python's own, and
/// these. The rest serves its Python files.
nanobind::list public_names(const nanobind::module_& core) {
  nanobind::list names;
  for (const char* name : {"Basis",   "CopyAtom",      "Explanation", "GroupedProduct", "Layout",
                           "MmaAtom", "Packed",        "Picture",     "Plan",           "Problem",
                           "Product", "ScaledProduct", "Swizzle",     "TiledCopy",      "TiledMMA",
                           "atoms",   "devices",       "operations",  "packed_layout",  "text"})
    names.append(name);
  const nanobind::frozenset hidden(nanobind::make_tuple("max", "min", "slice", "sum", "zip"));
  for (const nanobind::handle name : core.attr("operations"))
    if (!hidden.contains(name)) names.append(name);
  return names;
}

}  // namespace

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
  python::add_prepared_products(core);
  python::add_emulation(core);
  python::add_compiler(core);
  python::add_packing(core);
  python::add_command(core);
  python::add_torch_operators(core);
  python::add_jax_calls(core);
  core.attr("__all__") = public_names(core);
}
