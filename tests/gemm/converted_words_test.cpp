// Every bit pattern of a stored type at every place of a word, as threads convert it on its way to
// a product or into a copy: bit for bit what steps in f32 give.
#include "support/catch.hpp"
#include "support/context_options.hpp"

#include <jute/emulator/emulator.hpp>
#include <jute/gemm/gemm.hpp>
#include <jute/plan/ask/problem.hpp>

#include <cmath>
#include <optional>
#include <sstream>

using namespace jute;
using namespace jute::test;

namespace {

constexpr Index kK = 32, kUnitRows = 16;

double held(DType type, double value) { return decode(type, encode(type, std::array{value}))[0]; }

enum class Converted { in_registers, by_copy };

struct Words {
  DType type, multiplied;
  const char* numbers;  ///< of B, in words of a problem
  Index block = 16;     ///< of those, along K
};

/// What memory has of column n: one bit pattern in all of its places.
std::vector<std::byte> weights(DType type, Index columns) {
  const int bits = width_bits(type);
  std::vector<std::byte> bytes;
  for (Index n = 0; n < columns; ++n) {
    const auto one = static_cast<unsigned>(n) & ((1U << bits) - 1);
    bytes.resize(bytes.size() + static_cast<size_t>(kK * bits / 8),
                 static_cast<std::byte>(bits == 4 ? one << 4 | one : one));
  }
  return bytes;
}

std::vector<double> numbers_of_blocks(DType type, Index count, double first, double step) {
  std::vector<double> values;
  for (Index i = 0; i < count; ++i)
    values.push_back(type == DType::ue8m0 ? std::exp2(static_cast<double>(i % 7) - 3)
                                          : first + step * static_cast<double>(i % 5));
  return decode(type, encode(type, values));
}

/// Rows of A are those of a unit matrix from `shift` on, so that D is what elements count as.
struct Run {
  const Words& words;
  Problem problem;
  Index columns;
  std::vector<double> scale, zero;

  explicit Run(const Words& given) : words(given), columns(Index{1} << width_bits(given.type)) {
    std::ostringstream text;
    text << "M=16 N=" << columns << " K=32 A=" << name(given.multiplied)
         << ":row B=" << name(given.type) << ":col D=f32 alpha=1 beta=0 " << given.numbers;
    problem = completed(parse_problem(text.str()));
    const Index blocks = columns * of_column();
    if (problem.scale_b.scale)
      scale = numbers_of_blocks(problem.scale_b.scale->type, blocks, 0.37, 0.61);
    if (problem.scale_b.zero) zero = numbers_of_blocks(problem.scale_b.zero->type, blocks, 1, 3);
  }

  [[nodiscard]] Index of_column() const { return (kK + words.block - 1) / words.block; }

  [[nodiscard]] double expected(Index n, Index k) const {
    const double q = decode(words.type, static_cast<std::uint64_t>(n));
    const size_t block = static_cast<size_t>(n * of_column() + k / words.block);
    const double from = held(DType::f32, q - (zero.empty() ? problem.scale_b.offset : zero[block]));
    return held(words.multiplied, held(DType::f32, scale.empty() ? from : from * scale[block]));
  }

  [[nodiscard]] std::string wrong(Context& context, const char* config,
                                  Converted where = Converted::in_registers) const {
    Backend& backend = context.backend();
    const auto uploaded = [&](const std::vector<std::byte>& bytes) {
      Buffer buffer(backend, std::max<Index>(static_cast<Index>(bytes.size()), 1));
      backend.copy_in(buffer.pointer(), bytes);
      return buffer;
    };
    const Gemm gemm = prepare(context, problem, parse_config(config));
    const GemmStep& step = gemm_step(gemm.plan());
    const bool is_stored = (step.transposed ? step.a : step.b).stored.has_value();
    if (is_stored != (where == Converted::in_registers)) return "not where it is asked for";
    const Buffer b = uploaded(weights(words.type, columns)),
                 s = uploaded(scale.empty() ? std::vector<std::byte>(1)
                                            : encode(problem.scale_b.scale->type, scale)),
                 workspace(backend, std::max<Index>(gemm.workspace_bytes(), 1)),
                 z = uploaded(zero.empty() ? std::vector<std::byte>(1)
                                           : encode(problem.scale_b.zero->type, zero));
    std::string wrong;
    for (const Index shift : {Index{0}, kK - kUnitRows}) {
      std::vector<double> unit(static_cast<size_t>(kUnitRows * kK));
      for (Index m = 0; m < kUnitRows; ++m) unit[static_cast<size_t>(m * kK + m + shift)] = 1;
      const Buffer a = uploaded(encode(words.multiplied, unit)),
                   d(backend, 4 * kUnitRows * columns);
      gemm.run({.a = a.pointer(),
                .b = b.pointer(),
                .d = d.pointer(),
                .scale_b = s.pointer(),
                .zero_b = z.pointer(),
                .workspace = workspace.pointer()});
      backend.synchronize();
      std::vector<std::byte> bytes(static_cast<size_t>(d.size_bytes()));
      backend.copy_out(bytes, d.pointer());
      const std::vector<double> got = decode(DType::f32, bytes);
      for (Index n = 0; n < columns; ++n) {
        bool is_finite = true;  // all of the column: the others are times zero
        for (Index k = 0; k < kK; ++k) is_finite = is_finite && std::isfinite(expected(n, k));
        for (Index m = 0; m < kUnitRows; ++m) {
          const double value = got[static_cast<size_t>(m * columns + n)],
                       right = expected(n, m + shift);
          if (is_finite ? value != right : std::isfinite(value))
            wrong = std::to_string(n) + " at " + std::to_string(m + shift) + " is " +
                    std::to_string(value) + ", not " + std::to_string(right);
        }
      }
    }
    return wrong;
  }
};

}  // namespace

