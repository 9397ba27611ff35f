// From steps to the patches of buffers that they read and write.
#include "dist/touched.hpp"

#include <algorithm>

namespace jute::dist {
namespace {

Patch rectangle(Index row, Index rows, Index column, Index columns) {
  return {std::vector<Stretch>{{row, row + rows}},
          std::vector<Stretch>{{column, column + columns}}};
}

class StepReader {
 public:
  explicit StepReader(const DistributedPlan& plan)
      : plan_(plan), ranks_(rank_count(plan.problem.mesh)) {}

  [[nodiscard]] TouchedParts of(const ProductStep& product) const {
    TouchedParts parts;
    for (const auto& [part, dimension] :
         {std::pair(&product.a, Dimension::m), std::pair(&product.b, Dimension::n)})
      if (product.arriving && product.arriving->rows.dimension == dimension)
        add_arriving(parts.read, *part, *product.arriving);
      else
        parts.read.push_back(operand(*part, product.slice, dimension));
    if (product.c) parts.read.push_back(result(*product.c, product.slice));
    add_inputs(parts.read, product.inputs);
    parts.written.push_back(result(product.d, product.slice));
    return parts;
  }

  [[nodiscard]] TouchedParts of(const ExchangeStep& exchange) const {
    TouchedParts parts;
    TouchedBuffer from = nothing_of(exchange.from);
    std::vector<TouchedBuffer> to;
    for (const std::size_t buffer : exchange.to) to.push_back(nothing_of(buffer));
    for (const Parcel& parcel : exchange.parcels) {
      if (!is_between_ranks(parcel, exchange)) continue;
      from.patches[static_cast<std::size_t>(parcel.sender)].push_back(
          patch_of(parcel, &IndexRun::from));
      to[static_cast<std::size_t>(parcel.summand)]
          .patches[static_cast<std::size_t>(parcel.receiver)]
          .push_back(patch_of(parcel, &IndexRun::to));
    }
    parts.read.push_back(std::move(from));
    parts.written = std::move(to);
    return parts;
  }

  [[nodiscard]] TouchedParts of(const CollectiveStep& collective) const {
    TouchedParts parts;
    parts.read.push_back(all_of(plan_, collective.from));
    parts.written.push_back(all_of(plan_, collective.to));
    return parts;
  }

  [[nodiscard]] TouchedParts of(const SumStep& sum) const {
    TouchedParts parts;
    for (std::size_t i = 0; i < sum.summands.size(); ++i) {
      TouchedBuffer summand = all_of(plan_, sum.summands[i]);
      if (sum.own)
        for (Index rank = 0; rank < ranks_; ++rank)
          if (sum.own->place[static_cast<std::size_t>(rank)] == i)
            summand.patches[static_cast<std::size_t>(rank)].clear();
      parts.read.push_back(std::move(summand));
    }
    if (sum.own) {
      TouchedBuffer own = nothing_of(sum.own->buffer);
      for (Index rank = 0; rank < ranks_; ++rank) {
        const auto extents =
            part_extents(plan_.problem.mesh, plan_.buffers[sum.summands.front()].held, rank);
        put(own, rank, sum.own->first, extents);
      }
      parts.read.push_back(std::move(own));
    }
    if (sum.c) parts.read.push_back(all_of(plan_, *sum.c));
    add_inputs(parts.read, sum.inputs);
    parts.written.push_back(all_of(plan_, sum.d));
    return parts;
  }

 private:
  /// All of them, also for a slice: nothing writes them beside it.
  void add_inputs(std::vector<TouchedBuffer>& read, const std::vector<StepInput>& inputs) const {
    for (const StepInput& input : inputs)
      if (input.buffer) read.push_back(all_of(plan_, *input.buffer));
  }
  [[nodiscard]] bool is_between_ranks(const Parcel& parcel, const ExchangeStep& exchange) const {
    return parcel.sender >= 0 && parcel.sender < ranks_ && parcel.receiver >= 0 &&
           parcel.receiver < ranks_ && parcel.summand >= 0 &&
           parcel.summand < static_cast<Index>(exchange.to.size());
  }
  [[nodiscard]] TouchedBuffer nothing_of(std::size_t buffer) const {
    return {buffer, std::vector<std::vector<Patch>>(static_cast<std::size_t>(ranks_))};
  }

  /// A rectangle that begins at an element of the buffer.
  void put(TouchedBuffer& touched, Index rank, const std::vector<Index>& first,
           const std::array<Index, 2>& extents) const {
    const RankBuffer& buffer = plan_.buffers[touched.buffer];
    const Index at = first[static_cast<std::size_t>(rank)];
    const Index outer = at / buffer.ld_elems, inner = at % buffer.ld_elems;
    const bool is_row = buffer.order == Order::row;
    if (extents[0] > 0 && extents[1] > 0)
      touched.patches[static_cast<std::size_t>(rank)].push_back(
          rectangle(is_row ? outer : inner, extents[0], is_row ? inner : outer, extents[1]));
  }

  [[nodiscard]] TouchedBuffer operand(const BufferPart& part,
                                      const std::optional<ProductSlice>& slice,
                                      Dimension rows) const {
    TouchedBuffer result = nothing_of(part.buffer);
    for (Index rank = 0; rank < ranks_; ++rank) {
      std::array<Index, 2> extents = part_extents(plan_.problem.mesh, part.part, rank);
      if (slice && slice->dimension == rows)
        extents[0] = slice->count[static_cast<std::size_t>(rank)];
      put(result, rank, part.first, extents);
    }
    return result;
  }

