#pragma once
// A chip whose kernels are assembled, and never run.
#include "gemm/recording_backend.hpp"

namespace jute::test {

class AssemblingBackend : public RecordingBackend {
 public:
  explicit AssemblingBackend(const char* preset) : preset_(preset) {}
  [[nodiscard]] ImageKind image_kind() const override { return ImageKind::cubin; }
  [[nodiscard]] DeviceInfo device_info() const override { return device_preset(preset_); }

 private:
  const char* preset_;
};

}  // namespace jute::test
