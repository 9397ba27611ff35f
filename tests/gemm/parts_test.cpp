// Several problems that each write a part of one D: planned, prepared and run as one.
#include "support/catch.hpp"
#include "support/context_options.hpp"
#include "support/notation_run.hpp"
#include "support/plain_convolution.hpp"
#include "support/refusal.hpp"
#include "support/temporary_folder.hpp"

#include <jute/emulator/emulator.hpp>
#include <jute/launch/device_presets.hpp>
#include <jute/plan/choose/parts.hpp>
#include <jute/plan/notation/convolution.hpp>
#include <jute/plan/values/planned_values.hpp>

#include <algorithm>
#include <string>

using namespace jute;
using namespace jute::test;

namespace {

constexpr double kBefore = 77;  // what D holds where nothing is written

Problem like_bf16() { return like_types({DType::bf16, DType::f32}); }

std::vector<Problem> parts_of_text(const std::string& text) {
  return convolution_data_gradient(parse_convolution(text), like_bf16());
}

/// dx of one run of the parts as one, in C order with the channels last.
std::vector<double> gradient_by(Context& context, const Gemm& gemm, const Convolution& layer,
                                const PlainImages& images) {
  const std::vector<double> x(images.x.size(), kBefore);
  return channels_last(layer, ImageArray::x,
                       run_product(context, gemm, laid_out(layer, ImageArray::y, images.y),
                                   laid_out(layer, ImageArray::w, images.w), x));
}

}  // namespace

TEST_CASE("a strided convolution's data gradient is one Gemm, whatever its strides",
          "[gemm][convolution][parts]") {
  Context context(open_emulator(), with_kept_kernels());
  for (const char* const text :
       {"x=2x7x6x4 w=8x3x3 stride=2 padding=1", "x=1x8x8x8 w=16x3x3 stride=2,1 padding=1",
        "x=2x7x7x8 w=8x1x1 stride=3", "x=1x9x9x4 w=8x3x3 stride=2 dilation=2 padding=2",
        "x=2x6x6x8 w=8x3x3 stride=2 padding=1 groups=2",
        "x=2x6x6x4 w=8x3x3 stride=2 padding=1 order=NCHW", "x=3x11x4 w=8x4 stride=3 padding=1",
        "x=1x4x4x4x4 w=8x3x3x3 stride=2 padding=1", "x=2x5x5x4 w=8x2x2"}) {
    INFO(text);
    const Convolution layer = parse_convolution(text);
    const std::vector<Problem> parts = parts_of_text(text);
    const PlainImages images = random_images(layer, 3);
    const Gemm gemm = prepare_parts(context, parts);
    const Plan& plan = gemm.plan();
    CHECK(plan.behind.size() + 1 == parts.size());
    CHECK(gemm.sources().size() == step_count(plan));
    CHECK(gemm.binaries().size() == step_count(plan));
    CHECK(check(plan).empty());
    CHECK(gradient_by(context, gemm, layer, images) == plain_data_gradient(layer, images));
    CHECK(gradient_by(context, prepare(context, plan), layer, images) ==
          plain_data_gradient(layer, images));
  }
}

TEST_CASE("parts share one workspace, also where what must be zero is of another length",
          "[gemm][convolution][parts]") {
  Context context(open_emulator(), with_kept_kernels());
  const std::string text = "x=1x6x6x16 w=64x3x3 stride=2 padding=1";
  const Convolution layer = parse_convolution(text);
  const PlainImages images = random_images(layer, 9);
  Config config;
  config.pad = true;
  const Gemm gemm = prepare_parts(context, parts_of_text(text), config);
  Index most = 0, all = 0, zeroed = 0;
  for (const Problem& part : parts_of_text(text)) {
    const Gemm alone = prepare(context, part, config);
    most = std::max(most, alone.workspace_bytes() - alone.zeroed_bytes());
    zeroed = std::max(zeroed, alone.zeroed_bytes());
    all += alone.workspace_bytes();
  }
  CHECK(gemm.workspace_bytes() == most + zeroed);
  CHECK(gemm.workspace_bytes() == workspace_bytes(gemm.plan()));
  CHECK(gemm.zeroed_bytes() == zeroed_bytes(gemm.plan()));
  CHECK(gemm.workspace_bytes() < all);
  CHECK(gradient_by(context, gemm, layer, images) == plain_data_gradient(layer, images));
}

