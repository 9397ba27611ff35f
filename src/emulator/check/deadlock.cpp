// The report of a deadlock: a table of what everybody waits for, and the cycle in it.
#include "emulator/check/deadlock.hpp"

#include "base/format.hpp"
#include "emulator/run/barriers.hpp"
#include "emulator/run/machine.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <string>

namespace jute::emulator {
namespace {

/// A warp that waits, or with none the next block that has not started.
struct Waiter {
  Block* block = nullptr;
  Warp* warp = nullptr;
  bool operator==(const Waiter&) const = default;
};

bool polls_mbarrier(const LaneGroup& group) {
  return group.poll.at != nullptr && group.poll.at->run == &run_mbarrier;
}
bool polls_mbarrier_at(const Warp& warp, std::uint64_t barrier) {
  return std::ranges::any_of(warp.groups, [&](const LaneGroup& group) {
    return polls_mbarrier(group) && group.poll.phase.barrier == barrier;
  });
}
std::string describe_mbarrier(const Block& block, const AwaitedPhase& awaited) {
  const MbarrierState state = block.mbarrier_at(awaited.barrier);
  return base::format(
      " waits for parity {} of the mbarrier at shared offset {}, whose phase {} awaits {} of {} "
      "arrivals and {} bytes",
      awaited.parity, awaited.barrier, state.phase, state.pending, state.expected, state.tx);
}
bool waits_for_products(const Warp& warp, const LaneGroup& group) {
  return warp.block->program.code[group.pc].flow == Flow::product_wait;
}
std::string describe_wait(const Warp& warp, const LaneGroup& group) {
  const Block& block = *warp.block;
  if (waits_for_products(warp, group))
    return " waits for products that not all four warps of its warpgroup have issued";
  switch (group.wait) {
    case Wait::cluster:
      return " waits for its cluster";
    case Wait::convergence:
      return " waits for other lanes of the warp";
    case Wait::barrier: {
      const Barrier& barrier = block.barriers[static_cast<size_t>(group.barrier)];
      return base::format(" waits on barrier {}: {} of {} threads have arrived", group.barrier,
                          barrier.arrived,
                          barrier.expected < 0 ? block.live_threads : barrier.expected);
    }
    case Wait::none:
      break;
  }
  return polls_mbarrier(group) ? describe_mbarrier(block, group.poll.phase) : " polls memory";
}

/// Edges lead from a waiter to those of whom one must go on before it can.
class WaitGraph {
 public:
  explicit WaitGraph(const Standstill& standstill) : standstill_(standstill) {}

  /// A chain of waiters whose last waits for the first, or where there is none, one whose last
  /// waits for nobody that is left.
  [[nodiscard]] std::vector<Waiter> chain_from(const Waiter& first, bool& is_cycle) const {
    std::vector<Waiter> path{first}, longest = path, done;
    while (!path.empty()) {
      std::optional<Waiter> next;
      for (const Waiter& awaited : awaited_by(path.back())) {
        const auto again = std::find(path.begin(), path.end(), awaited);
        if (again != path.end()) {
          is_cycle = true;
          return {again, path.end()};
        }
        if (!next && std::find(done.begin(), done.end(), awaited) == done.end()) next = awaited;
      }
      if (next) {
        path.push_back(*next);
        if (path.size() > longest.size()) longest = path;
      } else {
        done.push_back(path.back());
        path.pop_back();
      }
    }
    is_cycle = false;
    return longest;
  }

  [[nodiscard]] std::string describe(const Waiter& waiter) const {
    if (waiter.warp == nullptr)
      return base::format("block {} has not started and waits for a place on the chip",
                          standstill_.next);
    const Warp& warp = *waiter.warp;
    return base::format("block {} warp {}{}", waiter.block->linear, warp.index,
                        describe_wait(warp, warp.groups.front()));
  }

