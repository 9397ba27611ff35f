// Products as Python calls them: each is bound, prepared where it is new, and run.
#include <jute/epilogue/operations.hpp>
#include <jute/epilogue/quantise.hpp>

#include "grouped.hpp"
#include "module.hpp"
#include "repeated.hpp"
#include "words.hpp"

namespace jute::python {

namespace {

nb::object multiply_as(Call& call, Reading reading) {
  Wish& wish = call.wish;
  wish.reading = reading;
  Operands& operands = call.operands;
  const bool is_usual = may_repeat(wish) && wish.precision == Precision::f32 &&
                        wish.config.empty() && !wish.fast_accum && wish.gate == GateColumns::halves;
  static auto* usual = new RepeatedCalls;  // never destroyed: at exit the driver may be gone
  std::optional<PlainCall> plain;
  if (is_usual && PlainCall::is_one(operands))
    if (nb::object result = usual->run_again(plain.emplace(operands, wish.epilogue));
        result.is_valid())
      return result;
  Bound bound = bind(wish, operands);
  check_gradients(bound, operands.a, operands.b);
  const std::shared_ptr<Prepared> prepared = prepared_for(wish, bound);
  if (bound.problem.groups) clear_what_is_made(bound, operands.out.is_none());
  run(bound, *prepared, operands.a);
  if (is_usual) usual->remember(to_repeat(bound, operands, wish.epilogue, prepared));
  return result_of(bound);
}

nb::object multiply(Call& call) { return multiply_as(call, Reading::plain); }

bool is_list(nb::handle object) {
  return PyList_Check(object.ptr()) || PyTuple_Check(object.ptr());
}

nb::object multiply_groups(Call& call) {
  return is_list(call.operands.a) ? multiply_each(call, Reading::groups)
                                  : multiply_as(call, Reading::groups);
}

nb::object multiply_scaled(Call& call) {
  return is_list(call.operands.a) ? multiply_each(call, Reading::scaled)
                                  : multiply_as(call, Reading::scaled);
}

}  // namespace

void add_products(nb::module_& core) {
  add_called(core, "matmul(a: Any, b: Any, *", 'm', "Any", multiply);
  add_called(core, "grouped_mm(a: Any, b: Any, offs: Any = None, *", 'r', "Any", multiply_groups);
  add_called(core, "scaled_mm(a: Any, b: Any, *", 'q', "Any", multiply_scaled);
  core.def(
      "quantised",
      [](const std::string& epilogue, int rows, int columns, nb::handle dtype) {
        return to_string(quantised(parse_epilogue(epilogue), {rows, columns}, to_dtype(dtype)));
      },
      nb::arg("epilogue"), nb::arg("rows"), nb::arg("columns"), nb::arg("dtype"));
  core.def(
      "rounded_by_seed",
      [](const std::string& epilogue, nb::handle dtype) {
        return to_string(rounded_by_seed(parse_epilogue(epilogue), to_dtype(dtype)));
      },
      nb::arg("epilogue"), nb::arg("dtype"));
  core.def("plan_for", plan_for, nb::arg("chip"));
  core.def("traffic", [] {
    nb::typed<nb::dict, nb::str, nb::int_> all;
    all["products"] = traffic().products;
    all["bytes_in"] = traffic().bytes_in;
    all["bytes_out"] = traffic().bytes_out;
    return all;
  });
}

}  // namespace jute::python
