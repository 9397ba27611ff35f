#pragma once
// The device that races: its context made current for every library, and a stream.
#include <jute/launch/backend.hpp>

#include <string>

#include "bench/device/driver_api.hpp"
#include "bench/results/results.hpp"

namespace jute::bench {

/// Device 0 and its primary context, which jute's back end and NVIDIA's libraries share. Belongs to
/// the thread that made it.
class Gpu {
 public:
  /// throws  no_gpu, driver_failed
  Gpu();
  ~Gpu();
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;

  [[nodiscard]] const DriverApi& api() const { return api_; }
  /// A stream that does not wait for the null stream: graphs are captured from it.
  [[nodiscard]] StreamHandle stream() const { return stream_; }
  [[nodiscard]] Stream jute_stream() const {
    return {static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(stream_))};
  }
  void synchronize() const;
  [[nodiscard]] std::string pci_bus() const;
  /// All but the peers' library.
  [[nodiscard]] Machine machine(const DeviceInfo& info) const;

 private:
  DriverApi api_;
  int device_ = 0;
  ContextHandle context_ = nullptr;
  StreamHandle stream_ = nullptr;
};

}  // namespace jute::bench
