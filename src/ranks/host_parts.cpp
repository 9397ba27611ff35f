// Parts of matrices that lie whole in the host's memory.
#include <jute/base/nearest_name.hpp>
#include <jute/base/refuse.hpp>
#include <jute/ranks/distributed_gemm.hpp>

#include <cstring>

namespace jute {
namespace {

/// Calls back with the byte of the whole and of the part for each element of a rank's.
template <class Each>
void for_each_element(const RankBuffer& buffer, const Mesh& mesh, Index rank, Index ld_elems,
                      Each each) {
  const std::vector<Index> at = coordinates(mesh, rank);
  std::array<std::vector<Index>, 2> indices;
  for (const std::size_t dim : {0U, 1U}) {
    const Spread& spread = buffer.held.dims[dim];
    const Index size = part_size(spread, at);
    for (Index place = 0; place < size; ++place)
      indices[dim].push_back(index_at(spread, at, place));
  }
  const bool is_row = buffer.order == Order::row;
  const Index width = width_bytes(buffer.type);
  const std::vector<Index>& outer = indices[is_row ? 0 : 1];
  const std::vector<Index>& inner = indices[is_row ? 1 : 0];
  for (std::size_t i = 0; i < outer.size(); ++i)
    for (std::size_t j = 0; j < inner.size(); ++j)
      each((outer[i] * ld_elems + inner[j]) * width,
           (static_cast<Index>(i) * buffer.ld_elems + static_cast<Index>(j)) * width, width);
}

}  // namespace

std::vector<std::byte> part_of_whole(const DistributedPlan& plan, std::size_t buffer, Index rank,
                                     std::span<const std::byte> whole, Index ld_elems) {
  const RankBuffer& it = plan.buffers[buffer];
  std::vector<std::byte> part(static_cast<std::size_t>(it.bytes));
  for_each_element(it, plan.problem.mesh, rank, ld_elems, [&](Index from, Index to, Index width) {
    std::memcpy(part.data() + to, whole.data() + from, static_cast<std::size_t>(width));
  });
  return part;
}

void put_into_whole(const DistributedPlan& plan, std::size_t buffer, Index rank,
                    std::span<const std::byte> part, std::span<std::byte> whole, Index ld_elems) {
  const RankBuffer& it = plan.buffers[buffer];
  for_each_element(it, plan.problem.mesh, rank, ld_elems, [&](Index to, Index from, Index width) {
    std::memcpy(whole.data() + to, part.data() + from, static_cast<std::size_t>(width));
  });
}

std::size_t buffer_of(const DistributedPlan& plan, std::string_view name) {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
    if (!plan.buffers[i].is_callers) continue;
    if (plan.buffers[i].name == name) return i;
    known.push_back(plan.buffers[i].name);
  }
  jute::refuse(ErrorCode::unknown_name, "buffer", std::string(name),
               "it must be a matrix of the problem: " + joined(known), nearest_name(name, known));
}

}  // namespace jute
