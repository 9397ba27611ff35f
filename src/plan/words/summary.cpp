// A plan's three sentences, made of its values.
#include <jute/plan/choose/parts.hpp>
#include <jute/plan/values/planned_values.hpp>
#include <jute/plan/words/summary.hpp>

#include <array>
#include <cmath>

#include "base/format.hpp"
#include "plan/values/step_grid.hpp"

namespace jute {
namespace {

// By Transfer, MainLoop and Bound: the field's words.
constexpr std::array kTransferWords{"straight from global memory", "through registers",
                                    "by cp.async", "by TMA"};
constexpr std::array kBoundNames{"none", "multiply-adds", "memory"};

/// Three digits, and as many as stand before the point; thousandths at least.
std::string number(double value) {
  constexpr double kWhole = 100, kThousandth = 0.0005;
  if (value < kThousandth) return "0";
  if (value < 1) return base::format("{:.3f}", value);
  return value >= kWhole ? base::format("{:.0f}", value) : base::format("{:.3g}", value);
}

/// `68.7 G` or `134 M`, and what is counted.
std::string counted(double value, std::string_view blank, std::string_view what) {
  constexpr std::array kUnits{"", "k", "M", "G", "T", "P"};
  constexpr double kStep = 1000, kRounded = 999.5;
  size_t unit = 0;
  for (; value >= kRounded && unit + 1 < kUnits.size(); ++unit) value /= kStep;
  return base::format("{} {}{}{}", number(value), kUnits[unit], unit > 0 ? blank : "", what);
}
std::string counted(Index count, std::string_view one) {
  return base::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

Index count_of(const GemmStep& step) {
  const auto tiles = [](const Extent& extent, int of) { return ceil_div(extent.value, Index{of}); };
  return tiles(step.m, step.tile.m) * tiles(step.n, step.tile.n) * step.batch.value;
}

std::string transfer_words(const GemmStep& step) {
  const auto word = [](const OperandPlan& operand) {
    return kTransferWords.at(static_cast<size_t>(transfer_of(operand)));
  };
  return transfer_of(step.a) == transfer_of(step.b)
             ? base::format("A and B come {}", word(step.a))
             : base::format("A comes {}, B {}", word(step.a), word(step.b));
}

std::string stage_words(const GemmStep& step) {
  if (step.schedule.main_loop == MainLoop::straight) return {};
  return base::format(" into {} of shared memory", counted(step.schedule.stages, "stage"));
}

std::string role_words(const KernelSchedule& schedule) {
  std::string text;
  if (schedule.roles.size() > 1)
    for (const Role& role : schedule.roles)
      text +=
          base::format("{}{} {} warps", text.empty() ? ", for " : " and ", role.warps, role.name);
  return text;
}

std::string grid_words(const GemmStep& step, const RunValues& planned) {
  const KernelSchedule& schedule = step.schedule;
  Index count = 1;
  for (const Count& axis : step.grid) count *= axis.evaluate(planned);
  std::string text = base::format("{} of {} threads", counted(count, "block"), step.threads);
  if (blocks(schedule.cluster) > 1)
    text += base::format(" in clusters of {}x{}", schedule.cluster.m, schedule.cluster.n);
  // How many tiles parts of D have is known when their list is.
  text +=
      deals_tiles(step.groups) && !step.groups->is_masked
          ? base::format(" for at most {}", counted(plan::tiles(step).evaluate(planned), "tile"))
          : base::format(" for {}", counted(count_of(step), "tile"));
  if (schedule.split_k > 1) text += base::format(" in {} slices of K", schedule.split_k);
  return text;
}

std::string instruction_of(const GemmStep& step) {
  const MmaAtom& atom = step.mma.atom();
  if (atom.form == MmaForm::fma)
    return base::format("multiply-adds of threads in {}", name(step.accumulate));
  return "tensor cores by " + (atom.ptx.empty() ? atom.name : atom.ptx);
}

/// The work of a step beside the product.
std::string move_words(const MoveStep& step) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : " and ") + part; };
  const auto letter = [](TensorRole tensor) {
    return std::string(1, "ABCD"[static_cast<size_t>(tensor)]);
  };
  for (const Move& move : step.moves)
    add(base::format("{} {}{}",
                     move.terms > 1                 ? "splits"
                     : move.conversion              ? "converts"
                     : move.scaling                 ? "scales"
                     : move.tensor == TensorRole::d ? "unpacks"
                     : move.view                    ? "packs"
                                                    : "copies",
                     letter(move.tensor),
                     move.transposed && !goes_by_elements(move) ? " transposed" : ""));
  for (const OperandSum& sum : step.sums) add(base::format("sums {} over K", letter(sum.tensor)));
  return text;
}

