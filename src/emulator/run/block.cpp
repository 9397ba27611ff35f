// One thread block: its storage, the turns of its warps, and what happens when none can move.
#include "emulator/run/barriers.hpp"
#include "emulator/run/machine.hpp"
#include "emulator/run/memory_access.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/format.hpp"

namespace jute::emulator {

Block::Block(const LaunchContext& context, Diagnostics& diagnostics, GlobalHistory& history,
             std::uint64_t seed)
    : launch(context),
      program(context.program),
      findings(diagnostics),
      tracks_defined(context.options.check != Check::none),
      random(seed) {
  const Dim3& size = launch.spec.block;
  threads = static_cast<int>(size.x * size.y * size.z);
  warps.resize(static_cast<size_t>((threads + kWarpLanes - 1) / kWarpLanes));
  shared.resize(static_cast<size_t>(program.static_shared_bytes + launch.spec.dynamic_smem_bytes));
  if (tracks_defined) shared_defined.resize(shared.size());
  if (context.options.check == Check::full) races = std::make_unique<RaceDetector>(*this, history);
}

Actor Block::actor_of(std::int64_t linear_block, int thread, std::int32_t origin) const {
  const Dim3& grid = launch.spec.grid;
  return {.block = {linear_block % grid.x, linear_block / grid.x % grid.y,
                    linear_block / grid.x / grid.y},
          .linear_block = linear_block,
          .thread = thread,
          .origin = origin};
}
Actor Block::actor(const Warp& warp, int lane) const {
  return actor_of(linear, warp.index * kWarpLanes + lane,
                  warp.current == nullptr ? -1 : warp.current->origin);
}

void Block::start(std::int64_t linear_block) {
  const Dim3& grid = launch.spec.grid;
  linear = linear_block;
  position = {linear % grid.x, linear / grid.x % grid.y, linear / grid.x / grid.y};
  live_threads = threads;
  executed = 0;
  finished = false;
  aborted = overran = false;
  barriers.fill(Barrier{});
  has_waited_for_grids = false;
  released_at.reset();
  mbarriers.clear();
  std::fill(shared.begin(), shared.end(), std::byte{0xFF});
  std::fill(shared_defined.begin(), shared_defined.end(), std::byte{0});
  const auto reserved = static_cast<std::ptrdiff_t>(program.reserved_shared_bytes);
  std::fill(shared.begin(), shared.begin() + reserved, std::byte{0});
  if (tracks_defined) std::fill_n(shared_defined.begin(), reserved, kWritten);
  warpgroups.start(warps.size());
  if (races) races->start(warps.size(), shared.size());
  for (size_t i = 0; i < warps.size(); ++i) {
    warps[i].block = this;
    warps[i].index = static_cast<int>(i);
    start_warp(warps[i]);
  }
}

void Block::start_warp(Warp& warp) {
  const int lanes = std::min(kWarpLanes, threads - warp.index * kWarpLanes);
  warp.present = lanes == kWarpLanes ? kAllLanes : (1U << lanes) - 1;
  warp.live = warp.present;
  warp.current = nullptr;
  warp.effects = 0;
  warp.cluster_phase = 0;
  warp.async.clear();
  warp.yields = false;
  warp.limits.clear();
  warp.groups.assign(1, LaneGroup{});
  warp.groups[0].mask = warp.present;
  warp.registers.resize(program.register_bytes);
  std::fill(warp.registers.begin(), warp.registers.end(), std::byte{0});
  warp.bases = {warp.registers.data(), const_cast<std::byte*>(program.constants.data())};
  const auto local_bytes = static_cast<size_t>(program.local_bytes) * kWarpLanes;
  warp.local.assign(local_bytes, std::byte{0xFF});
  if (tracks_defined) warp.local_defined.assign(local_bytes, std::byte{0});
  warp.stack.fill(0);
  const Schedule schedule = launch.options.schedule;
  const bool moves_late = schedule == Schedule::late || schedule == Schedule::random;
  warp.watch.start(program.register_bytes,
                   !program.all<WgmmaUse>().empty() && (tracks_defined || moves_late));
  fill_presets(warp);
}

Progress Block::step() {
  bool moved = false;
  bool ran_any = false;
  bool done = true;
  const size_t count = warps.size();
  const size_t first = launch.options.schedule == Schedule::random ? random() % count : 0;
  for (size_t i = 0; i < count && !aborted; ++i) {
    Warp& warp = warps[(first + i) % count];
    if (warp.is_done()) continue;
    const bool ran = run_warp(warp);
    pass_time(warp);
    ran_any |= ran;
    moved |= ran && !warp.found_nothing_new;
    done &= warp.is_done();
  }
  if (!done && executed > launch.options.warp_instructions_per_block) report_endless();
  finished = done || aborted;
  if (finished) {
    finish();
    return Progress::finished;
  }
  return moved ? Progress::moved : ran_any ? Progress::polled : Progress::blocked;
}

// Copies that its warps have started land now at the latest.
void Block::finish() {
  for (Warp& warp : warps) {
    if (aborted) warp.async.clear();
    finish_async(warp);
  }
  if (aborted || !tracks_defined) return;
  check_mbarriers();
  check_register_limits();
  check_grid_control();
  warpgroups.check_end(*this);
  if (races && cluster->blocks.size() > 1) races->check_end();
}

void Block::check_mbarriers() {
  for (const auto& [offset, history] : mbarriers) {
    if (history.credited <= history.waited) continue;
    const MbarrierState state = mbarrier_at(offset);
    if (state.is_live && state.tx < 0) {
      find("P2", history.deliverer, [&, at = offset] {
        return base::format(
            "{} bytes were delivered to the mbarrier at shared offset {} that no expect_tx "
            "counted: expect_tx must count all the bytes of a phase, before its last arrival",
            -state.tx, at);
      });
      continue;
    }
    find("P8", history.deliverer, [&, at = offset] {
      return base::format(
          "the block ends and nobody has waited for the bulk copy that completes on the mbarrier "
          "at shared offset {}: it may write to another block's shared memory",
          at);
    });
  }
}

namespace {
constexpr size_t kWarpgroup = 4;
}

// setmaxnreg: the warps share what the block was given when it started, and those of a warpgroup
// ask for the same, one time after the other.
void Block::check_register_limits() {
  constexpr int kRegistersOfChip = 65536, kGranule = 8, kMostRegisters = 255;
  const int given = std::min(kMostRegisters, kRegistersOfChip / std::max(1, program.min_blocks) /
                                                 threads / kGranule * kGranule);
  int sum = 0;
  Warp* last = nullptr;
  for (Warp& warp : warps) {
    sum += (warp.limits.empty() ? given : warp.limits.back().registers) * kWarpLanes;
    if (warp.limits.empty()) continue;
    last = &warp;
    last->current = warp.limits.back().at;
  }
  for (size_t first = 0; first < warps.size(); first += kWarpgroup)
    check_group_limits(std::span(warps).subspan(first, std::min(kWarpgroup, warps.size() - first)));
  const int most = given * static_cast<int>(warps.size()) * kWarpLanes;
  if (last == nullptr || sum <= most) return;
  find("P5", *last, 0, [&] {
    return base::format(
        "the warps' setmaxnreg ask for {} registers, the block has {}: a setmaxnreg.inc would wait "
        "for ever",
        sum, most);
  });
}

// The warp that has asked most often leads: the others of its warpgroup must ask for the same.
void Block::check_group_limits(std::span<Warp> group) {
  const Warp& first = *std::max_element(
      group.begin(), group.end(),
      [](const Warp& a, const Warp& b) { return a.limits.size() < b.limits.size(); });
  for (Warp& warp : group) {
    for (size_t turn = 0; turn < first.limits.size(); ++turn) {
      const RegisterLimit& wanted = first.limits[turn];
      const bool asks = turn < warp.limits.size();
      if (asks && warp.limits[turn].registers == wanted.registers) continue;
      warp.current = asks ? warp.limits[turn].at : wanted.at;
      find("P5", warp, 0, [&] {
        return asks ? base::format(
                          "setmaxnreg {} by a warp beside one of its warpgroup that asks "
                          "for {}: all four must ask for the same",
                          warp.limits[turn].registers, wanted.registers)
                    : base::format(
                          "warp {} of the block does not execute setmaxnreg {}, which "
                          "warp {} of its warpgroup does: all four must",
                          warp.index, wanted.registers, first.index);
      });
      break;
    }
  }
}

MbarrierState Block::mbarrier_at(std::uint64_t offset) const {
  std::uint64_t word;
  std::memcpy(&word, shared.data() + offset, sizeof(word));
  return unpack_mbarrier(word);
}

void Block::report_endless() {
  for (const Warp& warp : warps) {
    if (warp.is_done()) continue;
    findings.describe_end(
        "P12", actor(warp, std::countr_zero(warp.live)),
        base::format("the block has not ended after {} warp instructions", executed));
    break;
  }
  overran = aborted = true;
}

bool Block::force_convergence() {
  for (Warp& warp : warps) {
    for (LaneGroup& group : warp.groups) {
      if (group.wait != Wait::convergence) continue;
      group.wait = Wait::none;
      group.forced = true;
      return true;
    }
  }
  return false;
}

}  // namespace jute::emulator