 private:
  [[nodiscard]] std::vector<Waiter> awaited_by(const Waiter& waiter) const {
    if (waiter.warp == nullptr) return others(nullptr);
    const Warp& warp = *waiter.warp;
    const LaneGroup& group = warp.groups.front();
    if (waits_for_products(warp, group)) return siblings(waiter);
    switch (group.wait) {
      case Wait::barrier:
        return missing({waiter.block}, [&](const LaneGroup& other) {
          return other.wait == Wait::barrier && other.barrier == group.barrier;
        });
      case Wait::cluster: {
        std::vector<Block*> blocks;
        for (const auto& block : waiter.block->cluster->blocks) blocks.push_back(block.get());
        return missing(blocks, [](const LaneGroup& other) { return other.wait == Wait::cluster; });
      }
      case Wait::convergence:
        return {waiter};
      case Wait::none:
        break;
    }
    if (polls_mbarrier(group)) return arrivers(*waiter.block, group.poll.phase.barrier);
    if (standstill_.unstarted > 0) return {Waiter{}};
    return others(waiter.block);
  }
  /// Warps of the same warpgroup that have issued fewer products.
  static std::vector<Waiter> siblings(const Waiter& waiter) {
    constexpr int kGroup = 4;
    std::vector<Waiter> result;
    for (Warp& other : waiter.block->warps)
      if (other.index / kGroup == waiter.warp->index / kGroup && !other.is_done() &&
          other.async.products < waiter.warp->async.products)
        result.push_back({waiter.block, &other});
    return result;
  }
  /// Warps of which nothing is where `is_there` says.
  template <class IsThere>
  static std::vector<Waiter> missing(const std::vector<Block*>& blocks, IsThere is_there) {
    std::vector<Waiter> result;
    for (Block* const block : blocks)
      for (Warp& warp : block->warps)
        if (!warp.is_done() && std::none_of(warp.groups.begin(), warp.groups.end(), is_there))
          result.push_back({block, &warp});
    return result;
  }
  /// Warps that have ever arrived or counted bytes there; before the first, all that wait
  /// elsewhere.
  static std::vector<Waiter> arrivers(Block& owner, std::uint64_t barrier) {
    std::vector<Waiter> result;
    const auto history = owner.mbarriers.find(barrier);
    if (history != owner.mbarriers.end())
      for (const auto& [block, index] : history->second.arrivers)
        for (const auto& peer : owner.cluster->blocks)
          if (peer->linear == block && !peer->warps[static_cast<size_t>(index)].is_done())
            result.push_back({peer.get(), &peer->warps[static_cast<size_t>(index)]});
    if (!result.empty()) return result;
    for (Warp& warp : owner.warps)
      if (!warp.is_done() && !polls_mbarrier_at(warp, barrier)) result.push_back({&owner, &warp});
    return result;
  }
  /// The first warp that is left of every other block.
  [[nodiscard]] std::vector<Waiter> others(const Block* except) const {
    std::vector<Waiter> result;
    for (Block* const block : standstill_.blocks) {
      const auto warp = std::find_if(block->warps.begin(), block->warps.end(),
                                     [](const Warp& each) { return !each.is_done(); });
      if (block != except && warp != block->warps.end()) result.push_back({block, &*warp});
    }
    return result;
  }

  const Standstill& standstill_;
};

std::string draw(const WaitGraph& graph, const std::vector<Waiter>& chain, bool is_cycle) {
  std::string text = is_cycle ? "; they wait in a circle: " : "; nobody is left to end the wait: ";
  for (const Waiter& waiter : chain) text += graph.describe(waiter) + " -> ";
  if (!is_cycle) return text + "nobody";
  const Waiter& first = chain.front();
  return text + (first.warp == nullptr
                     ? base::format("that block")
                     : base::format("block {} warp {}", first.block->linear, first.warp->index));
}

std::string table_of(const Block& block) {
  std::string table;
  for (const Warp& warp : block.warps)
    for (const LaneGroup& group : warp.groups) {
      const Origin& origin =
          block.program.origins[static_cast<size_t>(block.program.code[group.pc].origin)];
      table += base::format("; warp {} lanes {:#010x} at PTX line {} ({})", warp.index, group.mask,
                            origin.ptx_line, origin.opcode) +
               describe_wait(warp, group);
    }
  return table;
}

/// The thread that stands for a warp, at the instruction where it waits.
Actor actor_of(Warp& warp) {
  warp.current = &warp.block->program.code[warp.groups.front().pc];
  return warp.block->actor(warp, std::countr_zero(warp.groups.front().mask));
}

}  // namespace

void report_deadlock(const Standstill& standstill) {
  const WaitGraph graph(standstill);
  for (Block* const block : standstill.blocks) {
    const auto first = std::find_if(block->warps.begin(), block->warps.end(),
                                    [](const Warp& warp) { return !warp.is_done(); });
    if (first == block->warps.end()) continue;
    const Actor who = actor_of(*first);
    if (!block->findings.count("P12", who)) continue;
    bool is_cycle = false;
    const std::vector<Waiter> chain = graph.chain_from({block, &*first}, is_cycle);
    std::vector<Actor> others;
    for (const Waiter& waiter : chain)
      if (waiter.warp != nullptr && waiter.warp != &*first)
        others.push_back(actor_of(*waiter.warp));
    std::string unstarted;
    if (standstill.unstarted > 0)
      unstarted =
          base::format("; {} blocks of the grid have not started, because no more fit on the chip",
                       standstill.unstarted);
    block->findings.describe("P12", who,
                             "deadlock: no thread of the block can go on" +
                                 draw(graph, chain, is_cycle) + table_of(*block) + unstarted,
                             std::move(others));
  }
  for (Block* const block : standstill.blocks) block->aborted = block->finished = true;
}

}  // namespace jute::emulator
