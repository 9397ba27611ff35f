// Judges the expression of a plan against itself and against the scale factors beside it.
#include "plan/rules/epilogue_rules.hpp"

#include <utility>

#include "base/format.hpp"
#include "plan/derive/block/smem_fit.hpp"
#include "plan/derive/drain/gathers.hpp"
#include "plan/derive/drain/staged_vectors.hpp"

namespace jute::plan {

std::vector<Error> epilogue_rules(const EpiloguePlan& epilogue) {
  using Kind = EpilogueOp;
  const EpilogueExpression& expression = epilogue.expression;
  std::vector<std::string> rules = broken_rules(expression);
  if (rules.empty()) {
    if (names(expression, Kind::alpha) != (epilogue.alpha != Factor::one))
      rules.emplace_back("the expression must name alpha exactly where it is not 1");
    if ((names(expression, Kind::c) || names(expression, Kind::beta)) !=
        (epilogue.beta != Factor::zero))
      rules.emplace_back("the expression must name c or beta exactly where beta is not 0");
  }
  if (rules.empty()) return {};
  return {{ErrorCode::illegal_config,
           "epilogue",
           base::format("{} nodes", expression.nodes.size()),
           std::move(rules),
           to_string(scaled_sum(epilogue.alpha, epilogue.beta)),
           std::nullopt,
           {}}};
}

namespace {

/// May TMA put the input into subtiles of D?
bool may_land(const EpiloguePlan& out, int place) {
  if (place < 0 || place >= std::ssize(out.inputs)) return false;
  const EpilogueOperandPlan& input = out.inputs[static_cast<size_t>(place)];
  return c_read(out.expression) == CRead::never && out.drain->c_atom && !input.is_bits &&
         input.extent == EpilogueExtent::elements && input.order == out.d_order &&
         width_bits(input.type) == width_bits(out.d_type);
}

}  // namespace

Errors drain_rules(const GemmStep& step) {
  const EpiloguePlan& out = step.epilogue;
  Errors errors = gather_rules(step);
  for (Error& error : staging_rules(step)) errors.push_back(std::move(error));
  if (out.drain && out.drain->input && !may_land(out, *out.drain->input))
    errors.push_back(
        broken("drain.input", std::to_string(*out.drain->input),
               "what lands in subtiles in C's place must be a matrix with D's order and "
               "width, of an expression without c",
               "none"));
  if (out.drain && out.drain->by_ring != 0 && out.drain->by_ring != turns_by_ring(step))
    errors.push_back(
        broken("drain.by_ring", std::to_string(out.drain->by_ring),
               "turns whose C comes by the ring must be all that no subtile holds, and B's "
               "part of a stage must hold them",
               std::to_string(turns_by_ring(step))));
  if (out.d_boxed && !(out.drain && out.drain->map))
    errors.push_back(broken("D.view", to_string(*out.d_boxed),
                            "a View that TMA stores must have the boxes of D's subtiles in at most "
                            "five dimensions: D is unpacked, or walked"));
  if (out.c_boxed && c_read(out.expression) != CRead::never && !(out.drain && out.drain->c_map))
    errors.push_back(broken("C.view", to_string(*out.c_boxed),
                            "a View that TMA reads must have the boxes of D's subtiles in at most "
                            "five dimensions: C is packed, or walked"));
  const bool is_by_elements = step.schedule.main_loop == MainLoop::straight &&
                              out.store == Store::direct && out.vector_elems == 1;
  if (out.d_boxed || out.d_order == Order::row || is_by_elements ||
      (out.drain && out.drain->exit == SubtileExit::boxes))
    return errors;
  errors.push_back(
      broken("swapped", "on",
             "a D along the kernel's M is stored by subtiles, or element by element: it must have "
             "elements of 16 "
             "bits, columns that begin at multiples of 16 bytes and end there, as literals tell",
             "off"));
  return errors;
}

}  // namespace jute::plan