TEST_CASE("a run of fewer images has as many rows of every part", "[gemm][convolution][parts]") {
  Context context(open_emulator(), with_kept_kernels());
  const Convolution layer = parse_convolution("x=1:3x5x6x4 w=8x3x3 stride=2 padding=1");
  const PlainImages images = random_images(layer, 4);
  const Gemm gemm = prepare_parts(context, convolution_data_gradient(layer, like_bf16()));
  const auto run = [&](Index rows) {
    Backend& backend = context.backend();
    const auto put = [&](DType type, const std::vector<double>& values) {
      const std::vector<std::byte> bytes = encode(type, values);
      Buffer buffer(backend, static_cast<Index>(bytes.size()));
      backend.copy_in(buffer.pointer(), bytes);
      return buffer;
    };
    const Buffer y = put(DType::bf16, images.y), w = put(DType::bf16, images.w),
                 x = put(DType::f32, std::vector<double>(images.x.size(), kBefore)),
                 workspace(backend, gemm.workspace_bytes());
    gemm.clear_workspace(workspace.pointer());
    gemm.run({.a = y.pointer(),
              .b = w.pointer(),
              .d = x.pointer(),
              .workspace = workspace.pointer(),
              .m = rows});
    backend.synchronize();
    std::vector<std::byte> bytes(static_cast<std::size_t>(x.size_bytes()));
    backend.copy_out(bytes, x.pointer());
    return decode(DType::f32, bytes);
  };
  const std::vector<double> all = plain_data_gradient(layer, images);
  constexpr Index kRows = 5 * 6, kOfImage = kRows * 4;
  for (const Index count : {1, 2, 3}) {
    std::vector<double> expected = all;
    std::fill(expected.begin() + count * kOfImage, expected.end(), kBefore);
    CHECK(run(count * kRows) == expected);
  }
  CHECK(refusal_of([&] { return run(kRows + 1).size(); }).operand == "m");
}

TEST_CASE("problems that are no parts of one D are refused", "[gemm][parts]") {
  Context context(open_emulator(), with_kept_kernels());
  const std::vector<Problem> parts = parts_of_text("x=1x6x6x4 w=8x3x3 stride=2 padding=1");
  const auto rule_of = [&](const std::vector<Problem>& changed) {
    return refusal_of([&] { return make_plan_of_parts(changed, device_preset("h200")); })
        .violated_rules.front();
  };
  const auto with_last = [&](auto change) {
    std::vector<Problem> changed = parts;
    change(changed.back());
    return changed;
  };
  CHECK(rule_of({}).find("at least one problem") != std::string::npos);
  CHECK(rule_of(with_last([](Problem& part) {
          part.d.type = DType::bf16;
        })).find("the same types") != std::string::npos);
  CHECK(rule_of(with_last([](Problem& part) {
          part.m_range = MRange{1, part.m};
        })).find("a range of M each") != std::string::npos);
  CHECK(rule_of(with_last([](Problem& part) {
          part.a.view->numbers = ViewNumbers::run_time;
        })).find("literals") != std::string::npos);
  std::vector<Problem> named = parts;
  for (Problem& part : named)
    part.epilogue = Epilogue{.expression = parse_epilogue("acc + side[m,n]")};
  CHECK(rule_of(named).find("columns and scalars") != std::string::npos);
  const Gemm gemm = prepare_parts(context, parts);
  CHECK(gemm.packed_bytes(TensorRole::b) == 0);
  CHECK(refusal_of([&] { return gemm.choice(9).kernel; }).code == ErrorCode::unsupported);
  CHECK(refusal_of([&] {
          gemm.run({.k = 8});
          return 0;
        }).operand == "k");
  CHECK(refusal_of([&] { return step_of_part(gemm.plan(), 99).part; }).nearest_legal == "3");
}

