// Stamped kernels: the same D, and every role's way through its tiles.
#include "support/catch.hpp"
#include "support/checked_emulator.hpp"
#include "support/context_options.hpp"
#include "support/draws.hpp"
#include "support/refusal.hpp"
#include "support/shared_k_cases.hpp"
#include "support/specialised_cases.hpp"
#include "support/staged_slices_cases.hpp"

#include <jute/emulator/emulator.hpp>
#include <jute/gemm/gemm.hpp>
#include <jute/launch/device_presets.hpp>
#include <jute/plan/derive/stamps.hpp>
#include <jute/plan/values/planned_values.hpp>

#include <map>
#include <numeric>

using namespace jute;
using namespace jute::test;

namespace {

/// What a run leaves.
struct Left {
  std::vector<std::byte> d;
  std::vector<StampLane> lanes;
};

Left run(Context& context, const GemmCase& each, const Plan& plan, const RunValues& values) {
  Backend& backend = context.backend();
  const CaseData data = make_data(each);
  const Gemm gemm = prepare(context, plan);
  const Buffer a = uploaded(backend, data.a), b = uploaded(backend, data.b),
               c = uploaded(backend, data.c);
  const Index d_bytes = operand_bytes(each.problem)[TensorRole::d];
  const Buffer d(backend, d_bytes), workspace(backend, gemm.workspace_bytes());
  backend.fill(d.pointer(), 0, d_bytes);
  backend.fill(workspace.pointer(), 0, gemm.workspace_bytes());
  gemm.run({.a = a.pointer(),
            .b = b.pointer(),
            .c = c.pointer(),
            .d = d.pointer(),
            .workspace = workspace.pointer(),
            .alpha = each.alpha,
            .beta = each.beta,
            .m = values.m});
  backend.synchronize();
  Left left;
  left.d.resize(static_cast<size_t>(d_bytes));
  backend.copy_out(left.d, d.pointer());
  std::vector<std::byte> bytes(static_cast<size_t>(gemm.workspace_bytes()));
  backend.copy_out(bytes, workspace.pointer());
  if (is_stamped(gemm_step(plan))) left.lanes = read_stamps(plan, bytes, values);
  return left;
}

Index blocks_of_grid(const GemmStep& step, const RunValues& values) {
  return step.grid[0].evaluate(values) * step.grid[1].evaluate(values) *
         step.grid[2].evaluate(values);
}

/// What is wrong with a lane: moments out of order, or not as many tiles as there should be.
std::string fault(const StampLane& lane) {
  using enum Moment;
  const auto& stamps = lane.stamps;
  for (size_t i = 1; i < stamps.size(); ++i)
    if (stamps[i].clock < stamps[i - 1].clock) return "time goes back";
  const bool is_full = stamps.size() == kStampsOfRole;  // what came later was not written down
  if (stamps.size() < 3 || stamps[0].moment != begin || stamps[1].moment != ready ||
      (stamps.back().moment != end && !is_full))
    return "no beginning or no end";
  if (lane.role == "producer") return stamps.size() == 3 ? "" : "a producer that multiplies";
  if (!is_full && (stamps.size() - 3) % 3 != 0) return "half a tile";
  for (size_t i = 2; i + 3 < stamps.size(); i += 3)
    if (stamps[i].moment != first_data || stamps[i + 1].moment != multiplied ||
        stamps[i + 2].moment != drained)
      return "moments of a tile are out of order";
  return "";
}

/// Likewise of a warp, all of which do the same.
std::string warp_fault(const StampLane& lane, MainLoop main_loop) {
  using enum Moment;
  std::vector<Moment> wanted{begin, ready, first_data, multiplied, drained, end};
  if (main_loop == MainLoop::straight) wanted.erase(wanted.begin() + 2);
  if (lane.stamps.size() != wanted.size()) return "other moments than each once";
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (lane.stamps[i].moment != wanted[i]) return "moments are out of order";
    if (i > 0 && lane.stamps[i].clock < lane.stamps[i - 1].clock) return "time goes back";
  }
  return "";
}

void check_warps(const StraightRow& row) {
  INFO(row.config);
  EmulatorOptions options;
  options.device = device_preset(row.preset);
  options.check = Check::full;
  Context context(open_emulator(options), with_kept_kernels());
  const GemmCase each = case_of(row, 3);
  const Plan plan = make_plan(each.problem, options.device, each.config), with = stamped(plan);
  CHECK(check(with).empty());
  const Left plain = run(context, each, plan, run_values(plan)),
             marked = run(context, each, with, run_values(with));
  CHECK(marked.d == plain.d);
  const GemmStep& step = gemm_step(with);
  const Index blocks = blocks_of_grid(step, run_values(with.problem));
  const Index warps = (step.threads + 31) / 32;
  CHECK(static_cast<Index>(marked.lanes.size()) == blocks * warps);
  for (const StampLane& lane : marked.lanes) {
    INFO("block " << lane.block << " " << lane.role);
    CHECK(warp_fault(lane, step.schedule.main_loop) == "");
  }
}

}  // namespace

