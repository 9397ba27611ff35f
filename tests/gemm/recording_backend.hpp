#pragma once
// A back end that runs nothing and remembers what it was asked to launch.
#include <jute/launch/backend.hpp>
#include <jute/launch/device_presets.hpp>

#include <array>
#include <atomic>

namespace jute::test {

class RecordedKernel : public KernelImage {
 public:
  explicit RecordedKernel(Signature signature) : signature_(std::move(signature)) {}
  [[nodiscard]] const Signature& signature() const override { return signature_; }

 private:
  Signature signature_;
};

class NoEvent : public EventMark {};

/// Counts launches and keeps the last one; never allocates while launching.
class RecordingBackend : public Backend {
 public:
  [[nodiscard]] std::string name() const override { return "recording"; }
  [[nodiscard]] ImageKind image_kind() const override { return ImageKind::ptx; }
  [[nodiscard]] DeviceInfo device_info() const override { return device_preset("h200"); }
  [[nodiscard]] DevicePointer alloc(Index) override { return 0x10000; }
  void free(DevicePointer) noexcept override {}
  void copy_in(DevicePointer, std::span<const std::byte>, Stream) override {}
  void copy_out(std::span<std::byte>, DevicePointer, Stream) override {}
  void fill(DevicePointer, std::uint8_t, Index, Stream) override {}
  [[nodiscard]] Kernel load(const Binary& binary) override {
    ++loads;
    return std::make_shared<RecordedKernel>(binary.signature);
  }
  void launch(const Kernel& kernel, const LaunchSpec& spec, Stream stream) override {
    spec.arguments.check(kernel->signature());
    ++launches;
    last_grid = spec.grid;
    last_block = spec.block;
    last_stream = stream;
  }
  void synchronize() override {}
  [[nodiscard]] Stream create_stream() override { return {1}; }
  void destroy_stream(Stream) noexcept override {}
  [[nodiscard]] Event record(Stream) override { return std::make_shared<NoEvent>(); }
  [[nodiscard]] double elapsed_ms(const Event&, const Event&) override { return 0; }
  [[nodiscard]] EncodedTensorMap encode(const TensorMapSpec&, DevicePointer) override { return {}; }

  std::atomic<int> loads = 0, launches = 0;
  Dim3 last_grid, last_block;
  Stream last_stream;
};

}  // namespace jute::test
