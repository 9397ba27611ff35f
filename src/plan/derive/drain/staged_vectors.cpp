// Places the vectors of a tile one behind the other.
#include "plan/derive/drain/staged_vectors.hpp"

#include <algorithm>

namespace jute::plan {
namespace {

constexpr Index kWidestAccess = 16;  // bytes: no access is wider

/// Bits of a vector are so few that threads read them where they lie.
bool is_vector(const EpilogueOperandPlan& input) {
  return !input.is_bits &&
         (input.extent == EpilogueExtent::rows || input.extent == EpilogueExtent::columns);
}

Index vector_bytes(const EpilogueOperandPlan& input, const TileShape& tile) {
  const Index elements = input.extent == EpilogueExtent::rows ? tile.m : tile.n;
  return ceil_div(elements * width_bytes(input.type), kWidestAccess) * kWidestAccess;
}

}  // namespace

void stage_vectors(GemmStep& step) {
  Index end = 0;
  for (EpilogueOperandPlan& input : step.epilogue.inputs) {
    input.staged.reset();
    if (!is_vector(input) || !step.epilogue.drain || reduces_in_cluster(step.schedule)) continue;
    input.staged = end;
    end += vector_bytes(input, step.tile);
  }
}

void unstage_vectors(GemmStep& step) {
  for (EpilogueOperandPlan& input : step.epilogue.inputs) input.staged.reset();
}

Index vector_bytes(const GemmStep& step) {
  Index end = 0;
  for (const EpilogueOperandPlan& input : step.epilogue.inputs)
    if (input.staged) end = std::max(end, *input.staged + vector_bytes(input, step.tile));
  return end;
}

Errors staging_rules(const GemmStep& step) {
  const auto is_staged = [](const EpilogueOperandPlan& input) { return input.staged.has_value(); };
  if (std::ranges::none_of(step.epilogue.inputs, is_staged)) return {};
  GemmStep expected = step;
  stage_vectors(expected);
  Errors errors;
  for (size_t i = 0; i < step.epilogue.inputs.size(); ++i) {
    const EpilogueOperandPlan &input = step.epilogue.inputs[i],
                              &wanted = expected.epilogue.inputs[i];
    const auto text = [](const std::optional<Index>& at) {
      return at ? std::to_string(*at) : std::string("none");
    };
    if (input.staged != wanted.staged)
      errors.push_back(broken(input.name + ".staged", text(input.staged),
                              "vectors that come to shared memory must be those of a drain by "
                              "subtiles, one behind the other",
                              text(wanted.staged)));
  }
  return errors;
}

}  // namespace jute::plan