TEST_CASE("parts of one D are one text, which is read back as it was written",
          "[gemm][convolution][parts]") {
  std::vector<Problem> parts = parts_of_text("x=1x6x6x4 w=8x3x3 stride=2 padding=1");
  for (Problem& part : parts) {
    part.epilogue = Epilogue{.expression = parse_epilogue("select(acc > 0, acc, 0)")};
    part = completed(part);
  }
  const std::string text = parts_text(parts);
  CHECK(std::ranges::count(text, ';') >= 3);
  std::vector<Problem> read = parse_parts(text);
  for (Problem& part : read) part = completed(part);
  CHECK(read.size() == parts.size());
  CHECK(parts_text(read) == text);
  CHECK(parse_parts("M=48 N=40 K=32") == std::vector<Problem>{parse_problem("M=48 N=40 K=32")});
  CHECK(parse_parts("M=4 N=4 K=4 epilogue=\"y := acc ; d = y * v[n]\" ; M=4 N=4 K=8").size() == 2);
}

TEST_CASE("a text of parts is refused where it stands, and where one problem is meant",
          "[gemm][parts][refusal]") {
  const auto column_of = [](const char* text) {
    const Error error = refusal_of([&] { return parse_parts(text); });
    return error.position ? error.position->column : 0;
  };
  CHECK(column_of("M=4 N=4 K=4 ; M=4 N=x K=4") == 21);
  CHECK(column_of("M=4 N=4 K=4 ; M=4 N=4") == 22);
  CHECK(column_of("M=4 N=4 K=4 ;") == 14);
  CHECK(column_of("M=4 N=4 K=4 ;x M=4 N=4 K=4") == 13);
  const Error error = refusal_of([] { return parse_problem("M=4 N=4 K=4 ; M=4 N=4 K=4"); });
  CHECK(error.violated_rules.front().find("parts of one D") != std::string::npos);
  CHECK(error.position->column == 13);
  CHECK_THROWS(parse_problems("M=4 N=4 K=4\nM=4 N=4 K=4 ; M=4 N=4 K=4\n"));
}

TEST_CASE("parts that write one element of D are refused by both their coordinates of it",
          "[gemm][parts][refusal]") {
  const auto rule_of = [](const char* text) {
    const Error error = refusal_of([&] { return require_parts(parse_parts(text)), 0; });
    return error.operand + ": " + error.violated_rules.front();
  };
  const std::string rule = "each element of D must be of one part, and ";
  CHECK(rule_of("M=16 N=8 K=16 ; M=16 N=8 K=32") ==
        "part 1: " + rule + "(15,7,0) of this one is element 127, as (15,7,0) of part 0 is");
  CHECK(rule_of("M=2 N=8 K=8 ; M=2 N=8 K=8 D=f32:view[(2,8):(8,1);origin=(16)] ; "
                "M=2 N=8 K=8 D=f32:view[(2,8):(16,1);origin=(16)]") ==
        "part 2: " + rule + "(0,7,0) of this one is element 23, as (0,7,0) of part 1 is");
  // The last row of one, the first of the other.
  CHECK(rule_of("M=3 N=8 K=8 ; M=2 N=8 K=8 D=f32:view[(2,8):(8,1);origin=(16)]") ==
        "part 1: " + rule + "(0,7,0) of this one is element 23, as (2,7,0) of part 0 is");
  CHECK_NOTHROW(require_parts(parse_parts("M=0 N=8 K=8 ; M=2 N=8 K=8")));
  CHECK_NOTHROW(
      require_parts(parse_parts("M=2 N=8 K=8 ; M=2 N=8 K=8 D=f32:view[(2,8):(8,1);origin=(16)]")));
}

TEST_CASE("kernels of parts come from a cache like any others", "[gemm][convolution][parts]") {
  const TemporaryFolder folder;
  const std::vector<Problem> parts = parts_of_text("x=1x6x6x4 w=8x3x3 stride=2 padding=1");
  const auto compiled = [&] {
    ContextOptions options;
    options.settings.cache = "on";
    options.settings.cache_dir = folder.file("cache");
    Context context(open_emulator(), options);
    (void)prepare_parts(context, parts);
    return context.compile_count();
  };
  CHECK(compiled() > 0);
  CHECK(compiled() == 0);
}