TEST_CASE("warps of kernels without a producer come by every moment once, with the same D",
          "[gemm][stamps]") {
  for (size_t i = 0; i < kStagedSlices.size() - kCutBehindProducer; i += 2)
    check_warps(kStagedSlices[i]);
  for (size_t i = 0; i < kSharedK.size(); i += 4) check_warps(kSharedK[i]);
  for (size_t i = 0; i < kStraight.size(); i += 6) check_warps(kStraight[i]);
  for (size_t i = 0; i < kStraightLines.size(); i += 5) check_warps(kStraightLines[i]);
}

TEST_CASE("stamped kernels give the same D, and roles come by every moment of every tile",
          "[gemm][stamps]") {
  EmulatorOptions options;
  options.check = Check::full;
  options.schedule = Schedule::random;
  options.seed = 11;
  Context context(open_emulator(options), with_kept_kernels());
  const DeviceInfo device = context.backend().device_info();
  int count = 0;
  for (const SpecialisedRow& row : kSpecialised) {
    // Every kind of schedule is among these.
    if (++count % 4 != 1 || !is_run(static_cast<std::size_t>(count / 4))) continue;
    INFO(row.config);
    const GemmCase each = case_of(row, 3);
    const Plan plan = make_plan(each.problem, device, each.config), with = stamped(plan);
    CHECK(check(with).empty());
    const Left plain = run(context, each, plan, run_values(plan)),
               marked = run(context, each, with, run_values(with));
    CHECK(marked.d == plain.d);
    const GemmStep& step = gemm_step(with);
    const Index blocks = blocks_of_grid(step, run_values(with.problem));
    std::map<Index, int> roles;
    size_t tiles = 0;
    for (const StampLane& lane : marked.lanes) {
      INFO("block " << lane.block << " " << lane.role);
      CHECK(fault(lane) == "");
      ++roles[lane.block];
      if (lane.role == "consumer 0") tiles += (lane.stamps.size() - 3) / 3;
    }
    CHECK(static_cast<Index>(roles.size()) == blocks);
    for (const auto& [block, number] : roles) CHECK(number == roles.begin()->second);
    CHECK(tiles > 0);
  }
  CHECK(count > 40);
}

TEST_CASE("stamps of other rows than the planned ones are read where their run left them",
          "[gemm][stamps]") {
  Context context(open_emulator({}), with_kept_kernels());
  Problem problem;
  problem.m = 176, problem.n = 192, problem.k = 1024;
  problem.a.type = problem.b.type = problem.c.type = problem.d.type = DType::bf16;
  problem.b.order = Order::col;
  problem.beta = Factor::zero;
  // Sums of two slices lie ahead of the stamps, for as many tiles as a run has.
  const Plan plan = stamped(make_plan(problem, context.backend().device_info(),
                                      parse_config("split_k=2 tile=64x64x64 swapped=off")));
  const GemmStep& step = gemm_step(plan);
  for (const Index m : {1, 64, 65, 129, 176}) {
    INFO(m << " rows");
    GemmCase one;
    one.problem = problem;
    one.problem.m = m;
    RunValues values = run_values(plan);
    values.m = m;
    const Left left = run(context, one, plan, values);
    std::map<Index, int> roles;
    for (const StampLane& lane : left.lanes) {
      CHECK(fault(lane) == "");
      ++roles[lane.block];
    }
    CHECK(static_cast<Index>(roles.size()) == blocks_of_grid(step, values));
  }
}

TEST_CASE("a kernel without stamps knows nothing of them", "[gemm][stamps]") {
  const GemmCase each = case_of(kSpecialised[0], 3);
  const Plan plan = make_plan(each.problem, device_preset("h200"), each.config);
  CHECK_FALSE(is_stamped(gemm_step(plan)));
  const std::string plain = generate(plan).back().text;
  CHECK(plain.find("stamp") == std::string::npos);
  CHECK(generate(stamped(plan)).back().text.find("put_stamp(stamp_log, 3, clock_now());") !=
        std::string::npos);
  CHECK(stamped(stamped(plan)) == stamped(plan));
}

TEST_CASE("a workspace that holds no stamps is refused", "[gemm][stamps][refusal]") {
  const DeviceInfo device = device_preset("h200");
  Problem floats;
  floats.m = floats.n = floats.k = 64;
  const Plan plain = make_plan(floats, device);
  CHECK(refusal_of([&] { return read_stamps(plain, {}); }).code == ErrorCode::unsupported);
  const GemmCase each = case_of(kSpecialised[0], 3);
  const Plan with = stamped(make_plan(each.problem, device, each.config));
  CHECK(refusal_of([&] { return read_stamps(with, {}); }).code == ErrorCode::out_of_range);
  std::vector<std::byte> noise(static_cast<size_t>(workspace_bytes(with)), std::byte{0xff});
  CHECK(refusal_of([&] { return read_stamps(with, noise); }).code == ErrorCode::bad_file);
  CHECK(read_stamps(with, std::vector<std::byte>(noise.size())).empty());
}
