// Addresses of a warp on their way to sectors, wavefronts and bytes.
#include "emulator/check/instruction_counter.hpp"

#include "base/format.hpp"
#include "emulator/async/queues.hpp"
#include "emulator/async/tensor_map.hpp"
#include "emulator/run/lane_registers.hpp"
#include "emulator/run/memory_access.hpp"
#include "emulator/tensor/mma.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace jute::emulator {
namespace {

constexpr std::uint64_t kSectorBytes = 32;
constexpr std::uint64_t kBanks = 32;
constexpr int kBankBytes = 4;

/// Lanes and where they point, in one space.
struct Request {
  Addresses addresses;
  std::uint32_t mask = 0;
  int bytes = 4;

  template <class Use>
  void each(Use&& use) const {
    for (const size_t lane : lanes_of(mask)) use(addresses[lane]);
  }
};

void count_global(const Request& request, InstructionCounts& counts) {
  // An access of 16 bytes touches at most two sectors, and so may a cp.async.
  std::array<std::uint64_t, std::size_t{kWarpLanes} * 3> sectors;
  size_t touched = 0;
  std::uint64_t bytes = 0;
  request.each([&](std::uint64_t address) {
    const std::uint64_t last = (address + static_cast<unsigned>(request.bytes) - 1) / kSectorBytes;
    for (std::uint64_t at = address / kSectorBytes; at <= last && touched < sectors.size(); ++at)
      sectors[touched++] = at;
    bytes += static_cast<unsigned>(request.bytes);
  });
  std::sort(sectors.begin(), sectors.begin() + static_cast<std::ptrdiff_t>(touched));
  const auto end =
      std::unique(sectors.begin(), sectors.begin() + static_cast<std::ptrdiff_t>(touched));
  const Index distinct = end - sectors.begin();
  counts.global_bytes += static_cast<Index>(bytes);
  counts.global_sectors += distinct;
  // Lanes that read one address need it once.
  counts.least_sectors +=
      std::min(distinct, static_cast<Index>((bytes + kSectorBytes - 1) / kSectorBytes));
  ++counts.global_requests;
}

// 16-byte accesses go a quarter of a warp at a time, 8-byte ones a half. A wavefront gives each
// bank one word; lanes that ask for the same word share it.
void count_shared(const Request& request, InstructionCounts& counts) {
  const int words = std::max(1, request.bytes / kBankBytes);
  const int lanes = std::max(1, kWarpLanes / words);
  for (int first = 0; first < kWarpLanes; first += lanes) {
    std::vector<std::uint64_t> seen;
    std::array<int, kBanks> depth{};
    for (int lane = first; lane < first + lanes; ++lane) {
      if ((request.mask >> lane & 1) == 0) continue;
      for (int word = 0; word < words; ++word)
        seen.push_back(request.addresses[static_cast<size_t>(lane)] / kBankBytes +
                       static_cast<unsigned>(word));
    }
    std::sort(seen.begin(), seen.end());
    seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
    int deepest = 0;
    for (const std::uint64_t word : seen) deepest = std::max(deepest, ++depth[word % kBanks]);
    counts.wavefronts += deepest;
    counts.least_wavefronts += deepest > 0 ? 1 : 0;
  }
  counts.shared_bytes += Index{request.bytes} * std::popcount(request.mask);
}

void count_access(const Warp& warp, const MemoryAccess& access, int bytes, std::uint32_t mask,
                  InstructionCounts& counts) {
  Request request{gather_addresses(warp, access), mask, bytes};
  while (request.mask != 0) {
    Space space = access.space;
    const std::uint32_t all = request.mask;
    if (space == Space::generic) {
      space = space_of(request.addresses[static_cast<size_t>(std::countr_zero(all))]);
      for (int lane = 0; lane < kWarpLanes; ++lane)
        if (space_of(request.addresses[static_cast<size_t>(lane)]) != space)
          request.mask &= ~(1U << lane);
    }
    const Index total = Index{bytes} * std::popcount(request.mask);
    if (space == Space::global) count_global(request, counts);
    if (space == Space::shared) count_shared(request, counts);
    if (space == Space::local) counts.local_bytes += total;
    if (space == Space::param || space == Space::constant) counts.parameter_bytes += total;
    request.mask = all & ~request.mask;
  }
}

Index box_bytes(const Warp& warp, const BulkUse& use, std::uint32_t mask) {
  const int lane = std::countr_zero(mask);
  if (use.rank == 0) {
    if (!use.data.empty()) return static_cast<Index>(use.data.size()) * use.data_bytes;
    return use.bytes == kNoSlot ? 0 : read_word(warp, use.bytes, lane);
  }
  const std::uint64_t address = gather_addresses(warp, use.other)[static_cast<size_t>(lane)];
  const auto parameters = warp.block->launch.parameters;
  const std::uint64_t at = address - kParamWindow;
  std::optional<TensorMap> map;
  if (at < parameters.size()) {
    map = decode_tensor_map(parameters.subspan(at));
  } else if (const Allocation* place = warp.block->launch.memory.find(address)) {
    const std::uint64_t offset = address - place->begin;
    if (place->is_live)
      map = decode_tensor_map(std::span<const std::byte>(
          place->data.get() + offset, static_cast<size_t>(place->bytes) - offset));
  }
  if (!map) return 0;
  Index bytes = width_bytes(static_cast<DType>(map->type));
  for (std::uint8_t mode = 0; mode < map->rank; ++mode) bytes *= map->box[mode];
  return bytes;
}

void count_bulk(const Warp& warp, const BulkUse& use, std::uint32_t mask,
                InstructionCounts& counts) {
  const Index bytes = box_bytes(warp, use, mask) * std::popcount(mask);
  counts.shared_bytes += bytes;
  if (use.other.space != Space::shared) counts.global_bytes += bytes;
}

}  // namespace

