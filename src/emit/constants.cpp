// Writes named constants, their meanings in one column.
#include <jute/emit/constants.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <sstream>

#include "base/format.hpp"

namespace jute {
namespace {

// The constants of specialised/place.cu (width).
constexpr std::array<std::string_view, 6> kOfColumns{"kBoxOuterB",   "kFullBytes", "kOffsetB",
                                                     "kStageBytesB", "kStages",    "kTileN"};
// The constants of specialised/place.cu (launched), and load_stage.cu (share).
constexpr std::array<std::string_view, 8> kOfCluster{"kBoxOuterA", "kBoxOuterB", "kClusterBlocks",
                                                     "kClusterM",  "kClusterN",  "kFreeArrivals",
                                                     "kOffsetB",   "kStages"};

}  // namespace

std::string constant(std::string_view name, Index value, std::string_view meaning) {
  return constant("int", name, base::format("{}", value), meaning);
}

std::string constant(std::string_view type, std::string_view name, std::string_view value,
                     std::string_view meaning) {
  constexpr int kMeaningColumn = 40;
  return base::format("{:<{}} // {}\n", base::format("constexpr {} {} = {};", type, name, value),
                      kMeaningColumn, meaning);
}

std::string alias(std::string_view name, std::string_view type) {
  return base::format("typedef {} {};\n", type, name);
}

std::string element(std::string_view array, std::string_view place) {
  return base::format("{}[{}]", array, place);
}

std::string assign(std::string_view to, std::string_view value) {
  return base::format("{} = {};\n", to, value);
}

std::string call(std::string_view function, std::string_view arguments) {
  return base::format("{}({});\n", function, arguments);
}

std::string matrix_constant(std::string_view letter, std::uint64_t bits) {
  const auto field = [&](int first, int count) {
    return bits >> first & ((std::uint64_t{1} << count) - 1);
  };
  constexpr std::array kSwizzleBytes{0, 128, 64, 32};
  return base::format(
      "constexpr unsigned long long kMatrix{0} = {1}ull << 62 | {2}ull << 32 | {3}ull << 16;"
      "  // {0}'s matrices: swizzle of {4} bytes, patterns {5} apart, leading {6}\n",
      letter, field(62, 2), field(32, 14), field(16, 14), kSwizzleBytes.at(field(62, 2)),
      16 * field(32, 14), 16 * field(16, 14));
}

std::string k_step_constants(Index steps, int at_once) {
  if (at_once == 1) return constant("kKSteps", steps, "instructions along K in a stage");
  return constant("kStepsAtOnce", at_once,
                  "instructions along K whose fragments are read together") +
         constant("kKSteps", steps / at_once, "such reads in a stage");
}

std::string accumulator_constants(const MmaAtom& atom, Index elements, Index instructions) {
  const int of_instruction = registers(atom, Operand::c);
  const std::string_view cuda = cuda_type(register_of(atom, Operand::c));
  return "// The accumulators of a thread.\n" +
         constant("kAccumulators", elements, "elements of D") +
         constant("kAtomRegistersC", of_instruction, "registers of one instruction") +
         constant("kAccumulatorRegisters", of_instruction * instructions,
                  "registers of all instructions") +
         alias("RegisterC", cuda.empty() ? "Accum" : cuda) +
         alias("FragmentC", "Fragment<Accum, kAccumulators, RegisterC>");
}

std::string without_launched(const std::string& constants, Launched launched) {
  const std::span<const std::string_view> names =
      launched == Launched::columns ? std::span<const std::string_view>(kOfColumns) : kOfCluster;
  std::istringstream lines(constants);
  std::string kept;
  for (std::string line; std::getline(lines, line);) {
    const bool is_launched = std::ranges::any_of(names, [&](std::string_view name) {
      return line.starts_with(base::format("constexpr int {} =", name));
    });
    if (!is_launched) kept += line + "\n";
  }
  return kept;
}

std::string_view word_type(int bytes) {
  constexpr std::array<std::string_view, 4> kWords{"unsigned char", "unsigned short", "unsigned",
                                                   "unsigned long long"};
  return kWords.at(std::countr_zero(static_cast<unsigned>(bytes)));
}

DType computed_type(DType type) {
  if (is_integer(type)) return DType::s32;
  return type == DType::f64 ? type : DType::f32;
}

std::string compute_type(DType compute) {
  if (compute == DType::f64) return "double";
  return compute == DType::s32 ? "int" : "float";
}

std::string computed(DType compute, DType type, std::string_view value) {
  return computed_type(type) == compute ? std::string(value) : base::format("Compute({})", value);
}

}  // namespace jute
