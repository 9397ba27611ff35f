// Makes room for stamps, and reads them.
#include "plan/derive/stamps.hpp"

#include <jute/base/refuse.hpp>
#include <jute/plan/values/planned_values.hpp>
#include <jute/plan/values/tile_width.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace jute {
namespace {

constexpr std::string_view kStamps = "stamps";
constexpr Index kStampBytes = 8;
constexpr int kMomentBits = 8;  // the lowest of a stamp; the clock's are above them
constexpr std::array<std::string_view, 6> kMoments{"begin",      "ready",   "first data",
                                                   "multiplied", "drained", "end"};

[[noreturn]] void refuse(ErrorCode code, std::string value, std::string rule) {
  refuse(code, "stamps", std::move(value), std::move(rule));
}

bool has_roles(const GemmStep& step) { return step.schedule.roles.size() > 1; }

/// Stamps of all blocks that a launch may have: narrow tiles have more than wide ones.
Count stamps_bytes(const GemmStep& step) {
  const Count blocks = has_widths(step) ? Count(step.schedule.persistent_blocks)
                                        : step.grid[0] * step.grid[1] * step.grid[2];
  return blocks * (plan::stamping_roles(step) * kStampsOfRole * kStampBytes);
}

/// Where a run's stamps lie in its workspace: behind counters as planned, and sums of its tiles.
std::span<const std::byte> stamps_of(const Plan& plan, std::span<const std::byte> workspace,
                                     const RunValues& run) {
  const RunValues planned = run_values(plan);
  Index start = 0, bytes = 0;
  for (const WorkspaceRegion& region : plan.workspace) {
    start += bytes;
    bytes = region.bytes.evaluate(region.zeroed ? planned : run);
    if (region.name == kStamps) break;
  }
  if (static_cast<Index>(workspace.size()) < start + bytes)
    refuse(ErrorCode::out_of_range, std::to_string(workspace.size()),
           "the workspace must have " + std::to_string(start + bytes) + " bytes");
  return workspace.subspan(static_cast<size_t>(start), static_cast<size_t>(bytes));
}

std::string role_name(const GemmStep& step, int role, int roles) {
  if (!has_roles(step)) return "warp " + std::to_string(role);
  return role + 1 == roles ? "producer" : "consumer " + std::to_string(role);
}

}  // namespace

namespace plan {

int stamping_roles(const GemmStep& step) {
  if (!has_roles(step)) return (step.threads + 31) / 32;
  const int group = std::max(32, threads(step.mma.atom()));
  return static_cast<int>(step.schedule.ping_pong * size(step.mma) / group) + 1;
}

KernelParameter stamps_parameter() {
  return {std::string(kStamps), ParameterKind::pointer, Base(InWorkspace{std::string(kStamps)})};
}

}  // namespace plan

std::string_view name(Moment moment) { return kMoments.at(static_cast<size_t>(moment)); }

bool is_stamped(const StepHead& step) {
  return std::ranges::find(step.parameters, kStamps, &KernelParameter::name) !=
         step.parameters.end();
}

Plan stamped(Plan plan) {
  const auto is_gemm = [](const Step& one) { return std::holds_alternative<GemmStep>(one); };
  auto& step = std::get<GemmStep>(*std::ranges::find_if(plan.steps, is_gemm));
  if (is_stamped(step)) return plan;
  step.parameters.push_back(plan::stamps_parameter());
  plan.workspace.push_back({std::string(kStamps), stamps_bytes(step), false});
  return plan;
}

std::vector<StampLane> read_stamps(const Plan& plan, std::span<const std::byte> workspace) {
  return read_stamps(plan, workspace, run_values(plan));
}

std::vector<StampLane> read_stamps(const Plan& plan, std::span<const std::byte> workspace,
                                   const RunValues& run) {
  const GemmStep& step = gemm_step(plan);
  if (!is_stamped(step)) refuse(ErrorCode::unsupported, step.symbol, "the plan must be stamped");
  const std::span<const std::byte> region = stamps_of(plan, workspace, run);
  const int roles = plan::stamping_roles(step);
  constexpr size_t kLaneBytes = size_t{kStampsOfRole} * kStampBytes;
  std::vector<StampLane> lanes;
  for (size_t lane = 0; lane < region.size() / kLaneBytes; ++lane) {
    const int role = static_cast<int>(lane % static_cast<size_t>(roles));
    StampLane read{static_cast<Index>(lane) / roles, role_name(step, role, roles), {}};
    for (size_t i = 0; i < kStampsOfRole; ++i) {
      std::uint64_t word = 0;
      std::memcpy(&word, &region[lane * kLaneBytes + i * kStampBytes], sizeof word);
      if (word == 0) break;
      const std::uint64_t moment = word & ((1U << kMomentBits) - 1);
      if (moment > kMoments.size() || moment == 0)
        refuse(ErrorCode::bad_file, std::to_string(word),
               "the workspace must be zero before a run");
      read.stamps.push_back({static_cast<Moment>(moment - 1), word >> kMomentBits});
    }
    if (!read.stamps.empty()) lanes.push_back(std::move(read));
  }
  return lanes;
}

}  // namespace jute
