// Operands to a device, results back.
#include "support/notation_run.hpp"

#include <jute/base/error.hpp>
#include <jute/emulator/emulator.hpp>
#include <jute/plan/choose/parts.hpp>
#include <jute/plan/notation/contraction.hpp>
#include <jute/plan/notation/contraction_order.hpp>
#include <jute/plan/notation/convolution.hpp>

#include <functional>

#include "support/aligned_notation.hpp"
#include "support/chance.hpp"
#include "support/checked_emulator.hpp"
#include "support/context_options.hpp"
#include "support/moved_views.hpp"
#include "support/plain_convolution.hpp"
#include "support/random_contraction.hpp"

namespace jute::test {
namespace {

Buffer on_device(Backend& backend, DType type, const std::vector<double>& values) {
  const std::vector<std::byte> bytes = encode(type, values);
  Buffer buffer(backend, static_cast<Index>(bytes.size()));
  if (!bytes.empty()) backend.copy_in(buffer.pointer(), bytes);
  return buffer;
}

/// Runs and judges; counts who went by a map.
class Runs {
 public:
  explicit Runs(Context& context) : context_(context) {}

  std::vector<double> product(const std::vector<Problem>& parts, const std::vector<double>& a,
                              const std::vector<double>& b, const std::vector<double>& d) {
    const Gemm gemm = prepare_parts(context_, parts);
    for (const Plan& part : parts_of(gemm.plan())) has_map_ = has_map_ || moved_by_maps(part) > 0;
    return run_product(context_, gemm, a, b, d);
  }

  /// What comes of one case, in place of what the loops make.
  void judge(const std::string& what, const std::function<std::vector<double>()>& found,
             const std::vector<double>& expected) {
    has_map_ = false;
    try {
      if (found() != expected) runs_.failures += what + ": other numbers\n";
    } catch (const Exception& refusal) {
      runs_.failures += what + ": " + refusal.what() + "\n";
    }
    runs_.by_maps += has_map_;
  }

  [[nodiscard]] const NotationRuns& runs() const { return runs_; }

 private:
  Context& context_;
  NotationRuns runs_;
  bool has_map_ = false;
};

std::vector<double> contracted(Runs& runs, const RandomContraction& made, const ExactTypes& types,
                               std::size_t elements) {
  const Contraction found =
      contraction(parse_subscripts(made.text), made.operands, like_types(types));
  std::vector<std::vector<double>> memory = made.memory;
  memory.push_back({1.0});
  return runs.product({found.problem}, memory.at(found.modes.a), memory.at(found.modes.b),
                      std::vector<double>(elements));
}

/// Forward, or one of both gradients, by the seed.
void convolve(Runs& runs, const Convolution& made, std::uint64_t seed, const ExactTypes& types) {
  const PlainImages images = random_images(made, seed);
  const Problem like = like_types(types);
  const auto x = laid_out(made, ImageArray::x, images.x);
  const auto w = laid_out(made, ImageArray::w, images.w);
  const auto y = laid_out(made, ImageArray::y, images.y);
  const auto run_all = [&](const std::vector<Problem>& parts, const std::vector<double>& a,
                           const std::vector<double>& b, ImageArray result, std::size_t size) {
    return channels_last(made, result, runs.product(parts, a, b, std::vector<double>(size)));
  };
  const std::string what = "seed " + std::to_string(seed) + ", " + to_string(made) + ", " +
                           std::string(name(like.a.type));
  constexpr std::uint64_t kKinds = 3;
  if (seed % kKinds == 0)
    runs.judge(
        what, [&] { return run_all({convolution(made, like)}, x, w, ImageArray::y, y.size()); },
        plain_outputs(made, images));
  else if (seed % kKinds == 1)
    runs.judge(
        what + ", dx",
        [&] {
          return run_all(convolution_data_gradient(made, like), y, w, ImageArray::x, x.size());
        },
        plain_data_gradient(made, images));
  else
    runs.judge(
        what + ", dw",
        [&] {
          return run_all({convolution_filter_gradient(made, like)}, y, x, ImageArray::w, w.size());
        },
        plain_filter_gradient(made, images));
}

/// Types of 16 bits that become f32.
ExactTypes halves(std::uint64_t seed) {
  return {seed % 2 == 0 ? DType::bf16 : DType::f16, DType::f32};
}

}  // namespace

NotationRuns& NotationRuns::operator+=(const NotationRuns& other) {
  failures += other.failures;
  by_maps += other.by_maps;
  return *this;
}

ExactTypes exact_types(std::uint64_t seed) {
  using enum DType;
  static const std::vector<ExactTypes> kTypes{{f32, f32}, {bf16, f32}, {f16, f32},  {s8, s32},
                                              {f64, f64}, {e4m3, f32}, {bf16, f32}, {tf32, f32}};
  Chance chance(seed * 31 + 7);
  return chance.from(kTypes);
}

Problem like_types(const ExactTypes& types) {
  Problem like;
  like.a.type = like.b.type = types.operands;
  like.c.type = like.d.type = types.result;
  like.alpha = Factor::one;
  like.beta = Factor::zero;
  return like;
}

std::vector<double> run_product(Context& context, const Gemm& gemm, const std::vector<double>& a,
                                const std::vector<double>& b, const std::vector<double>& d) {
  Backend& backend = context.backend();
  const Problem& problem = gemm.plan().problem;
  const Buffer buffer_a = on_device(backend, problem.a.type, a);
  const Buffer buffer_b = on_device(backend, problem.b.type, b);
  const Buffer buffer_d = on_device(backend, problem.d.type, d);
  const Buffer workspace(backend, gemm.workspace_bytes());
  gemm.clear_workspace(workspace.pointer());
  gemm.run({.a = buffer_a.pointer(),
            .b = buffer_b.pointer(),
            .d = buffer_d.pointer(),
            .workspace = workspace.pointer()});
  backend.synchronize();
  std::vector<std::byte> bytes(static_cast<std::size_t>(buffer_d.size_bytes()));
  if (!bytes.empty()) backend.copy_out(bytes, buffer_d.pointer());
  return decode(problem.d.type, bytes);
}

NotationRuns run_contractions(Context& context, std::uint64_t first, int count,
                              NotationExtents extents) {
  const bool is_aligned = extents == NotationExtents::aligned;
  Runs runs(context);
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(count); ++seed) {
    const RandomContraction made =
        is_aligned ? aligned_contraction(seed) : random_contraction(seed);
    const ExactTypes types = is_aligned ? halves(seed) : exact_types(seed);
    const std::vector<double> expected = plain_einsum(made.text, made.plain).values;
    runs.judge(
        "seed " + std::to_string(seed) + ", " + made.text + ", " +
            std::string(name(types.operands)),
        [&] { return contracted(runs, made, types, expected.size()); }, expected);
  }
  return runs.runs();
}

NotationRuns run_convolutions(Context& context, std::uint64_t first, int count,
                              NotationExtents extents) {
  const bool is_aligned = extents == NotationExtents::aligned;
  Runs runs(context);
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(count); ++seed)
    convolve(runs, is_aligned ? aligned_convolution(seed) : random_convolution(seed), seed,
             is_aligned ? halves(seed) : exact_types(seed));
  return runs.runs();
}

std::string failures_of_contractions(std::uint64_t first, int count) {
  Context context(open_emulator(), with_kept_kernels());
  return run_contractions(context, first, count).failures;
}

std::string failures_of_convolutions(std::uint64_t first, int count) {
  Context context(open_emulator(), with_kept_kernels());
  return run_convolutions(context, first, count).failures;
}

}  // namespace jute::test
