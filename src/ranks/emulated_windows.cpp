// Windows between emulators, by memory that each of them maps.
#include "ranks/emulated_windows.hpp"

#include <utility>

#include "ranks/barrier.hpp"

#ifndef JUTE_WITHOUT_EMULATOR
#include <jute/emulator/emulator.hpp>
#endif

namespace jute::ranks {

#ifdef JUTE_WITHOUT_EMULATOR
EmulatorBackend* emulator_of(Backend& /*backend*/) { return nullptr; }
ShownMemory shown_memory(Index /*bytes*/, Index /*rank*/) { return {}; }
std::shared_ptr<const Window> emulated_window(EmulatorBackend& /*emulator*/, Index /*rank*/,
                                              const std::vector<ShownMemory>& /*all*/) {
  return nullptr;
}
void when_waiting(EmulatorBackend& /*emulator*/, std::function<bool(double)> /*look*/) {}
void land_region(const ShownMemory& /*window*/, DevicePointer /*at*/, const Region& /*region*/,
                 std::span<const std::byte> /*bytes*/, Index /*sender*/) {}
void raise_fault(const ShownMemory& /*window*/) {}
Index missing_rank(const SharedMemory& /*window*/, Index /*rank*/, Index /*ranks*/) { return -1; }
#else
namespace {

/// Memory of all ranks' emulators in this one's.
class EmulatedWindow final : public Window {
 public:
  EmulatedWindow(EmulatorBackend& backend, Index rank, const std::vector<ShownMemory>& all)
      : backend_(backend), rank_(rank) {
    for (const ShownMemory& it : all) places_.push_back(backend.map(it.bytes, rank));
    fault_ = backend.map(all[static_cast<std::size_t>(rank)].fault, rank);
  }
  ~EmulatedWindow() override {
    for (const DevicePointer place : places_) backend_.free(place);
    backend_.free(fault_);
  }
  EmulatedWindow(const EmulatedWindow&) = delete;
  EmulatedWindow& operator=(const EmulatedWindow&) = delete;
  [[nodiscard]] DevicePointer peer(Index rank) const override {
    return places_[static_cast<std::size_t>(rank)];
  }
  [[nodiscard]] DevicePointer own() const override { return peer(rank_); }
  [[nodiscard]] DevicePointer fault() const override { return fault_; }
  /// The emulator's own clock is none: the host looks at its own.
  [[nodiscard]] std::uint64_t limit_ns() const override { return 0; }

 private:
  EmulatorBackend& backend_;
  Index rank_;
  std::vector<DevicePointer> places_;
  DevicePointer fault_ = 0;
};

}  // namespace

EmulatorBackend* emulator_of(Backend& backend) { return dynamic_cast<EmulatorBackend*>(&backend); }

ShownMemory shown_memory(Index bytes, Index rank) {
  return {make_shared_memory(bytes, rank), make_shared_memory(kFlagBytes, rank)};
}

std::shared_ptr<const Window> emulated_window(EmulatorBackend& emulator, Index rank,
                                              const std::vector<ShownMemory>& all) {
  return std::make_shared<EmulatedWindow>(emulator, rank, all);
}

void when_waiting(EmulatorBackend& emulator, std::function<bool(double)> look) {
  emulator.when_waiting(std::move(look));
}

void land_region(const ShownMemory& window, DevicePointer at, const Region& region,
                 std::span<const std::byte> bytes, Index sender) {
  const auto place = static_cast<Index>(region.base - at);
  const auto length = static_cast<std::size_t>(region.row_bytes);
  for (Index row = 0; row < region.rows; ++row)
    land(*window.bytes, place + row * region.pitch_bytes,
         bytes.subspan(static_cast<std::size_t>(row) * length, length), sender);
  land_flag(*window.bytes, static_cast<Index>(region.flag - at), 1, sender);
}

void raise_fault(const ShownMemory& window) {
  constexpr std::uint32_t kSomebodyFailed = 0xFFFFFFFF;
  if (window.fault && read_word(*window.fault, 0) == 0)
    write_word(*window.fault, 0, kSomebodyFailed);
}

Index missing_rank(const SharedMemory& window, Index rank, Index ranks) {
  const std::uint32_t turn = read_word(window, rank * kFlagBytes);
  for (Index peer = 0; peer < ranks; ++peer)
    if (static_cast<std::int32_t>(read_word(window, peer * kFlagBytes) - turn) < 0) return peer;
  return -1;
}

#endif

}  // namespace jute::ranks
