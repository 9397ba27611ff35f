// Each operand's View against its extents; then in the fewest words.
#include "plan/ask/operand_views.hpp"

#include <jute/plan/ask/epilogue.hpp>

#include "plan/ask/operand_sums.hpp"
#include "plan/ask/view_modes.hpp"

namespace jute::plan {
namespace {

/// An operand as its View sees it.
struct Viewed {
  std::string name;
  Matrix* matrix;
  ViewSizes sizes;
  ViewUse use;
  bool is_transposed = false;  ///< the View's rows are the matrix's columns: of B
};

/// Does the matrix say otherwise, too, where it lies?
bool has_strides(const Matrix& matrix) {
  return matrix.ld_elems != 0 || matrix.batch_stride_elems != 0 || matrix.broadcast;
}

/// The order of the matrix, which has the View's rows and columns or the other way round.
Order turned(Order order, const Viewed& operand) {
  return (order == Order::row) != operand.is_transposed ? Order::row : Order::col;
}

void simplify(const Viewed& operand) {
  Matrix& matrix = *operand.matrix;
  const bool is_run_time = matrix.view->numbers == ViewNumbers::run_time;
  const ViewModes modes = is_run_time ? modes_of(*matrix.view) : canonical_modes(*matrix.view);
  if (is_run_time) {  // another run's numbers may be no matrix's
    matrix.order = turned(order_of(modes), operand);
    return;
  }
  const std::optional<PlainMatrix> plain = plain_matrix(modes);
  if (!plain) {
    matrix.order = turned(order_of(modes), operand);
    matrix.view = canonical(*matrix.view);
    return;
  }
  matrix.view.reset();
  matrix.order = turned(plain->order, operand);
  matrix.ld_elems = plain->ld_elems;
  matrix.batch_stride_elems = plain->batch_stride_elems;
  matrix.broadcast = operand.sizes.batch > 1 && plain->batch_stride_elems == 0;
}

std::vector<BrokenView> complete_view(const Viewed& operand) {
  const Matrix& matrix = *operand.matrix;
  if (!matrix.view) return {};
  if (has_strides(matrix))
    return {{operand.name + ".view",
             {to_string(*matrix.view),
              "a View must stand alone: ld, batch stride and broadcast are its strides",
              std::nullopt}}};
  std::vector<BrokenView> broken;
  for (BrokenViewRule& rule : broken_rules(*matrix.view, operand.sizes, operand.use))
    broken.push_back({operand.name + ".view", std::move(rule)});
  if (broken.empty()) simplify(operand);
  return broken;
}

/// Adds Views of operands that an epilogue names beside C and D.
void add_named(std::vector<BrokenView>& broken, const std::vector<EpilogueOperand>& operands,
               const auto& named) {
  for (std::size_t i = 0; i < operands.size() && i < named.size(); ++i)
    if (operands[i].view && !is_d(named[i].name))
      broken.push_back({named[i].name + ".view",
                        {to_string(*operands[i].view),
                         "only A, B, C and D must have Views; what an epilogue names beside them "
                         "needs an order and strides",
                         std::nullopt}});
}

/// Sums of operands are formed of rows and columns.
void add_summed(std::vector<BrokenView>& broken, const Problem& problem) {
  for (const SumRow& sum : sums_named(problem)) {
    const bool is_a = sum.tensor == TensorRole::a;
    const Matrix& matrix = is_a ? problem.a : problem.b;
    if (matrix.view)
      broken.push_back({is_a ? "A.view" : "B.view",
                        {to_string(*matrix.view),
                         "an operand whose sums the epilogue names must have an order and strides",
                         std::nullopt}});
  }
}

/// A reader that does not go element by element holds its View's numbers.
void add_run_time(std::vector<BrokenView>& broken, const Problem& problem) {
  const auto refuse = [&](const char* name, const Matrix& matrix, const char* rule) {
    if (matrix.view && matrix.view->numbers == ViewNumbers::run_time)
      broken.push_back({name, {"numbers=run-time", rule, "numbers=literal"}});
  };
  if (problem.gate)
    refuse("B.view", problem.b, "a B in halves must have a View whose numbers are literal");
  const char* const converted =
      "an operand that is converted must have a View whose numbers are literal";
  if (is_converted(problem.a, problem.scale_a, problem.staged))
    refuse("A.view", problem.a, converted);
  if (is_converted(problem.b, problem.scale_b, problem.staged))
    refuse("B.view", problem.b, converted);
}

}  // namespace

bool overlaps(const Matrix& d, Index rows, Index columns, Index batch) {
  const bool is_row = d.order == Order::row;
  const View view{
      Layout(IntTuple{rows, columns, batch},
             IntTuple{is_row ? d.ld_elems : 1, is_row ? 1 : d.ld_elems, d.batch_stride_elems})};
  return !broken_rules(view, {rows, columns, batch}, ViewUse::written).empty();
}

std::vector<BrokenView> complete_views(Problem& problem, Index most_m) {
  const Index n = problem.n, n_of_b = columns_of_b(problem), k = problem.k, batch = problem.batch;
  if (c_read(problem) == CRead::never) problem.c.view.reset();
  std::vector<BrokenView> broken;
  for (const Viewed& operand :
       {Viewed{"A", &problem.a, {most_m, k, batch, true}, ViewUse::read},
        Viewed{"B", &problem.b, {n_of_b, k, batch}, ViewUse::read, true},
        Viewed{"C", &problem.c, {most_m, n, batch, true}, ViewUse::read_inside},
        Viewed{"D", &problem.d, {most_m, n, batch, true}, ViewUse::written}})
    for (BrokenView& rule : complete_view(operand)) broken.push_back(std::move(rule));
  add_run_time(broken, problem);
  if (problem.epilogue) {
    const auto& [expression, inputs, outputs] = *problem.epilogue;
    add_summed(broken, problem);
    add_named(broken, inputs, expression.inputs);
    add_named(broken, outputs, expression.outputs);
  }
  return broken;
}

}  // namespace jute::plan
