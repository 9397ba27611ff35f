#pragma once
// What each file of this folder adds to the module jute._core.
#include <nanobind/nanobind.h>

namespace jute::python {

void add_errors(nanobind::module_& core);
void add_layouts(nanobind::module_& core);
void add_operations(nanobind::module_& core);
void add_pictures(nanobind::module_& core);
void add_atoms(nanobind::module_& core);
void add_plans(nanobind::module_& core);
void add_products(nanobind::module_& core);
void add_contractions(nanobind::module_& core);
void add_convolutions(nanobind::module_& core);
void add_prepared_products(nanobind::module_& core);
void add_emulation(nanobind::module_& core);
void add_compiler(nanobind::module_& core);
void add_packing(nanobind::module_& core);
void add_command(nanobind::module_& core);
void add_torch_operators(nanobind::module_& core);
void add_jax_calls(nanobind::module_& core);

}  // namespace jute::python
