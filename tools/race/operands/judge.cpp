// Samples against the library's reference and bound.
#include "race/operands/judge.hpp"

#include <jute/host/matrix_elements.hpp>
#include <jute/host/operands.hpp>
#include <jute/plan/ask/operand_extents.hpp>

#include <algorithm>
#include <cstring>
#include <limits>

namespace jute::bench {
namespace {

constexpr Index kSamples = 256;

std::vector<std::byte> on_host(Backend& backend, DevicePointer source, Index bytes) {
  std::vector<std::byte> copy(static_cast<size_t>(bytes));
  if (source != 0) backend.copy_out(copy, source);
  return copy;
}

/// Elements whose bytes all are the poison's.
Index count_poisoned(const std::byte* bytes, Index count, DType type) {
  const auto poison = static_cast<std::byte>(poison_byte(type));
  const Index width = width_bytes(type);
  Index found = 0;
  for (Index i = 0; i < count; ++i)
    found += std::all_of(bytes + i * width, bytes + (i + 1) * width,
                         [&](std::byte one) { return one == poison; });
  return found;
}

struct Part {
  Index rows, cols;
};
/// What of a matrix of D the usual groups have: all that lies in front of the last one's end.
Part written_part(const Problem& problem, std::span<const Index> ends, Index matrix) {
  // The first ones of rows by a table are those that are stored.
  Part part{std::min(problem.m, rows_in_memory(problem.d, problem.m)), problem.n};
  if (ends.empty()) return part;
  switch (problem.groups->kind) {
    case GroupKind::masked_rows:
      part.rows = std::min(part.rows, ends[static_cast<size_t>(matrix)]);
      break;
    case GroupKind::rows: {
      const Index grouped =
          problem.groups->entry == GroupEntry::group
              ? ends.back()
              : std::ranges::count_if(ends, [](Index group) { return group >= 0; });
      part.rows = std::min(part.rows, grouped);
      break;
    }
    case GroupKind::cols:
      part.cols = ends.back();
      break;
    case GroupKind::k:
    case GroupKind::each:
      break;
  }
  return part;
}

}  // namespace

Index unwritten(const Problem& problem, std::span<const std::byte> d) {
  const Problem whole = completed(problem);
  const bool by_rows = whole.d.order == Order::row;
  const Index width = width_bytes(whole.d.type);
  Index found = 0;
  const MatrixElements element(whole.d);
  const std::vector<Index> ends = usual_groups(whole);
  // Groups have parts of one D, all of it.
  const Index matrices = is_cut(whole, EpilogueExtent::elements) ? 1 : whole.batch;
  for (Index matrix = 0; matrix < matrices; ++matrix) {
    const auto [rows, cols] = written_part(whole, ends, matrix);
    const Index lines = by_rows ? rows : cols, length = by_rows ? cols : rows;
    for (Index line = 0; line < lines; ++line) {
      if (whole.d.view) {
        for (Index i = 0; i < length; ++i) {
          const Index at = by_rows ? element(matrix, line, i) : element(matrix, i, line);
          found += count_poisoned(d.data() + at * width, 1, whole.d.type);
        }
        continue;
      }
      const Index first = matrix * whole.d.batch_stride_elems + line * whole.d.ld_elems;
      found += count_poisoned(d.data() + first * width, length, whole.d.type);
    }
  }
  return found;
}

Judge::Judge(Backend& backend, const RotatingSets& sets, const Case& each)
    : backend_(backend), case_(each) {
  const OperandBytes bytes = operand_bytes(each.problem);
  d_bytes_ = bytes[TensorRole::d];
  const int last = sets.rotation().sets - 1;
  for (const int set : last == 0 ? std::vector<int>{0} : std::vector<int>{0, last}) {
    Sample sample;
    sample.operands = sets.of(set);
    for (const TensorRole role : kAllTensors)
      if (!is_written(role) && bytes[role] > 0 && sample.operands[role] != 0)
        sample.memory[role] = on_host(backend, sample.operands[role], bytes[role]);
    sample.elements = sample_elements(each.problem, kSamples, 7 + static_cast<std::uint64_t>(set));
    samples_.push_back(std::move(sample));
  }
}

const Reference& Judge::reference_of(Sample& sample, double roundoff) const {
  if (const auto known = sample.references.find(roundoff); known != sample.references.end())
    return known->second;
  HostOperands operands;
  for (const TensorRole role : kAllTensors) operands.memory[role] = sample.memory[role];
  operands.ends = usual_groups(case_.problem);
  operands.rows_a = spread_rows(case_.problem, TensorRole::a);
  operands.rows_d = spread_rows(case_.problem, TensorRole::d);
  operands.input_values.assign(kMostEpilogueInputs, kInputValue);
  return sample.references
      .emplace(roundoff, reference_elements(case_.problem, operands, sample.elements, case_.alpha,
                                            case_.beta, roundoff))
      .first->second;
}

Judgement Judge::judge(Sample& sample, double roundoff) const {
  const std::vector<std::byte> d = on_host(backend_, sample.operands[TensorRole::d], d_bytes_);
  if (const Index missing = unwritten(case_.problem, d); missing > 0)
    return {std::numeric_limits<double>::infinity(),
            std::to_string(missing) + " elements were not written, or are NaN"};
  const Verdict verdict =
      compare_elements(case_.problem, reference_of(sample, roundoff), sample.elements, d);
  return {verdict.ok ? verdict.worst_ratio : std::max(verdict.worst_ratio, 1.5),
          verdict.ok ? "" : to_string(verdict)};
}

Judgement Judge::judge(double roundoff) {
  Judgement worst;
  for (Sample& sample : samples_) {
    Judgement judgement = judge(sample, roundoff);
    if (judgement.error >= worst.error) worst = std::move(judgement);
  }
  return worst;
}

}  // namespace jute::bench
