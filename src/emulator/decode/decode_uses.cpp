// Uses of instructions beside registers, kept in lists of the program: each place is a number.
#include "emulator/decode/decode.hpp"

#include <utility>

namespace jute::emulator {
namespace {

template <class Use>
std::uint32_t kept(std::vector<Use>& list, Use use) {
  list.push_back(std::move(use));
  return static_cast<std::uint32_t>(list.size()) - 1;
}

}  // namespace

std::uint32_t Decoder::add(const MemoryAccess& use) { return kept(program_.memory, use); }
std::uint32_t Decoder::add(BarrierUse use) { return kept(program_.barriers, use); }
std::uint32_t Decoder::add(const AtomicUse& use) { return kept(program_.atomics, use); }
std::uint32_t Decoder::add(const AsyncCopyUse& use) { return kept(program_.copies, use); }
std::uint32_t Decoder::add(const MbarrierUse& use) { return kept(program_.mbarriers, use); }
std::uint32_t Decoder::add(const BulkUse& use) { return kept(program_.bulks, use); }
std::uint32_t Decoder::add(const WgmmaUse& use) { return kept(program_.wgmmas, use); }
std::uint32_t Decoder::add(const MmaUse& use) { return kept(program_.mmas, use); }
std::uint32_t Decoder::add(const MatrixUse& use) { return kept(program_.matrices, use); }
std::uint32_t Decoder::add(WmmaAccess use) { return kept(program_.wmma_accesses, std::move(use)); }
std::uint32_t Decoder::add(const TextureUse& use) { return kept(program_.textures, use); }
std::uint32_t Decoder::add(const VideoUse& use) { return kept(program_.videos, use); }
std::uint32_t Decoder::add(std::vector<std::uint32_t> list) {
  return kept(program_.tables, std::move(list));
}

}  // namespace jute::emulator