TEST_CASE("words of stored elements become what steps in f32 make of each",
          "[gemm][scaled][words]") {
  Context context(open_emulator(), with_kept_kernels());
  using enum DType;
  for (const Words& words : std::initializer_list<Words>{
           {s4, bf16, ""},
           {s4, bf16, "scale_b=bf16:col:block1x16"},
           {u4, bf16, "scale_b=bf16:col:block1x16 zero_b=8"},
           {u4, bf16, "zero_b=u4:col:block1x16"},
           {u4, bf16, "scale_b=f32:col:block1x16 zero_b=7.5"},
           {s4, f16, "scale_b=f16:col:block1x16"},
           {u4, f16, "scale_b=e4m3:col:block1x16 zero_b=u8:col:block1x16"},
           {s8, bf16, "scale_b=bf16:col:block1x16"},
           {u8, bf16, "zero_b=128"},
           {u8, f16, "scale_b=f16:col:block1x16 zero_b=u8:col:block1x16"},
           {s8, f16, "scale_b=bf16:col:block1x16"},
           {e4m3, bf16, "scale_b=f32:col:block1x16"},
           {e4m3, f16, ""},
           {e5m2, f16, "scale_b=f16:col:block1x16"},
           {e5m2, bf16, "zero_b=1.5"},
           {e2m1, bf16, "scale_b=ue8m0:col:block1x16"},
           {e2m1, f16, "scale_b=e4m3:col:block1x16"},
       }) {
    INFO(name(words.type) << " as " << name(words.multiplied) << " " << words.numbers);
    for (const char* const config :
         {"main_loop=straight", "main_loop=register_staged", "main_loop=multistage"}) {
      INFO(config);
      CHECK(Run(words).wrong(context, config) == "");
    }
  }
}

TEST_CASE("copies read words, of which numbers of blocks differ or not", "[gemm][scaled][words]") {
  Context context(open_emulator(), with_kept_kernels());
  using enum DType;
  for (const Words& words : std::initializer_list<Words>{
           {s4, bf16, ""},
           {u4, bf16, "scale_b=bf16:col:block1x16 zero_b=8"},
           {u4, bf16, "scale_b=bf16:col:block1x4 zero_b=8", 4},
           {u4, f16, "scale_b=e4m3:col:block1x16 zero_b=u8:col:block1x16"},
           {u4, f16, "scale_b=e4m3:col:block1x5 zero_b=u4:col:block1x5", 5},
           {s8, bf16, "scale_b=bf16:col:block1x16"},
           {u8, f16, "scale_b=f16:col:block1x1 zero_b=u8:col:block1x1", 1},
           {e4m3, bf16, "scale_b=f32:col:block1x16"},
           {e4m3, f16, ""},
           {e5m2, bf16, "zero_b=1.5"},
           {e2m1, bf16, "scale_b=ue8m0:col:block1x16"},
           {e2m1, f16, "scale_b=e4m3:col:block1x3", 3},
       }) {
    INFO(name(words.type) << " as " << name(words.multiplied) << " " << words.numbers);
    const Run run(words);
    CHECK(run.wrong(context, "main_loop=warp_specialised", Converted::by_copy) == "");
  }
}
