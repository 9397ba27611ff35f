// The promise of batch-invariant choices, over many problems: a row's bits depend on that row
// alone.
#include <jute/emulator/emulator.hpp>
#include <jute/gemm/gemm.hpp>
#include <jute/gemm/reference.hpp>
#include <jute/launch/device_presets.hpp>
#include <jute/plan/choose/batch_invariant.hpp>

#include <algorithm>
#include <cmath>
#include <random>

#include "support/catch.hpp"
#include "support/context_options.hpp"

using namespace jute;
using namespace jute::test;

namespace {

constexpr int kProblems = 200;

struct Types {
  DType operand, result;
};
constexpr Types kTypes[] = {{DType::bf16, DType::f32}, {DType::bf16, DType::bf16},
                            {DType::f16, DType::f32},  {DType::f32, DType::f32},
                            {DType::e4m3, DType::f32}, {DType::s8, DType::s32},
                            {DType::f64, DType::f64}};

/// So many elements, the first of which are the same however many follow.
std::vector<std::byte> drawn(DType type, Index count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<double> values(static_cast<size_t>(count));
  const double scale = is_integer(type) ? 8 : 1;
  for (double& value : values) {
    // Distributions of the standard library keep a second draw back.
    value = scale * (static_cast<double>(random()) / 2147483648.0 - 1.0);
    if (is_integer(type)) value = std::floor(value);
  }
  return encode(type, values);
}

/// One problem with its choices, on one back end.
class Judged {
 public:
  Judged(Context& context, Problem problem)
      : context_(context),
        problem_(std::move(problem)),
        config_(batch_invariant(problem_, context.backend().device_info()).config) {}

  /// D of `m` rows, of which the first `same` have been drawn with all of them; `seed` has the
  /// rest.
  std::vector<std::byte> run(Index m, Index same, unsigned seed) {
    Backend& backend = context_.backend();
    Problem problem = problem_;
    problem.m = m;
    const Gemm gemm = prepare(context_, problem, config_);
    const Index width = width_bytes(problem.a.type);
    std::vector<std::byte> a = drawn(problem.a.type, m * problem.k, seed);
    const std::vector<std::byte> first = drawn(problem.a.type, same * problem.k, 1);
    std::ranges::copy(first, a.begin());
    REQUIRE(static_cast<Index>(a.size()) == m * problem.k * width);
    const std::vector<std::byte> b = drawn(problem.b.type, problem.k * problem.n, 2);
    std::vector<std::byte> d(static_cast<size_t>(m * problem.n * width_bytes(problem.d.type)));
    const auto on_device = [&](const std::vector<std::byte>& bytes) {
      Buffer buffer(backend, static_cast<Index>(bytes.size()));
      backend.copy_in(buffer.pointer(), bytes);
      return buffer;
    };
    const Buffer of_a = on_device(a), of_b = on_device(b), of_d = on_device(d);
    const Buffer workspace(backend, gemm.workspace_bytes());
    gemm.clear_workspace(workspace.pointer());
    gemm.run({.a = of_a.pointer(),
              .b = of_b.pointer(),
              .d = of_d.pointer(),
              .workspace = workspace.pointer()});
    backend.synchronize();
    backend.copy_out(d, of_d.pointer());
    return d;
  }

 private:
  Context& context_;
  Problem problem_;
  Config config_;
};

Problem problem_of(std::mt19937& random, const Types& types) {
  const auto below = [&](Index most) { return 1 + static_cast<Index>(random() % most); };
  Problem problem{.m = 60 + below(140), .n = below(160), .k = below(600)};
  problem.a.type = problem.b.type = types.operand;
  problem.d.type = problem.c.type = types.result;
  // A's rows lie one behind the other, so that fewer of them are the first of more.
  if (random() % 2 == 0) problem.b.order = Order::col;
  problem.beta = Factor::zero;
  if (random() % 3 == 0) {
    problem.n = (problem.n + 15) / 16 * 16;
    problem.k = (problem.k + 63) / 64 * 64;
  }
  return problem;
}

/// Is there a main loop that serves every M?
bool is_promised(const Problem& problem, const DeviceInfo& device) {
  try {
    (void)batch_invariant(problem, device);
    return true;
  } catch (const Exception& exception) {
    CHECK(exception.error().code == ErrorCode::unsupported);
    return false;
  }
}

}  // namespace

TEST_CASE("rows of 200 problems have the same bits whatever M and the other rows",
          "[soak][promise]") {
  std::mt19937 random(68);
  int judged = 0, refused = 0;
  for (const char* const chip : {"h200", "l40s", "a100"}) {
    EmulatorOptions options;
    options.device = device_preset(chip);
    ContextOptions chosen = with_kept_kernels();
    chosen.settings.tuned = "off";
    Context context(open_emulator(options), chosen);
    for (int i = 0; i < (kProblems + 2) / 3;) {
      Types types = kTypes[random() % std::size(kTypes)];
      if (types.operand == DType::e4m3 && options.device.arch.number < 89) types = kTypes[0];
      const Problem problem = problem_of(random, types);
      INFO(chip << " " << to_string(problem));
      if (!is_promised(problem, options.device)) {
        ++refused;
        continue;
      }
      ++i;
      Judged one(context, problem);
      const std::vector<std::byte> all = one.run(problem.m, problem.m, 1);
      const Index row = problem.n * width_bytes(problem.d.type);
      const auto is_first_of_all = [&](const std::vector<std::byte>& some, Index rows) {
        return std::equal(some.begin(), some.begin() + rows * row, all.begin());
      };
      for (const Index m : {Index{1}, Index{2} + static_cast<Index>(random() % 15),
                            Index{17} + static_cast<Index>(random() % 43)})
        CHECK(is_first_of_all(one.run(m, m, 1), m));
      // Other rows behind the same ones.
      const Index same = 1 + static_cast<Index>(random() % 50);
      CHECK(is_first_of_all(one.run(problem.m, same, 9), same));
      ++judged;
    }
  }
  CHECK(judged >= kProblems);
  CHECK(refused == 0);
}
