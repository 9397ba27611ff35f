// Views whose numbers each run says.
#include <jute/emulator/emulator.hpp>

#include "support/catch.hpp"
#include "support/checked_emulator.hpp"
#include "support/context_options.hpp"
#include "support/gemm_case.hpp"
#include "support/gemm_families.hpp"
#include "support/moved_views.hpp"
#include "support/refusal.hpp"
#include "support/viewed_cases.hpp"

using namespace jute;
using namespace jute::test;

namespace {

constexpr const char* kRunTime =
    "M=6 N=8 K=5 A=f32:view[((2,3),5):((60,15),3);numbers=run-time] beta=0 alpha=1";

Problem bf16_blocks() {
  return parse_problem(
      "M=64 N=64 K=64 A=bf16:view[((8,8),64):((64,1024),1)] D=bf16 alpha=1 beta=0");
}

}  // namespace

TEST_CASE("runs say the numbers of Views, of every type", "[gemm][view][run_time]") {
  constexpr int kCasesOfType = 4;
  for (const TypeFamily& family : kTypeFamilies) {
    Context context(open_emulator(), with_kept_kernels());
    UNSCOPED_INFO(family.name);
    for (int index = 0; index < kCasesOfType; ++index) {
      const GemmCase one = run_time_view_case(family.types, index);
      const std::string failure = describe(one, run_case(context, one, make_data(one)));
      UNSCOPED_INFO(failure);
      CHECK(failure.empty());
    }
  }
}

TEST_CASE("one kernel serves Views of other numbers", "[gemm][view][run_time]") {
  Context context(open_emulator(), with_kept_kernels());
  const Gemm gemm = prepare(context, parse_problem(kRunTime));
  CHECK(packs(gemm.plan()));
  // The numbers that are planned for stand in no kernel.
  Problem other = parse_problem(kRunTime);
  other.a.view = parse_view("((3,2),5):((10,70),2);origin=(4);numbers=run-time");
  const Gemm same = prepare(context, other);
  REQUIRE(gemm.sources().size() == same.sources().size());
  CHECK(gemm.sources().front().text == same.sources().front().text);
}

TEST_CASE("a run's View is held to the prepared one", "[gemm][view][run_time][refusal]") {
  Context context(open_emulator(), with_kept_kernels());
  const Gemm gemm = prepare(context, parse_problem(kRunTime));
  const auto refused = [&](const char* view, const Gemm& by) {
    const View given = parse_view(view);
    GemmArgs args{.a = 0x1000, .b = 0x2000, .d = 0x3000, .workspace = 0x4000};
    args.view_a = &given;
    return refusal_of([&] { by.run(args); });
  };
  Error error = refused("(6,5):(5,1)", gemm);
  CHECK(error.operand == "view_a");
  CHECK(error.value == "1,1,0 modes");
  CHECK(error.nearest_legal == "2,1,0 modes");
  error = refused("((2,2),5):((60,15),3)", gemm);
  CHECK(error.operand == "A.view");
  error = refused("((2,3),5):((-60,15),3)", gemm);
  CHECK(error.operand == "A.view");
  CHECK(error.nearest_legal == "origin=(60)");
  error = refused("((8,8),64):((64,1024),1)", prepare(context, bf16_blocks()));
  CHECK(error.operand == "view_a");
}

TEST_CASE("a View whose numbers runs say is of elements and read as it is",
          "[gemm][view][run_time][refusal]") {
  const auto refused = [](const std::string& text) {
    return refusal_of([&] { return completed(parse_problem(text)); });
  };
  Error error = refused("M=4 N=8 K=8 A=f32:view[(4,8):(1@0,1@1);box=(4,8):(8,1);numbers=run-time]");
  CHECK(error.operand == "A.view");
  CHECK(error.nearest_legal == "numbers=literal");
  error = refused(
      "M=512 N=8 K=8 A=f32:view[((2,2,2,2,2,2,2,2,2),8):((8,16,32,64,128,256,512,1024,"
      "2048),1);numbers=run-time]");
  CHECK(error.value == "10 modes");
  error = refused("M=4 N=8 K=8 A=s8:view[(4,8):(8,1);numbers=run-time] B=bf16 staged=bf16");
  CHECK(error.operand == "A.view");
  CHECK(refusal_of([] { return parse_view("(4,8):(8,1);numbers=some"); }).nearest_legal ==
        "run-time");
}

TEST_CASE("an operand with a View is packed once, and runs read the copy", "[gemm][view][pack]") {
  Context context(open_emulator(), with_kept_kernels());
  Backend& backend = context.backend();
  for (const char* numbers : {"", ";numbers=run-time"}) {
    GemmCase one;
    one.problem = parse_problem(std::string("M=40 N=24 K=36 A=f16:view[((8,5),36):((36,1000),1)") +
                                numbers + "] B=f16 D=f32 alpha=1 beta=0");
    one.config.pad = true;
    const Problem problem = completed(one.problem);
    const CaseData data = make_data(one);
    const Gemm gemm = prepare(context, problem, one.config);
    REQUIRE(gemm.packed_bytes(TensorRole::a) > 0);
    const Buffer packed(backend, gemm.packed_bytes(TensorRole::a)),
        b = uploaded(backend, data.b), workspace(backend, gemm.workspace_bytes());
    {
      const Buffer a = uploaded(backend, data.a);
      gemm.pack(TensorRole::a, packed.pointer(), {.a = a.pointer()});
      backend.synchronize();
    }
    const Index bytes = problem.m * problem.n * width_bytes(problem.d.type);
    const Buffer d(backend, bytes);
    gemm.run({.b = b.pointer(),
              .d = d.pointer(),
              .workspace = workspace.pointer(),
              .packed_a = packed.pointer()});
    backend.synchronize();
    std::vector<std::byte> result(static_cast<std::size_t>(bytes));
    backend.copy_out(result, d.pointer());
    CHECK(compare(problem, data.reference, result).ok);
  }
}

TEST_CASE("two Views of one memory are A and B", "[gemm][view]") {
  Context context(open_emulator(), with_kept_kernels());
  Backend& backend = context.backend();
  constexpr Index kN = 48, kK = 32;
  // X·Xt, of every second row.
  const Problem problem = completed(parse_problem(
      "M=48 N=48 K=32 A=f32:view[(48,32):(64,1)] B=f32:view[((6,8),32):((64,384),1)] D=f32 "
      "alpha=1 beta=0"));
  std::vector<double> values(2 * kN * kK);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i * 7 % 11) - 5;
  const Gemm gemm = prepare(context, problem);
  const Buffer x = uploaded(backend, encode(DType::f32, values));
  const Buffer d(backend, kN * kN * 4), workspace(backend, gemm.workspace_bytes());
  gemm.clear_workspace(workspace.pointer());
  gemm.run(
      {.a = x.pointer(), .b = x.pointer(), .d = d.pointer(), .workspace = workspace.pointer()});
  backend.synchronize();
  std::vector<std::byte> bytes(kN * kN * 4);
  backend.copy_out(bytes, d.pointer());
  const std::vector<double> found = decode(DType::f32, bytes);
  for (Index i = 0; i < kN; ++i)
    for (Index j = 0; j < kN; ++j) {
      double sum = 0;
      for (Index k = 0; k < kK; ++k)
        sum += values[static_cast<std::size_t>(2 * i * kK + k)] *
               values[static_cast<std::size_t>(2 * j * kK + k)];
      REQUIRE(found[static_cast<std::size_t>(i * kN + j)] == sum);
    }
}
