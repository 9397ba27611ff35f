// What instructions use beside registers, kept in lists of the program: each place is a number.
#include "emulator/decode/decode.hpp"

namespace jute::emulator {

std::uint32_t Decoder::add(const MemoryAccess& access) {
  program_.memory.push_back(access);
  return static_cast<std::uint32_t>(program_.memory.size()) - 1;
}
std::uint32_t Decoder::add(BarrierUse use) {
  program_.barriers.push_back(use);
  return static_cast<std::uint32_t>(program_.barriers.size()) - 1;
}
std::uint32_t Decoder::add(const AtomicUse& use) {
  program_.atomics.push_back(use);
  return static_cast<std::uint32_t>(program_.atomics.size()) - 1;
}
std::uint32_t Decoder::add(const AsyncCopyUse& use) {
  program_.copies.push_back(use);
  return static_cast<std::uint32_t>(program_.copies.size()) - 1;
}
std::uint32_t Decoder::add(const MbarrierUse& use) {
  program_.mbarriers.push_back(use);
  return static_cast<std::uint32_t>(program_.mbarriers.size()) - 1;
}
std::uint32_t Decoder::add(const BulkUse& use) {
  program_.bulks.push_back(use);
  return static_cast<std::uint32_t>(program_.bulks.size()) - 1;
}
std::uint32_t Decoder::add(const WgmmaUse& use) {
  program_.wgmmas.push_back(use);
  return static_cast<std::uint32_t>(program_.wgmmas.size()) - 1;
}
std::uint32_t Decoder::add(const MmaUse& use) {
  program_.mmas.push_back(use);
  return static_cast<std::uint32_t>(program_.mmas.size()) - 1;
}
std::uint32_t Decoder::add(const MatrixUse& use) {
  program_.matrices.push_back(use);
  return static_cast<std::uint32_t>(program_.matrices.size()) - 1;
}
std::uint32_t Decoder::add(WmmaAccess use) {
  program_.wmma_accesses.push_back(std::move(use));
  return static_cast<std::uint32_t>(program_.wmma_accesses.size()) - 1;
}
std::uint32_t Decoder::add(const TextureUse& use) {
  program_.textures.push_back(use);
  return static_cast<std::uint32_t>(program_.textures.size() - 1);
}
std::uint32_t Decoder::add(const VideoUse& use) {
  program_.videos.push_back(use);
  return static_cast<std::uint32_t>(program_.videos.size() - 1);
}
std::uint32_t Decoder::add(std::vector<std::uint32_t> list) {
  program_.tables.push_back(std::move(list));
  return static_cast<std::uint32_t>(program_.tables.size()) - 1;
}

}  // namespace jute::emulator
