// Random operands, lists and scales, as often as a cache must not hold them.
#include <jute/race/scratch.hpp>

#include <jute/base/refuse.hpp>
#include <jute/gemm/gemm_args.hpp>
#include <jute/gemm/reference.hpp>
#include <jute/host/operands.hpp>

#include <algorithm>

#include "base/format.hpp"

namespace jute {
namespace {

constexpr Index kBlockBytes = Index{4} << 20;  // that is drawn, and repeated over an operand

double beta_of(const Problem& problem) { return problem.beta == Factor::one ? 1.0 : 0.0; }

}  // namespace

OperandSets scratch_operands(Backend& backend, const Problem& problem, Index most_bytes) {
  const TensorBytes lists = usual_lists(problem);
  OperandBytes bytes = operand_bytes(problem);
  if (!reads_c(problem, beta_of(problem))) bytes[TensorRole::c] = 0;
  for (const TensorRole role : kAllTensors)
    bytes[role] = std::max(bytes[role], static_cast<Index>(lists[role].size()));
  const Index one = set_bytes(bytes);
  if (one > most_bytes)
    refuse(ErrorCode::out_of_memory, "race", base::format("{} bytes of operands", one),
           "operands and workspace must take at most half of the device's free memory",
           std::to_string(std::max<Index>(most_bytes, 0)));
  OperandSets sets(backend, bytes,
                   static_cast<int>(std::min<Index>(usual_sets(one), most_bytes / one)));
  const TensorBytes scales = random_scales(problem, 1, RandomKind::normal);
  std::uint64_t seed = 1;
  for (const TensorRole role : kAllTensors) {
    const Matrix* const matrix = matrix_of(problem, role);
    if (is_written(role))
      sets.fill(role, 0);
    else if (matrix == nullptr)
      sets.put(role, lists[role]);
    else if (is_of_blocks(role))
      sets.put(role, scales[role]);
    else
      sets.put(role, random_bytes(matrix->type, std::min(bytes[role], kBlockBytes), seed++,
                                  RandomKind::normal));
  }
  backend.synchronize();
  return sets;
}

GemmArgs args_on(const OperandSets& sets, const Problem& problem, int launch) {
  constexpr double kNumber = 0.5;
  GemmArgs args;
  put_addresses(args, sets.of(launch));
  if (args.c == 0) args.c = args.d;
  args.beta = beta_of(problem);
  for (EpilogueArg& input : args.inputs) input.value = kNumber;
  return args;
}

}  // namespace jute
