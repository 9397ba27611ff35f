#pragma once
// The Backend over one CUDA context.
#include <cstdint>
#include <jute/device/device.hpp>

#include <memory>
#include <mutex>
#include <unordered_map>

#include "device/buffer.hpp"
#include "device/stream.hpp"

namespace jute::device {

/// Opens a device through any driver table.
///   throws  as open_device
[[nodiscard]] std::unique_ptr<Backend> open_device(std::shared_ptr<const Driver> driver,
                                                   const DeviceOptions& options);
/// As jute::find_driver, through any driver table.
[[nodiscard]] std::optional<DriverInfo> find_driver(const Driver& driver);

class DeviceBackend final : public Backend {
 public:
  explicit DeviceBackend(std::shared_ptr<const DriverContext> context)
      : context_(std::move(context)) {}

  [[nodiscard]] std::string name() const override { return "cuda"; }
  [[nodiscard]] ImageKind image_kind() const override { return ImageKind::cubin; }
  [[nodiscard]] DeviceInfo device_info() const override { return context_->device_info(); }

  [[nodiscard]] DevicePointer alloc(Index bytes) override;
  void free(DevicePointer pointer) noexcept override;
  [[nodiscard]] Index free_bytes() const override;
  void copy_in(DevicePointer target, std::span<const std::byte> source, Stream stream) override;
  void copy_out(std::span<std::byte> target, DevicePointer source, Stream stream) override;
  void fill(DevicePointer target, std::uint8_t value, Index bytes, Stream stream) override;

  [[nodiscard]] Kernel load(const Binary& binary) override;
  void launch(const Kernel& kernel, const LaunchSpec& spec, Stream stream) override;
  void synchronize() override;

  [[nodiscard]] Stream create_stream() override;
  void destroy_stream(Stream stream) noexcept override;
  [[nodiscard]] Event record(Stream stream) override;
  [[nodiscard]] double elapsed_ms(const Event& from, const Event& to) override;

  [[nodiscard]] EncodedTensorMap encode(const TensorMapSpec& spec, DevicePointer base) override;

 private:
  const std::shared_ptr<const DriverContext> context_;
  std::mutex mutex_;  // guards the two maps
  std::unordered_map<DevicePointer, DeviceBuffer> buffers_;
  std::unordered_map<std::uint64_t, OwnedStream> streams_;
};

}  // namespace jute::device
