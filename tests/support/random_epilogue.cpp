// Puts random epilogues into kernels, and judges what those make of them.
#include "support/random_epilogue.hpp"

#include <jute/epilogue/types.hpp>
#include <jute/launch/device_presets.hpp>
#include <jute/plan/ask/operand_extents.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>

#include "support/chance.hpp"
#include "support/epilogue_cases.hpp"

namespace jute::test {
namespace {

Index place_of(const Matrix& matrix, Index batch, Index row, Index col) {
  return (matrix.broadcast ? 0 : batch * matrix.batch_stride_elems) +
         (matrix.order == Order::row ? row * matrix.ld_elems + col : col * matrix.ld_elems + row);
}

double element(const Matrix& matrix, const std::vector<std::byte>& memory, Index batch, Index row,
               Index col) {
  const auto width = static_cast<std::size_t>(width_bytes(matrix.type));
  std::uint64_t bits = 0;
  std::memcpy(&bits,
              memory.data() + static_cast<std::size_t>(place_of(matrix, batch, row, col)) * width,
              width);
  return decode(matrix.type, bits);
}

bool bit(const Matrix& matrix, const std::vector<std::byte>& memory, Index batch, Index row,
         Index col) {
  Index& along = matrix.order == Order::row ? col : row;
  const auto place = static_cast<unsigned>(along % 8);
  along /= 8;
  return (static_cast<unsigned>(element(matrix, memory, batch, row, col)) >> place & 1) != 0;
}

/// A problem of the table of kernels.
void take_kernel(EpilogueCase& drawn, Chance& draw) {
  const auto& kernel =
      kEpilogueKernels[static_cast<std::size_t>(draw.below(std::ssize(kEpilogueKernels)))];
  drawn.gemm = case_of(kernel, EpilogueRow{"d = acc", ""}, 0);
  drawn.chip = "h200";
}

/// A small problem of any types and orders on any chip.
void take_problem(EpilogueCase& drawn, Chance& draw) {
  drawn.chip = draw.from<std::string>({"h200", "h200", "t4", "a100", "l40s", "b200", "rtx5090"});
  const Arch arch = device_preset(drawn.chip).arch;
  std::vector<DType> types{DType::f32, DType::f16, DType::s8};
  if (arch.number >= 80)
    types.insert(types.end(), {DType::bf16, DType::bf16, DType::f64, DType::u8});
  if (arch.number >= 89) types.push_back(DType::e4m3);
  Problem& problem = drawn.gemm.problem;
  const DType type = draw.from(types);
  const auto extent = [&] {
    return draw.one_in(8) ? Index{1} : 1 + draw.below(draw.one_in(2) ? 20 : 75);
  };
  const auto order = [&] { return draw.one_in(2) ? Order::row : Order::col; };
  problem.m = extent();
  problem.n = extent();
  problem.k = 1 + draw.below(60);
  problem.batch = draw.one_in(2) ? 1 : 1 + draw.below(3);
  problem.a = {.type = type, .order = order()};
  problem.b = {.type = type, .order = order()};
  problem.d = {.type = usual_output_type(type), .order = order()};
  if (!is_integer(type) && type != DType::f64 && draw.one_in(3)) problem.d.type = DType::f32;
  problem.c = problem.d;
}

}  // namespace

void put_into(Problem& problem, const PlainEpilogue& epilogue) {
  Epilogue own{.expression = parse_epilogue(epilogue.text())};
  problem.epilogue = own;
  Index turn = 0;
  for (const EpilogueInput& input : own.expression.inputs) {
    const auto given = std::ranges::find(epilogue.inputs, input.name, &PlainInput::name);
    EpilogueOperand operand = usual_operand(problem, input);
    operand.type = given->type;
    operand.by_value = given->by_value;
    if (given->index == "m,n" && turn++ % 2 != 0)
      operand.order = operand.order == Order::row ? Order::col : Order::row;
    own.inputs.push_back(operand);
  }
  for (std::size_t i = 0; i < epilogue.outputs.size(); ++i) {
    EpilogueOperand operand = usual_operand(problem, own.expression.outputs[i]);
    operand.type = epilogue.outputs[i].type;
    own.outputs.push_back(operand);
  }
  problem.epilogue = std::move(own);
}

EpilogueCase random_epilogue_case(std::uint64_t seed) {
  Chance draw(seed);
  EpilogueCase drawn;
  if (draw.one_in(2))
    take_kernel(drawn, draw);
  else
    take_problem(drawn, draw);
  Problem& problem = drawn.gemm.problem;
  problem.epilogue.reset();
  EpilogueGrowth growth;
  growth.accumulate = is_integer(problem.a.type)     ? DType::s32
                      : problem.a.type == DType::f64 ? DType::f64
                                                     : DType::f32;
  growth.out = problem.d.type;
  growth.has_small_floats = device_preset(drawn.chip).arch.number >= 89;
  growth.whole = growth.accumulate == DType::s32 && !draw.one_in(3);
  drawn.epilogue = random_epilogue(seed, growth);
  // Bits of a single row or column lie as no kernel writes them.
  if (std::ranges::find(drawn.epilogue.outputs, "bit", &PlainOutput::gather) !=
      drawn.epilogue.outputs.end())
    for (Index* extent : {&problem.m, &problem.n}) *extent = std::max(*extent, Index{9});
  put_into(problem, drawn.epilogue);
  return drawn;
}

void draw_run(EpilogueCase& drawn, std::uint64_t seed) {
  Chance draw(seed);
  GemmCase& gemm = drawn.gemm;
  const bool whole = is_integer(gemm.problem.a.type);
  const auto factor = [&] {
    return whole ? draw.from<double>({2, -1, 1, 3})
                 : draw.from<double>({2, -1, 1, 0.5, 1.5, -0.25});
  };
  gemm.alpha = drawn.epilogue.names("alpha") ? factor() : 1;
  gemm.beta = drawn.epilogue.names("beta") && seed % 2 != 0 ? factor() : 0;
  gemm.seed = seed;
  const bool is_exact = whole || width_bits(gemm.problem.a.type) == 8;
  gemm.fill = is_exact || draw.one_in(2) ? Fill::integers : Fill::normal;
}

PlainReads reads_of(const EpilogueCase& drawn, const CaseData& data, double roundoff) {
  const Problem problem = completed(drawn.gemm.problem);
  PlainReads reads{problem.m, problem.n, problem.k, problem.batch};
  const auto of = [](const Matrix& matrix, const std::vector<std::byte>& memory) {
    return [matrix, &memory](Index batch, Index row, Index col) {
      return element(matrix, memory, batch, row, col);
    };
  };
  reads.a = of(problem.a, data.a);
  reads.b = of(problem.b, data.b);
  reads.c = of(problem.c, data.c);
  reads.alpha = drawn.gemm.alpha;
  reads.beta = drawn.gemm.beta;
  reads.accumulate = *problem.accumulate;
  reads.c_type = problem.c.type;
  reads.roundoff = roundoff;
  for (const PlainInput& input : drawn.epilogue.inputs) {
    const auto place =
        static_cast<std::size_t>(find_input(problem.epilogue->expression, input.name));
    const Matrix matrix = problem.epilogue->inputs[place];
    const std::vector<std::byte>& memory = data.inputs[place];
    const double number = decode(input.type, encode(input.type, data.input_values[place]));
    const bool by_row = input.index.find('m') != std::string::npos,
               by_col = input.index.find('n') != std::string::npos;
    reads.inputs.emplace_back([=, &memory](Index batch, Index row, Index col) -> double {
      if (input.by_value) return number;
      if (!by_row) row = 0;
      if (!by_col) col = 0;
      return input.is_bits ? (bit(matrix, memory, batch, row, col) ? 1 : 0)
                           : element(matrix, memory, batch, row, col);
    });
  }
  return reads;
}

void EpilogueJudgement::add(const EpilogueJudgement& other) {
  if (wrong.empty()) wrong = other.wrong;
  judged += other.judged;
  skipped += other.skipped;
}

EpilogueJudgement judged(const PlainOutput& output, const PlainResult& result, Index batches,
                         const PlainMemory& memory) {
  EpilogueJudgement judgement;
  std::size_t at = 0;
  for (Index batch = 0; batch < batches; ++batch)
    for (Index row = 0; row < result.rows; ++row)
      for (Index col = 0; col < result.cols; ++col) {
        const PlainValue& expected = result.values[at++];
        ++(expected.is_known ? judgement.judged : judgement.skipped);
        const double held = memory(batch, row, col);
        if (may_hold(output.type, expected, held) || !judgement.wrong.empty()) continue;
        std::ostringstream text;
        text.precision(12);
        text << output.name << " at (" << batch << "," << row << "," << col << ") is " << held
             << ", not " << expected.value << " +- " << expected.error;
        judgement.wrong = text.str();
      }
  return judgement;
}

EpilogueJudgement judged(const EpilogueCase& drawn, const CaseData& data,
                         const CaseOutcome& outcome) {
  const Problem problem = completed(drawn.gemm.problem);
  // Terms of f32 sums are added by two units in the last place at most, of f64 likewise.
  const double unit = problem.accumulate == DType::f64 ? 0x1p-52 : 0x1p-22;
  const PlainReads reads = reads_of(drawn, data, drawn.gemm.fill == Fill::integers ? 0 : unit);
  const std::vector<PlainResult> results = plain_results(drawn.epilogue, reads);
  EpilogueJudgement all;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const PlainOutput& output = drawn.epilogue.outputs[i];
    const bool of_d = output.name == "d";
    const Matrix matrix = of_d || !problem.epilogue ? problem.d : problem.epilogue->outputs[i];
    const std::vector<std::byte>& memory = of_d ? outcome.d : outcome.outputs[i];
    all.add(
        judged(output, results[i], reads.batch, [&](Index batch, Index row, Index col) -> double {
          return output.gather == "bit" ? (bit(matrix, memory, batch, row, col) ? 1 : 0)
                                        : element(matrix, memory, batch, row, col);
        }));
  }
  return all;
}

}  // namespace jute::test
