// Weights of 4 and 8 bits for a range of M: as they are stored for one row and for many, and as one
// packed copy.
#include "support/catch.hpp"
#include "support/checked_emulator.hpp"
#include "support/context_options.hpp"
#include "support/gemm_case.hpp"

#include <jute/emulator/emulator.hpp>
#include <jute/gemm/gemm.hpp>
#include <jute/launch/device_presets.hpp>
#include <jute/plan/ask/problem.hpp>
#include <jute/plan/values/plan.hpp>
#include <jute/plan/values/stored_stages.hpp>

#include <set>

using namespace jute;
using namespace jute::test;

namespace {

/// An H200 so small that its waves are full after some hundred rows.
Context few_processors(const ContextOptions& context = with_kept_kernels()) {
  EmulatorOptions options;
  options.device = device_preset("h200");
  options.device.sm_count = 12;
  return Context(open_emulator(options), context);
}

/// How a kernel gets its weights.
enum class Way { copy, straight, to_stages, to_fragments };

Way way_of(const Plan& plan) {
  const GemmStep& step = gemm_step(plan);
  const OperandPlan& weights = step.transposed ? step.a : step.b;
  if (!weights.stored) return Way::copy;
  if (step.schedule.main_loop == MainLoop::straight) return Way::straight;
  return step.mma.atom().form == MmaForm::wgmma_rs ? Way::to_fragments : Way::to_stages;
}

/// Weights on the device, as stored and as packed, and rows of activations.
class Weights {
 public:
  Weights(Context& context, const Problem& problem, const char* config = "")
      : context_(context), problem_(problem) {
    GemmCase all;
    all.problem = problem;
    all.problem.m_range.reset();
    all.fill = Fill::normal;
    const CaseData data = make_data(all);
    reference_ = data.reference;
    Backend& backend = context.backend();
    a_ = uploaded(backend, data.a);
    b_ = uploaded(backend, data.b);
    scale_ = uploaded(backend, data.scale_b);
    gemm_ = prepare(context, problem, parse_config(config));
    workspace_ = Buffer(backend, std::max<Index>(gemm_->workspace_bytes(), 1));
    gemm_->clear_workspace(workspace_.pointer());
    const Index bytes = gemm_->packed_bytes(TensorRole::b);
    if (bytes == 0) return;
    packed_ = Buffer(backend, bytes);
    gemm_->pack(TensorRole::b, packed_->pointer(),
                {.b = b_.pointer(), .scale_b = scale_.pointer()});
  }
  [[nodiscard]] const Gemm& gemm() const { return *gemm_; }
  [[nodiscard]] bool is_packed() const { return packed_.has_value(); }

  /// What is wrong with D of so many rows.
  [[nodiscard]] std::string run(Index m, bool is_copy) const {
    Backend& backend = context_.backend();
    const Index bytes = m * problem_.n * width_bytes(problem_.d.type);
    const Buffer d(backend, bytes);
    GemmArgs args{.a = a_.pointer(), .d = d.pointer(), .workspace = workspace_.pointer()};
    if (is_copy)
      args.packed_b = packed_->pointer();
    else
      args.b = b_.pointer(), args.scale_b = scale_.pointer();
    if (problem_.m_range) args.m = m;
    gemm_->run(args);
    backend.synchronize();
    std::vector<std::byte> result(static_cast<size_t>(bytes));
    backend.copy_out(result, d.pointer());
    Problem few = problem_;
    few.m_range.reset();
    few.m = m;
    Reference part = reference_;
    part.value.resize(static_cast<size_t>(m * problem_.n));
    part.bound.resize(part.value.size());
    const Verdict verdict = compare(few, part, result);
    return verdict.ok ? "" : std::to_string(m) + " rows: " + to_string(verdict) + "\n";
  }

 private:
  Context& context_;
  Problem problem_;
  Reference reference_;
  Buffer a_, b_, scale_, workspace_;
  std::optional<Buffer> packed_;
  std::optional<Gemm> gemm_;
};

}  // namespace

TEST_CASE("stored weights, and one packed copy of them, serve one row and many",
          "[gemm][scaled][m_range][pack]") {
  Context context = few_processors();
  std::set<Way> ways;
  for (const char* const numbers : {"B=u4:col scale_b=bf16:col:block1x128 zero_b=8",
                                    "B=e4m3:col scale_b=f32:col:block128x128"}) {
    const Problem problem = completed(
        parse_problem(std::string("M=1:4096 N=264 K=512 A=bf16 D=bf16 alpha=1 beta=0 ") + numbers));
    const Weights weights(context, problem);
    REQUIRE(weights.is_packed());
    const int compiles = context.compile_count();
    std::string wrong;
    for (const Index m : {1, 4, 16, 17, 33, 64, 200, 257, 700}) {
      ways.insert(way_of(weights.gemm().plans()[weights.gemm().choice(m).kernel]));
      wrong += weights.run(m, false) + weights.run(m, true);
    }
    INFO(numbers);
    CHECK(wrong == "");
    CHECK(context.compile_count() == compiles);
  }
  CHECK(ways.contains(Way::straight));
  CHECK(ways.contains(Way::to_fragments));
}

TEST_CASE("the same stored bytes are read in every way that kernels have",
          "[gemm][scaled][fragments][pack]") {
  Context context = few_processors();
  struct Row {
    Index m;
    const char* config;
    Way way;
  };
  for (const auto& [m, config, way] :
       {Row{1, "", Way::straight}, Row{40, "", Way::to_fragments},
        Row{40, "main_loop=multistage", Way::to_stages}, Row{200, "", Way::to_fragments},
        Row{700, "swapped=off main_loop=warp_specialised", Way::copy}}) {
    const Problem problem = completed(parse_problem(
        "M=" + std::to_string(m) +
        " N=264 K=512 A=bf16 B=u4:col scale_b=bf16:col:block1x128 zero_b=8 D=bf16 alpha=1 beta=0"));
    const Weights weights(context, problem, config);
    INFO(m << " " << config);
    CHECK(way_of(weights.gemm().plans().front()) == way);
    CHECK(weights.run(m, false) == "");
    // What needs no copy has nothing to pack.
    CHECK(weights.is_packed() == (way == Way::copy));
    if (way == Way::copy) CHECK(weights.run(m, true) == "");
  }
}
