// Operands to the emulator, results back.
#include "support/notation_run.hpp"

#include <jute/base/error.hpp>
#include <jute/emulator/emulator.hpp>
#include <jute/plan/notation/contraction.hpp>
#include <jute/plan/notation/contraction_order.hpp>
#include <jute/plan/notation/convolution.hpp>

#include <functional>

#include "support/chance.hpp"
#include "support/checked_emulator.hpp"
#include "support/context_options.hpp"
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

std::vector<double> contracted(Context& context, const RandomContraction& made,
                               const ExactTypes& types) {
  const Contraction found =
      contraction(parse_subscripts(made.text), made.operands, like_types(types));
  std::vector<std::vector<double>> memory = made.memory;
  memory.push_back({1.0});
  const std::size_t elements = plain_einsum(made.text, made.plain).values.size();
  return run_product(context, found.problem, memory.at(found.modes.a), memory.at(found.modes.b),
                     std::vector<double>(elements));
}

/// `found` in place of what the loops make; empty where they agree.
std::string judged(const std::string& what, const std::function<std::vector<double>()>& found,
                   const std::vector<double>& expected) {
  try {
    return found() == expected ? "" : what + ": other numbers\n";
  } catch (const Exception& refusal) {
    return what + ": " + refusal.what() + "\n";
  }
}

}  // namespace

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
  like.alpha = Scale::one;
  like.beta = Scale::zero;
  return like;
}

std::vector<double> run_product(Context& context, const Problem& problem,
                                const std::vector<double>& a, const std::vector<double>& b,
                                const std::vector<double>& d) {
  Backend& backend = context.backend();
  const Gemm gemm = prepare(context, problem);
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

std::string failures_of_contractions(std::uint64_t first, int count) {
  Context context(open_emulator(), without_disk_cache());
  std::string failures;
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(count); ++seed) {
    const RandomContraction made = random_contraction(seed);
    const ExactTypes types = exact_types(seed);
    failures += judged(
        "seed " + std::to_string(seed) + ", " + made.text + ", " +
            std::string(name(types.operands)),
        [&] { return contracted(context, made, types); },
        plain_einsum(made.text, made.plain).values);
  }
  return failures;
}

std::string failures_of_convolutions(std::uint64_t first, int count) {
  Context context(open_emulator(), without_disk_cache());
  std::string failures;
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(count); ++seed) {
    const Convolution made = random_convolution(seed);
    const PlainImages images = random_images(made, seed);
    const Problem like = like_types(exact_types(seed));
    const auto x = laid_out(made, ImageArray::x, images.x);
    const auto w = laid_out(made, ImageArray::w, images.w);
    const auto y = laid_out(made, ImageArray::y, images.y);
    const auto run_all = [&](const std::vector<Problem>& problems, const std::vector<double>& a,
                             const std::vector<double>& b, ImageArray result, std::size_t size) {
      std::vector<double> d(size);
      for (const Problem& problem : problems) d = run_product(context, problem, a, b, d);
      return channels_last(made, result, d);
    };
    const std::string what = "seed " + std::to_string(seed) + ", " + to_string(made) + ", " +
                             std::string(name(like.a.type));
    switch (seed % 3) {
      case 0:
        failures += judged(
            what, [&] { return run_all({convolution(made, like)}, x, w, ImageArray::y, y.size()); },
            plain_outputs(made, images));
        break;
      case 1:
        failures += judged(
            what + ", dx",
            [&] {
              return run_all(convolution_data_gradient(made, like), y, w, ImageArray::x, x.size());
            },
            plain_data_gradient(made, images));
        break;
      default:
        failures += judged(
            what + ", dw",
            [&] {
              return run_all({convolution_filter_gradient(made, like)}, y, x, ImageArray::w,
                             w.size());
            },
            plain_filter_gradient(made, images));
    }
  }
  return failures;
}

}  // namespace jute::test
