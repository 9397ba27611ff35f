// Which sums are an all-reduce or a reduce-scatter of whole buffers.
#include "dist/collective.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "base/format.hpp"

namespace jute::dist {
namespace {

constexpr std::array kAddedTypes{DType::f32, DType::bf16, DType::f16, DType::f64, DType::s32};

Index line_count(const RankBuffer& buffer, const std::array<Index, 2>& extents) {
  return extents[buffer.order == Order::row ? 0 : 1];
}
Index line_length(const RankBuffer& buffer, const std::array<Index, 2>& extents) {
  return extents[buffer.order == Order::row ? 1 : 0];
}

/// Does each rank get the whole of each rank's lines from `first` of its own on?
bool is_of_all(const DistributedPlan& plan, const RankBuffer& from, const RankBuffer& to,
               const std::vector<Parcel>& parcels, const std::vector<Index>& first) {
  std::set<std::pair<Index, Index>> pairs;
  for (const Parcel& parcel : parcels) {
    const auto extents = part_extents(plan.problem.mesh, to.held, parcel.receiver);
    for (const std::size_t dim : {0U, 1U})
      if (parcel.runs[dim].size() != 1 || parcel.runs[dim].front().to != 0 ||
          parcel.runs[dim].front().count != extents[dim])
        return false;
    if (element_at(from, parcel.runs[0].front().from, parcel.runs[1].front().from) !=
        first[static_cast<std::size_t>(parcel.receiver)])
      return false;
    pairs.emplace(parcel.sender, parcel.receiver);
  }
  return pairs.size() == first.size() * first.size();
}

}  // namespace

std::string fault_of(const DistributedPlan& plan, const CollectiveStep& step) {
  const RankBuffer &from = plan.buffers[step.from], &to = plan.buffers[step.to];
  const Mesh& mesh = plan.problem.mesh;
  if (std::ranges::find(kAddedTypes, from.type) == kAddedTypes.end())
    return base::format("summands must travel as f32, bf16, f16, f64 or s32, not {}",
                        name(from.type));
  if (from.type != to.type || from.order != to.order || from.ld_elems != to.ld_elems)
    return "a sum must have the type, order and leading dimension of its summands";
  for (Index rank = 0; rank < rank_count(mesh); ++rank) {
    const auto made = part_extents(mesh, from.held, rank), kept = part_extents(mesh, to.held, rank);
    const bool is_whole = line_length(from, made) == line_length(to, kept);
    const Index lines = step.kind == CollectiveKind::all_reduce
                            ? line_count(from, made)
                            : line_count(from, made) / rank_count(mesh);
    if (!is_whole || line_count(to, kept) != lines || step.elements != lines * from.ld_elems)
      return "parts of D must be whole lines of all ranks' summands, as many on each rank";
  }
  return {};
}

CollectiveChoice collective_of(const DistributedPlan& plan, std::size_t from, std::size_t to,
                               const std::vector<Parcel>& parcels) {
  const Mesh& mesh = plan.problem.mesh;
  const RankBuffer &made = plan.buffers[from], &kept = plan.buffers[to];
  const auto ranks = static_cast<std::size_t>(rank_count(mesh));
  const Index lines = line_count(kept, part_extents(mesh, kept.held, 0));
  const bool is_all = lines == line_count(made, part_extents(mesh, made.held, 0));
  CollectiveChoice choice;
  choice.step = {from, to, is_all ? CollectiveKind::all_reduce : CollectiveKind::reduce_scatter,
                 lines * made.ld_elems};
  choice.fault = fault_of(plan, choice.step);
  std::vector<Index> first(ranks, 0);
  for (std::size_t rank = 0; rank < ranks && !is_all; ++rank)
    first[rank] = static_cast<Index>(rank) * choice.step.elements;
  if (choice.fault.empty() && !is_of_all(plan, made, kept, parcels, first))
    choice.fault =
        "each rank must have a summand of all of D, and D be on each or cut by rows in "
        "the order of ranks";
  return choice;
}

}  // namespace jute::dist