  /// The own rows where they lie, the others where they come to.
  void add_arriving(std::vector<TouchedBuffer>& read, const BufferPart& part,
                    const ArrivingRows& arriving) const {
    TouchedBuffer own = nothing_of(arriving.own.buffer), others = nothing_of(part.buffer);
    for (Index rank = 0; rank < ranks_; ++rank) {
      const auto at = static_cast<std::size_t>(rank);
      const auto extents = part_extents(plan_.problem.mesh, part.part, rank);
      const Index first = arriving.rows.first[at], count = arriving.rows.count[at];
      put(own, rank, arriving.own.first, {count, extents[1]});
      for (const auto& [begin, rows] :
           {std::pair(Index{0}, first), std::pair(first + count, extents[0] - first - count)})
        if (rows > 0 && extents[1] > 0)
          others.patches[at].push_back(rectangle(begin, rows, 0, extents[1]));
    }
    read.push_back(std::move(own));
    read.push_back(std::move(others));
  }

  [[nodiscard]] TouchedBuffer result(std::size_t buffer,
                                     const std::optional<ProductSlice>& slice) const {
    if (!slice) return all_of(plan_, buffer);
    TouchedBuffer result = nothing_of(buffer);
    for (Index rank = 0; rank < ranks_; ++rank) {
      const auto at = static_cast<std::size_t>(rank);
      const auto extents = part_extents(plan_.problem.mesh, plan_.buffers[buffer].held, rank);
      const bool is_rows = slice->dimension == Dimension::m;
      if (slice->count[at] > 0 && extents[is_rows ? 1 : 0] > 0)
        result.patches[at].push_back(
            is_rows ? rectangle(slice->first[at], slice->count[at], 0, extents[1])
                    : rectangle(0, extents[0], slice->first[at], slice->count[at]));
    }
    return result;
  }

  static Patch patch_of(const Parcel& parcel, Index IndexRun::*place) {
    Patch patch;
    for (const std::size_t dim : {0U, 1U}) {
      for (const IndexRun& run : parcel.runs[dim])
        patch[dim].push_back({run.*place, run.*place + run.count});
      std::ranges::sort(patch[dim], {}, &Stretch::begin);
    }
    return patch;
  }

  const DistributedPlan& plan_;
  Index ranks_;
};

Index shared_length(const std::vector<Stretch>& left, const std::vector<Stretch>& right) {
  Index length = 0;
  for (std::size_t i = 0, j = 0; i < left.size() && j < right.size();) {
    length += std::max<Index>(
        0, std::min(left[i].end, right[j].end) - std::max(left[i].begin, right[j].begin));
    if (left[i].end < right[j].end)
      ++i;
    else
      ++j;
  }
  return length;
}

/// Do stretches of several lists, each of which has none twice, lie apart?
bool lie_apart(const std::vector<const std::vector<Stretch>*>& lists) {
  std::vector<Stretch> all;
  for (const auto* list : lists) all.insert(all.end(), list->begin(), list->end());
  std::ranges::sort(all, {}, &Stretch::begin);
  return std::ranges::adjacent_find(all, [](const Stretch& one, const Stretch& next) {
           return next.begin < one.end;
         }) == all.end();
}

/// The sets of columns of patches that have one set of rows.
using ColumnsOfRows = std::vector<std::vector<const std::vector<Stretch>*>>;

ColumnsOfRows by_rows(std::vector<const Patch*> patches,
                      std::vector<const std::vector<Stretch>*>& rows) {
  const auto are_before = [](const Patch* left, const Patch* right) {
    return (*left)[0] < (*right)[0];
  };
  std::ranges::sort(patches, are_before);
  ColumnsOfRows result;
  for (const Patch* patch : patches) {
    if (rows.empty() || *rows.back() != (*patch)[0]) {
      rows.push_back(&(*patch)[0]);
      result.emplace_back();
    }
    result.back().push_back(&(*patch)[1]);
  }
  return result;
}

}  // namespace

TouchedParts touched_parts(const DistributedPlan& plan, const DistributedStep& step) {
  return std::visit([&](const auto& body) { return StepReader(plan).of(body); }, step.body);
}

TouchedBuffer all_of(const DistributedPlan& plan, std::size_t buffer) {
  TouchedBuffer result{buffer, {}};
  for (Index rank = 0; rank < rank_count(plan.problem.mesh); ++rank) {
    const auto extents = part_extents(plan.problem.mesh, plan.buffers[buffer].held, rank);
    result.patches.emplace_back();
    if (extents[0] > 0 && extents[1] > 0)
      result.patches.back().push_back(rectangle(0, extents[0], 0, extents[1]));
  }
  return result;
}

Index shared_elements(const Patch& left, const Patch& right) {
  return shared_length(left[0], right[0]) * shared_length(left[1], right[1]);
}
Index elements_of(const Patch& patch) { return shared_elements(patch, patch); }

bool overlap(const std::vector<const Patch*>& patches) {
  // Parcels of one exchange have the same rows or other ones: that needs no comparison of pairs.
  std::vector<const std::vector<Stretch>*> rows;
  const ColumnsOfRows columns = by_rows(patches, rows);
  if (lie_apart(rows)) return !std::ranges::all_of(columns, lie_apart);
  for (std::size_t i = 1; i < patches.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (shared_elements(*patches[i], *patches[j]) > 0) return true;
  return false;
}

bool share_elements(const std::vector<TouchedBuffer>& left,
                    const std::vector<TouchedBuffer>& right) {
  for (const TouchedBuffer& one : left)
    for (const TouchedBuffer& other : right) {
      if (one.buffer != other.buffer) continue;
      for (std::size_t rank = 0; rank < one.patches.size(); ++rank)
        for (const Patch& patch : one.patches[rank])
          for (const Patch& it : other.patches[rank])
            if (shared_elements(patch, it) > 0) return true;
    }
  return false;
}

}  // namespace jute::dist
