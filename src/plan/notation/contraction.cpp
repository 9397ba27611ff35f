// Modes of a contraction, written as Views of a Problem.
#include <jute/plan/notation/contraction.hpp>

#include <algorithm>
#include <utility>

#include "plan/notation/coordinates.hpp"

namespace jute {
namespace {

/// The View of an array: its rows, its columns and the batch, by its strides.
View view_of(const ContractionModes& modes, LetterRole rows, LetterRole columns,
             Index ContractionMode::*stride) {
  plan::CoordinateModes coordinates;
  const LetterRole roles[] = {rows, columns, LetterRole::batch};
  for (std::size_t i = 0; i < 3; ++i)
    for (const ContractionMode& mode : modes.of(roles[i]))
      coordinates[i].push_back({mode.extent, mode.*stride});
  return {.coordinates = plan::element_coordinates(coordinates)};
}

/// No elements: a View has none that are so many.
bool has_no_result(const Problem& problem) {
  return problem.m == 0 || problem.n == 0 || problem.batch == 0;
}

/// A lone operand's factor has the operand's type, wherever it stands.
void set_sides(Problem& problem, const Problem& like, const ContractionModes& modes,
               std::size_t operands) {
  const auto side = [&](std::size_t operand) {
    return operand == 1 && operands == 2 ? like.b : like.a;
  };
  problem.a = side(modes.a);
  problem.b = side(modes.b);
}

}  // namespace

Contraction contraction(const Subscripts& subscripts, std::span<const StridedArray> operands,
                        const Problem& like, std::span<const Index> result_strides_elems) {
  Contraction made{.problem = like,
                   .modes = contraction_modes(subscripts, operands, result_strides_elems)};
  Problem& problem = made.problem;
  set_sides(problem, like, made.modes, operands.size());
  problem.m = made.modes.extent(LetterRole::m);
  problem.n = made.modes.extent(LetterRole::n);
  problem.k = made.modes.extent(LetterRole::k);
  problem.batch = made.modes.extent(LetterRole::batch);
  if (has_no_result(problem)) return made;
  problem.d.view = view_of(made.modes, LetterRole::m, LetterRole::n, &ContractionMode::stride_d);
  problem.c.view = problem.d.view;
  if (problem.k == 0) return made;  // zeros, where D lies
  problem.a.view = view_of(made.modes, LetterRole::m, LetterRole::k, &ContractionMode::stride_a);
  problem.b.view = view_of(made.modes, LetterRole::n, LetterRole::k, &ContractionMode::stride_b);
  return made;
}

}  // namespace jute