InstructionCounter::InstructionCounter(const Program& program)
    : program_(&program), counts_(program.code.size()), operands_(program) {
  for (const Instruction& instruction : program.code) kinds_.push_back(kind_of(instruction));
}

InstructionCounter::Kind InstructionCounter::kind_of(const Instruction& instruction) {
  const LaneFunction run = instruction.run;
  if (run == &load_memory || run == &store_memory) return Kind::memory;
  if (run == &run_atomic) return Kind::atomic;
  if (run == &run_load_matrix || run == &run_store_matrix) return Kind::matrix;
  if (run == &run_async_copy) return Kind::copy;
  if (run == &run_bulk || run == &run_async_store) return Kind::bulk;
  if (run == &run_wgmma) return Kind::wgmma;
  if (run == &run_mma || run == &run_quadpair_mma) return Kind::product;
  return Kind::plain;
}

void InstructionCounter::count(const Warp& warp, std::uint32_t pc, std::uint32_t mask) {
  operands_.before(warp, pc, mask);
  InstructionCounts& counts = counts_[pc];
  ++counts.warps;
  counts.threads += std::popcount(mask);
  if (mask == 0) return;
  const Instruction& instruction = program_->code[pc];
  switch (kinds_[pc]) {
    case Kind::plain:
      return;
    case Kind::memory: {
      const MemoryAccess& access = program_->use_of<MemoryAccess>(instruction);
      return count_access(warp, access, access.element_bytes * access.count, mask, counts);
    }
    case Kind::atomic: {
      const MemoryAccess& access = program_->use_of<AtomicUse>(instruction).access;
      return count_access(warp, access, access.element_bytes * access.count, mask, counts);
    }
    case Kind::matrix: {
      constexpr int kRowBytes = 16;
      const MatrixUse& use = program_->use_of<MatrixUse>(instruction);
      const int lanes = std::min(kWarpLanes, 8 * use.count);
      return count_access(warp, use.access, kRowBytes, mask & (kAllLanes >> (kWarpLanes - lanes)),
                          counts);
    }
    case Kind::copy: {
      const AsyncCopyUse& use = program_->use_of<AsyncCopyUse>(instruction);
      count_access(warp, use.from, use.bytes, mask, counts);
      return count_access(warp, use.to, use.bytes, mask, counts);
    }
    case Kind::bulk:
      return count_bulk(warp, program_->use_of<BulkUse>(instruction), mask, counts);
    case Kind::product: {
      const MmaUse& use = program_->use_of<MmaUse>(instruction);
      // The quadpairs of a warp each have a product of their own.
      const int products = use.arithmetic == MmaArithmetic::quadpair ? 4 : 1;
      counts.tensor_flops += Index{2} * products * use.m * use.n * use.k;
      return;
    }
    case Kind::wgmma: {
      // A warp's quarter of the 64 rows.
      const WgmmaUse& use = program_->use_of<WgmmaUse>(instruction);
      counts.tensor_flops += Index{2} * 16 * use.n * use.k;
      return;
    }
  }
}

LaunchProfile InstructionCounter::profile(const LaunchSpec& spec, const DeviceInfo& device) const {
  LaunchProfile profile{.kernel = program_->name,
                        .grid = spec.grid,
                        .block = spec.block,
                        .cluster = spec.cluster,
                        .static_smem_bytes = program_->static_shared_bytes,
                        .dynamic_smem_bytes = spec.dynamic_smem_bytes,
                        .occupancy = occupancy_of(spec, program_->static_shared_bytes, device),
                        .instructions = {}};
  for (size_t pc = 0; pc < counts_.size(); ++pc) {
    const Actor actor{.origin = program_->code[pc].origin};
    const Party party = make_party(*program_, actor);
    profile.instructions.push_back({party.text, party.ptx_line, party.source, counts_[pc],
                                    operands_.of(static_cast<std::uint32_t>(pc))});
  }
  return profile;
}

}  // namespace jute::emulator
