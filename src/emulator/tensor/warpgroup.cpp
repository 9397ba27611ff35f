// Rules that the four warps of a warpgroup must agree on when they issue a product.
#include "emulator/tensor/warpgroup.hpp"

#include "base/format.hpp"
#include "emulator/run/machine.hpp"
#include "emulator/tensor/warp_product.hpp"

#include <string>

namespace jute::emulator {
namespace {

constexpr size_t kWarps = 4;

}  // namespace

void WarpgroupIssues::start(size_t warps) {
  groups_.assign((warps + kWarps - 1) / kWarps, Group{});
}

void WarpgroupIssues::issue(Warp& warp, const WarpProduct& product) {
  Block& block = *warp.block;
  if (!product.is_uniform())
    block.find("P6", product.who(), [] {
      return std::string(
          "lanes of a warp give different matrix descriptors: one describes the "
          "operand of the whole warpgroup");
    });
  Group& group = groups_[static_cast<size_t>(warp.index) / kWarps];
  const std::size_t at = product.number() - group.first;
  if (at == group.open.size())
    group.open.push_back({.who = product.who(),
                          .a_descriptor = product.a_descriptor(),
                          .b_descriptor = product.b_descriptor(),
                          .keeps_d = product.keeps_d()});
  Issue& issue = group.open[at];
  const char* const different = issue.who.origin != product.who().origin       ? "instruction"
                                : issue.a_descriptor != product.a_descriptor() ? "descriptor of A"
                                : issue.b_descriptor != product.b_descriptor() ? "descriptor of B"
                                : issue.keeps_d != product.keeps_d()           ? "scale-d"
                                                                               : nullptr;
  if (different != nullptr && block.findings.count("P6", product.who()))
    block.findings.describe(
        "P6", product.who(),
        base::format("product {} of warp {} has another {} than that of warp {}: the four warps of "
                     "a warpgroup must issue the same wgmma",
                     product.number(), warp.index, different, issue.who.thread / kWarpLanes),
        {issue.who});
  ++issue.warps;
  for (; !group.open.empty() && group.open.front().warps == kWarps; ++group.first)
    group.open.pop_front();
}

void WarpgroupIssues::check_end(Block& block) const {
  for (const Group& group : groups_) {
    if (group.open.empty()) continue;
    const Issue& issue = group.open.front();
    block.find("P6", issue.who, [&] {
      return base::format(
          "the block ends and {} of 4 warps have issued product {} of their "
          "warpgroup: a wgmma must be executed by all of them",
          issue.warps, group.first);
    });
  }
}

}  // namespace jute::emulator
