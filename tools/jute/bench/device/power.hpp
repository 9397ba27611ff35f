#pragma once
// What the board draws, where NVIDIA's management library is there to ask.
#include <string>

namespace jute::bench {

/// NVML, loaded at run time, and one device of it.
class PowerMeter {
 public:
  /// The device at this PCI address. A meter without a library, or without that device, reads 0.
  explicit PowerMeter(const std::string& pci_bus);
  ~PowerMeter();
  PowerMeter(const PowerMeter&) = delete;
  PowerMeter& operator=(const PowerMeter&) = delete;

  /// The board's power now, else its latest average; 0: unknown.
  [[nodiscard]] double watts() const;

 private:
  struct Api;
  Api* api_ = nullptr;
  void* device_ = nullptr;
};

}  // namespace jute::bench
