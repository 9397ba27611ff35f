// Products of operands that count as (q - zero) * scale: elements of 4 bits, numbers of blocks.
#include <jute/epilogue/operations.hpp>
#include <jute/epilogue/quantise.hpp>

#include "module.hpp"
#include "scaled_operands.hpp"

namespace jute::python {

using namespace nanobind::literals;

namespace {

nb::object multiply_scaled(nb::handle a, nb::handle b, nb::object scale_a, nb::object scale_b,
                           nb::object zero_a, nb::object zero_b, const std::string& block_a,
                           const std::string& block_b, nb::object type_a, nb::object type_b,
                           nb::object stage_as, nb::object out, nb::object c, double alpha,
                           double beta, nb::object inputs, nb::object outputs, nb::object stream,
                           const std::string& epilogue, const std::string& config,
                           nb::object out_dtype, nb::object offs, nb::object counts,
                           nb::object row_groups, Index expected) {
  Wish wish = wish_of({epilogue, "f32", config, nb::none(), std::move(out_dtype), nb::none()});
  const bool is_made = out.is_none();
  Side of_a{"a", "scale_a", "zero_a", TensorRole::a, a, scale_a, zero_a, block_a, type_a},
      of_b{"b", "scale_b", "zero_b", TensorRole::b, b, scale_b, zero_b, block_b, type_b};
  Bound bound =
      bind_scaled(wish,
                  {a, b, std::move(out), std::move(c), std::move(stream), dict_or_empty(inputs),
                   dict_or_empty(outputs), alpha, beta},
                  of_a, of_b, stage_as,
                  {{std::move(offs), std::move(counts), std::move(row_groups)}, expected});
  check_gradients(bound, a, b);
  const std::shared_ptr<Prepared> prepared = prepared_for(wish, bound);
  if (bound.problem.groups) clear_what_is_made(bound, is_made);
  run(bound, *prepared, a);
  return result_of(bound);
}

std::string quantised_text(const std::string& epilogue, int rows, int columns, nb::handle dtype) {
  return to_string(quantised(parse_epilogue(epilogue), {rows, columns}, to_dtype(dtype)));
}

std::string rounded_text(const std::string& epilogue, nb::handle dtype) {
  return to_string(rounded_by_seed(parse_epilogue(epilogue), to_dtype(dtype)));
}

}  // namespace

void add_scaled(nb::module_& core) {
  core.def("multiply_scaled", multiply_scaled, "a"_a, "b"_a, "scale_a"_a.none(), "scale_b"_a.none(),
           "zero_a"_a.none(), "zero_b"_a.none(), "block_a"_a, "block_b"_a, "type_a"_a.none(),
           "type_b"_a.none(), "stage_as"_a.none(), "out"_a.none(), "c"_a.none(), "alpha"_a,
           "beta"_a, "inputs"_a.none(), "outputs"_a.none(), "stream"_a.none(), "epilogue"_a,
           "config"_a, "out_dtype"_a.none(), "offs"_a.none(), "counts"_a.none(),
           "row_groups"_a.none(), "expected"_a);
  core.def("quantised", quantised_text, "epilogue"_a, "rows"_a, "columns"_a, "dtype"_a);
  core.def("rounded_by_seed", rounded_text, "epilogue"_a, "dtype"_a);
}

}  // namespace jute::python
