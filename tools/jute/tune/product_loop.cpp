// The text of a loop that multiplies.
#include <jute/emit/instruction.hpp>

#include <array>

#include "command/command_line.hpp"
#include "tune/chip_loops.hpp"

namespace jute::tuning {
namespace {

constexpr int kProductThreads = 512;
constexpr int kChains = 4;    // of sums in registers
constexpr int kSumTurns = 8;  // how often each is added to in a round
constexpr int kAtOnce = 8;    // products before groups wait

// Products of registers: as many chains of sums as keep the unit busy.
constexpr std::string_view kOfRegisters = R"cuda(
extern "C" __global__ void products(unsigned long long* clocks, unsigned* sink, int rounds) {
  RegisterA a[kA] = {};
  RegisterB b[kB] = {};
  RegisterC c[kChains][kC] = {};
  __syncthreads();
  const unsigned long long begun = clock64();
  #pragma unroll 1
  for (int round = 0; round < rounds; ++round)
    #pragma unroll
    for (int turn = 0; turn < kSumTurns; ++turn)
      #pragma unroll
      for (int i = 0; i < kChains; ++i) mma(c[i], a, b);
  __syncthreads();
  if (threadIdx.x == 0) clocks[blockIdx.x] = clock64() - begun;
  int others = 0;
  for (int i = 0; i < kChains; ++i)
    for (int j = 0; j < kC; ++j) others += c[i][j] != (RegisterC)0;
  if (others > 0) *sink = others;
}
)cuda";
// Products of shared memory: rows of 128 bytes in the swizzle of 128 bytes, eight rows a pattern.
constexpr std::string_view kOfMemory = R"cuda(
extern "C" __global__ void products(unsigned long long* clocks, unsigned* sink, int rounds) {
  __shared__ __align__(1024) unsigned tile[kWords];
  for (int i = threadIdx.x; i < kWords; i += blockDim.x) tile[i] = 0;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  const unsigned base = (unsigned)__cvta_generic_to_shared(tile);
  const unsigned long long rows = 1ull << 16 | 64ull << 32 | 1ull << 62;
  const unsigned long long a = base / 16 | rows, b = (base + kBytesOfA) / 16 | rows;
  RegisterC c[kC] = {};
  __syncthreads();
  const unsigned long long begun = clock64();
  #pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    #pragma unroll
    for (int i = 0; i < kChains; ++i) mma(c, a, b, 1);
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  }
  __syncthreads();
  if (threadIdx.x == 0) clocks[blockIdx.x] = clock64() - begun;
  int others = 0;
  for (int j = 0; j < kC; ++j) others += c[j] != (RegisterC)0;
  if (others > 0) *sink = others;
}
)cuda";

std::string number_line(const char* name, int value) {
  return std::string("constexpr int ") + name + " = " + std::to_string(value) + ";\n";
}

}  // namespace

ProductLoop product_loop(const MmaAtom& atom, Arch arch) {
  const bool is_group = atom.form == MmaForm::wgmma_ss;
  if (!is_group && atom.form != MmaForm::mma)
    command::refuse(ErrorCode::unsupported, "atom", atom.name,
                    "a loop must be of mma.sync or of wgmma by descriptors");
  constexpr int kLineBytes = 128, kWordBytes = 4;
  const InstructionFunction function = instruction_function(atom);
  ProductLoop loop{.source = {}, .threads = kProductThreads};
  loop.source.symbol = "products";
  loop.source.arch = arch;
  loop.source.signature = parse_signature("(pointer clocks, pointer sink, i32 rounds)");
  loop.source.threads_per_block = kProductThreads;
  std::string& text = loop.source.text;
  text = "// A loop of one instruction.\n" + function.types + function.text;
  text += number_line("kChains", is_group ? kAtOnce : kChains);
  if (!is_group) text += number_line("kSumTurns", kSumTurns);
  text += number_line("kC", registers(atom, Operand::c));
  if (is_group) {
    text += number_line("kBytesOfA", atom.shape.m * kLineBytes);
    text += number_line("kWords", (atom.shape.m + atom.shape.n) * kLineBytes / kWordBytes);
  } else {
    text += number_line("kA", registers(atom, Operand::a));
    text += number_line("kB", registers(atom, Operand::b));
  }
  text += is_group ? kOfMemory : kOfRegisters;
  // Each of four groups of eight threads multiplies a tile of its own, where a tile has eight.
  const int tiles = kProductThreads / threads(atom);
  loop.multiply_adds = 1.0 * tiles * (is_group ? kAtOnce : kChains * kSumTurns) * atom.shape.m *
                       atom.shape.n * atom.shape.k;
  return loop;
}

namespace {

/// Which instructions a figure is of.
struct FigureAtoms {
  std::string_view figure;
  MmaForm form;
  DType operand, accumulate;
  int n;  ///< 0: any; wide enough that reading A bounds nothing
};
constexpr int kWideEnough = 128;
constexpr std::array kFigureAtoms{
    FigureAtoms{"mma_halves", MmaForm::mma, DType::f16, DType::f32, 0},
    FigureAtoms{"mma_halves_f16", MmaForm::mma, DType::f16, DType::f16, 0},
    FigureAtoms{"mma_words", MmaForm::mma, DType::tf32, DType::f32, 0},
    FigureAtoms{"mma_integers", MmaForm::mma, DType::s8, DType::s32, 0},
    FigureAtoms{"mma_bytes", MmaForm::mma, DType::e4m3, DType::f32, 0},
    FigureAtoms{"mma_doubles", MmaForm::mma, DType::f64, DType::f64, 0},
    FigureAtoms{"group_halves", MmaForm::wgmma_ss, DType::f16, DType::f32, kWideEnough},
    FigureAtoms{"group_words", MmaForm::wgmma_ss, DType::tf32, DType::f32, kWideEnough},
    FigureAtoms{"group_integers", MmaForm::wgmma_ss, DType::s8, DType::s32, kWideEnough},
    FigureAtoms{"group_bytes", MmaForm::wgmma_ss, DType::e4m3, DType::f32, kWideEnough}};

}  // namespace

std::optional<MmaAtom> atom_of_figure(std::string_view figure, Arch arch,
                                      const Catalogue& catalogue) {
  std::optional<MmaAtom> best;
  const auto products = [](const MmaAtom& atom) {
    return 1.0 * atom.shape.m * atom.shape.n * atom.shape.k / threads(atom);
  };
  for (const FigureAtoms& row : kFigureAtoms) {
    if (row.figure != figure) continue;
    const MmaTypes types{
        .a = row.operand, .b = row.operand, .accumulate = row.accumulate, .n = row.n};
    for (MmaAtom& atom : catalogue.mmas(row.form, arch, types))
      if (!best || products(atom) > products(*best)) best = std::move(atom);
  }
  return best;
}

}  // namespace jute::tuning