std::string runs(const Plan& plan) {
  const GemmStep& step = gemm_step(plan);
  const auto parts = static_cast<Index>(plan.behind.size()) + 1;
  std::string text =
      base::format("Runs {}{}: ", counted(static_cast<Index>(step_count(plan)), "kernel"),
                   parts == 1 ? "" : base::format(" for {} parts of D, of the first", parts));
  for (const Step& one : plan.steps)
    if (const auto* move = std::get_if<MoveStep>(&one)) text += "one " + move_words(*move) + "; ";
  return text + base::format("{}{} on tiles of {}x{}x{}{}; {}{}{}; {} on {} SMs.",
                             plan.steps.size() > 1 ? "one multiplies, " : "", instruction_of(step),
                             step.tile.m, step.tile.n, step.tile.k,
                             step.transposed ? " of the transposed product" : "",
                             transfer_words(step), stage_words(step), role_words(step.schedule),
                             grid_words(step, run_values(plan)), plan.device.sm_count);
}

std::string bound_words(const ExpectedTime& time) {
  const std::string products = counted(time.multiply_adds, " ", "multiply-adds");
  const std::string rate = time.multiply_adds_clock > 0
                               ? base::format("take {} us at {} in a clock of an SM, {} MHz",
                                              number(time.multiply_adds_us),
                                              number(time.multiply_adds_clock), number(time.mhz))
                               : std::string("have no rate in the chip's data sheet");
  return base::format("{} {}; {} take {} us at {} GB/s", products, rate,
                      counted(time.bytes, "", "B"), number(time.memory_us),
                      number(time.memory_gb_s));
}

Index percent_of_bound(const ExpectedTime& time) {
  return time.us > 0 ? std::llround(100 * time.bound_us / time.us) : 0;
}

std::string expected(const ExpectedTime& time) {
  if (time.bound == Bound::none) return "There is nothing to multiply and nothing to move.";
  const std::string_view limit = kBoundNames.at(static_cast<size_t>(time.bound));
  if (time.clocks == 0)
    return base::format(
        "Nothing is predicted of such a kernel; by the chip's data sheet it takes at least {} us, "
        "for {}: {}.",
        number(time.us), limit, bound_words(time));
  return base::format("Expected to take {} us, {} % of them at the limit of {}: {}.",
                      number(time.us), percent_of_bound(time), limit, bound_words(time));
}

std::string reasons(const Plan& plan, const std::vector<Considered>& candidates,
                    const Config& config, const Catalogue& catalogue) {
  std::string text;
  if (const std::string note = chip_note(plan, catalogue); !note.empty()) text += note + " ";
  if (const std::string asked = to_string(config); !asked.empty())
    text += "Asked for: " + asked + ". ";
  return text + comparison(candidates) + ".";
}

Index nanoseconds(double us) { return std::llround(us * 1000); }

}  // namespace

std::string chip_note(const Plan& plan, const Catalogue& catalogue) {
  constexpr int kGeneration = 10;  // of an architecture's numbers
  const GemmStep& step = gemm_step(plan);
  const MmaAtom& atom = step.mma.atom();
  const Arch chip = plan.device.arch;
  const bool is_older =
      0 < atom.arch.number && atom.arch.number / kGeneration < chip.number / kGeneration;
  const MmaTypes types{step.a.type, step.b.type, step.accumulate};
  const auto has_own = [&](Arch arch) {
    return !catalogue.mmas(MmaForm::wgmma_ss, arch, types).empty();
  };
  if (atom.form != MmaForm::mma || !is_older || has_own(chip)) return {};
  const Arch with_suffix{chip.number, 'a'};
  return base::format(
      "No kernels are made for {}{}: this one multiplies {} by {}, the mma.sync of warps that "
      "{} has, too.",
      to_string(chip), has_own(with_suffix) ? ", but for " + to_string(with_suffix) : "",
      name(step.a.type), atom.name, to_string(atom.arch));
}

Summary summary(const Plan& plan, const std::vector<Considered>& candidates, const Config& config,
                const Catalogue& catalogue) {
  const ExpectedTime time = expected_time(plan);
  return {.runs = runs(plan),
          .expected = expected(time),
          .why = reasons(plan, candidates, config, catalogue),
          .time = time};
}

Fields fields(const Summary& summary) {
  const ExpectedTime& time = summary.time;
  const auto whole = [](double value) { return static_cast<Index>(std::llround(value)); };
  return {{"runs", summary.runs},
          {"expected", summary.expected},
          {"why", summary.why},
          {"expected_ns", nanoseconds(time.us)},
          {"model_clocks", whole(time.clocks)},
          {"bound", std::string(kBoundNames.at(static_cast<size_t>(time.bound)))},
          {"bound_ns", nanoseconds(time.bound_us)},
          {"percent_of_bound", percent_of_bound(time)},
          {"multiply_adds", whole(time.multiply_adds)},
          {"multiply_adds_ns", nanoseconds(time.multiply_adds_us)},
          {"multiply_adds_clock", whole(time.multiply_adds_clock)},
          {"sm_mhz", whole(time.mhz)},
          {"bytes", whole(time.bytes)},
          {"memory_ns", nanoseconds(time.memory_us)},
          {"memory_mb_s", whole(time.memory_gb_s * 1000)}};
}

std::string to_string(const Summary& summary) {
  return summary.runs + "\n" + summary.expected + "\n" + summary.why + "\n";
}

}  // namespace jute
