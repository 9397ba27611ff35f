// From ldmatrix and ld.shared through mov to mma: which bytes of shared memory an operand holds.
#include "emulator/check/operand_trace.hpp"

#include "emulator/run/lane_registers.hpp"
#include "emulator/run/memory_access.hpp"
#include "emulator/tensor/mma.hpp"

#include <algorithm>
#include <bit>

namespace jute::emulator {
namespace {

/// Offsets in the warp's own block; others are no places of it.
std::array<std::int32_t, kWarpLanes> shared_offsets(const Warp& warp, const MemoryAccess& access) {
  const Addresses addresses = gather_addresses(warp, access);
  std::array<std::int32_t, kWarpLanes> offsets;
  for (size_t lane = 0; lane < kWarpLanes; ++lane) {
    std::uint64_t address = addresses[lane];
    if (access.space == Space::generic)
      address -= address / kWindowBytes * kWindowBytes == kSharedWindow ? kSharedWindow : 0;
    const bool is_own = address >> kSharedRankShift == static_cast<unsigned>(warp.block->rank);
    offsets[lane] = is_own ? static_cast<std::int32_t>(address & kSharedOffsetMask) : -1;
  }
  return offsets;
}

}  // namespace

OperandTrace::OperandTrace(const Program& program)
    : program_(program), halves_(program.register_bytes / 2 + 1, kElsewhere) {}

std::int32_t& OperandTrace::half(Slot slot, int lane, int register_bytes, int index) {
  return halves_[(slot + static_cast<size_t>(lane) * static_cast<size_t>(register_bytes)) / 2 +
                 static_cast<size_t>(index)];
}
std::int32_t OperandTrace::half(Slot slot, int lane, int register_bytes, int index) const {
  return halves_[(slot + static_cast<size_t>(lane) * static_cast<size_t>(register_bytes)) / 2 +
                 static_cast<size_t>(index)];
}

bool OperandTrace::follows(const Warp& warp) const {
  return warp.index == 0 && warp.block->linear == 0;
}

void OperandTrace::before(const Warp& warp, std::uint32_t pc, std::uint32_t mask) {
  if (mask == 0 || !follows(warp)) return;
  const Instruction& instruction = program_.code[pc];
  const LaneFunction run = instruction.run;
  if (run == &run_mma || run == &run_quadpair_mma) record(pc);
  const bool moves = instruction.passing == Passing::moves && is_register(instruction.src[0]) &&
                     is_register(instruction.dst);
  if (moves) {
    for (const RegisterOperand& operand : program_.operands_of(pc))
      if (operand.is_write) move(instruction, lane_bytes(operand.kind), mask);
    return;
  }
  forget_results(pc, mask);
  if (run == &load_memory) load(warp, program_.use_of<MemoryAccess>(instruction), mask);
  if (run == &run_load_matrix) {
    const MatrixUse& use = program_.use_of<MatrixUse>(instruction);
    load_matrix(warp, use, mask);
    if (!found_.contains(pc))
      found_[pc].push_back(
          sources_of("D", std::span(use.slots).first(static_cast<size_t>(use.count)), 4, 16));
  }
}

void OperandTrace::forget_results(std::uint32_t pc, std::uint32_t mask) {
  for (const RegisterOperand& operand : program_.operands_of(pc)) {
    if (!operand.is_write || !is_register(operand.slot)) continue;
    const int bytes = lane_bytes(operand.kind);
    for (const int lane : lanes_of(mask))
      for (int i = 0; 2 * i < bytes; ++i) half(operand.slot, lane, bytes, i) = kElsewhere;
  }
}

void OperandTrace::move(const Instruction& instruction, int bytes, std::uint32_t mask) {
  for (const int lane : lanes_of(mask))
    for (int i = 0; 2 * i < bytes; ++i)
      half(instruction.dst, lane, bytes, i) = half(instruction.src[0], lane, bytes, i);
}

void OperandTrace::load(const Warp& warp, const MemoryAccess& access, std::uint32_t mask) {
  const bool may_be_shared = access.space == Space::shared || access.space == Space::generic;
  if (!may_be_shared || access.element_bytes < 2) return;
  const auto offsets = shared_offsets(warp, access);
  for (const int lane : lanes_of(mask)) {
    const std::int32_t begin = offsets[static_cast<size_t>(lane)];
    if (begin < 0) continue;
    for (int element = 0; element < access.count; ++element) {
      const Slot slot = access.data[static_cast<size_t>(element)];
      if (!is_register(slot)) continue;
      for (int i = 0; 2 * i < access.element_bytes; ++i)
        half(slot, lane, access.register_bytes, i) = begin + element * access.element_bytes + 2 * i;
    }
  }
}

// Lane l holds columns 2 (l % 4) and the next of row l / 4; lane 8 m + r points at row r of matrix
// m (PTX ISA, ldmatrix). Transposed, rows and columns change places.
void OperandTrace::load_matrix(const Warp& warp, const MatrixUse& use, std::uint32_t mask) {
  const auto offsets = shared_offsets(warp, use.access);
  for (int m = 0; m < use.count; ++m)
    for (const int lane : lanes_of(mask))
      for (int i = 0; i < 2; ++i) {
        const int row = use.transposes ? 2 * (lane % 4) + i : lane / 4;
        const int column = use.transposes ? lane / 4 : 2 * (lane % 4) + i;
        const std::int32_t begin = offsets[static_cast<size_t>(8 * m + row)];
        half(use.slots[static_cast<size_t>(m)], lane, 4, i) =
            begin < 0 ? kElsewhere : begin + 2 * column;
      }
}

OperandSources OperandTrace::sources_of(std::string operand, std::span<const Slot> slots,
                                        int register_bytes, int value_bits) const {
  OperandSources sources{std::move(operand), value_bits, {}};
  const int value_bytes = std::max(1, value_bits / 8);
  for (int lane = 0; lane < kWarpLanes; ++lane) {
    std::vector<Index>& values = sources.lanes.emplace_back();
    for (const Slot slot : slots)
      for (int at = 0; at < register_bytes; at += value_bytes) {
        const Index begin =
            is_register(slot) ? half(slot, lane, register_bytes, at / 2) : kElsewhere;
        values.push_back(begin < 0 ? kElsewhere : begin + at % 2);
      }
  }
  return sources;
}

void OperandTrace::record(std::uint32_t pc) {
  if (found_.contains(pc)) return;
  const MmaUse& use = program_.use_of<MmaUse>(program_.code[pc]);
  const int bits = element_bits(use.a);
  const int register_bytes = use.a == MmaType::f64 ? 8 : 4;
  // The manual's fragments hold the tile's bits over 32 lanes. Each quadpair has a tile.
  const bool is_quadpair = use.arithmetic == MmaArithmetic::quadpair;
  const auto registers = [&](int rows, int depth) {
    return static_cast<size_t>(
        is_quadpair ? 2 : rows * depth * bits / (kWarpLanes * 8 * register_bytes));
  };
  const size_t a_count = registers(use.m, use.is_sparse ? use.k / 2 : use.k);
  const size_t b_count = registers(use.n, use.k);
  found_[pc] = {sources_of("A", std::span(use.a_slots).first(a_count), register_bytes, bits),
                sources_of("B", std::span(use.b_slots).first(b_count), register_bytes, bits)};
}

const std::vector<OperandSources>& OperandTrace::of(std::uint32_t pc) const {
  static const std::vector<OperandSources> none;
  const auto found = found_.find(pc);
  return found == found_.end() ? none : found->second;
}

}  // namespace jute::emulator
