#pragma once
// The interface that both back ends implement: the CUDA driver and the emulator.
#include <jute/base/export.hpp>
#include <jute/launch/device_info.hpp>
#include <jute/launch/launch_spec.hpp>
#include <jute/launch/source.hpp>
#include <jute/launch/tensor_map_spec.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace JUTE_API jute {

/// A stream of the back end: launches in one stream run in order. The null stream is {0}; on the
/// device the value is a CUstream and may be the caller's own.
struct Stream {
  std::uint64_t handle = 0;
  bool operator==(const Stream&) const = default;
};

/// A loaded kernel; unloads with its last copy. Made by Backend::load.
class KernelImage {
 public:
  virtual ~KernelImage() = default;
  [[nodiscard]] virtual const Signature& signature() const = 0;
};
using Kernel = std::shared_ptr<const KernelImage>;

/// A point in a stream's work. Made by Backend::record.
class EventMark {
 public:
  virtual ~EventMark() = default;
};
using Event = std::shared_ptr<const EventMark>;

/// Does this back end execute PTX or an assembled image?
enum class ImageKind : std::uint8_t { ptx, cubin };

/// Makes tensor maps of their descriptions.
class TensorMapEncoder {
 public:
  virtual ~TensorMapEncoder() = default;
  /// throws  illegal_tensor_map with every broken rule
  [[nodiscard]] virtual EncodedTensorMap encode(const TensorMapSpec& spec, DevicePointer base) = 0;
};

class Backend : public TensorMapEncoder {
 public:
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;

  [[nodiscard]] virtual std::string name() const = 0;  ///< "cuda" or "emulator"
  [[nodiscard]] virtual ImageKind image_kind() const = 0;
  [[nodiscard]] virtual DeviceInfo device_info() const = 0;

  /// Uninitialised memory, at least 256-byte aligned. 0 bytes give a valid, unusable address.
  ///   throws  out_of_memory
  [[nodiscard]] virtual DevicePointer alloc(Index bytes) = 0;
  virtual void free(DevicePointer pointer) noexcept = 0;
  /// Bytes that nobody has allocated, whoever else uses the device; the most that an Index holds
  /// where that is the host's affair.
  [[nodiscard]] virtual Index free_bytes() const { return std::numeric_limits<Index>::max(); }
  /// Copies and fills are ordered with launches of the same stream; copy_out returns when done.
  virtual void copy_in(DevicePointer target, std::span<const std::byte> source,
                       Stream stream = {}) = 0;
  virtual void copy_out(std::span<std::byte> target, DevicePointer source, Stream stream = {}) = 0;
  virtual void fill(DevicePointer target, std::uint8_t value, Index bytes, Stream stream = {}) = 0;

  /// throws  driver_failed, or bad_file where the PTX is not understood
  [[nodiscard]] virtual Kernel load(const Binary& binary) = 0;
  /// Asynchronous in meaning: what goes wrong while it runs is reported by synchronize.
  ///   throws  signature_mismatch, illegal_config (grid, block or shared memory beyond the limits)
  virtual void launch(const Kernel& kernel, const LaunchSpec& spec, Stream stream = {}) = 0;
  /// throws  launch_failed or check_failed; `detail` holds the driver's status or the report
  virtual void synchronize() = 0;

  [[nodiscard]] virtual Stream create_stream() = 0;
  virtual void destroy_stream(Stream stream) noexcept = 0;
  [[nodiscard]] virtual Event record(Stream stream = {}) = 0;
  /// Milliseconds between two recorded events; waits for the later one.
  [[nodiscard]] virtual double elapsed_ms(const Event& from, const Event& to) = 0;

 protected:
  Backend() = default;
};

/// Memory of one back end that frees itself. The back end must outlive it.
class Buffer {
 public:
  Buffer() = default;
  Buffer(Backend& backend, Index bytes)
      : backend_(&backend), pointer_(backend.alloc(bytes)), bytes_(bytes) {}
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    Buffer(std::move(other)).swap(*this);
    return *this;
  }
  ~Buffer() {
    if (backend_ != nullptr) backend_->free(pointer_);
  }
  [[nodiscard]] DevicePointer pointer() const { return pointer_; }
  [[nodiscard]] Index size_bytes() const { return bytes_; }
  void swap(Buffer& other) noexcept {
    std::swap(backend_, other.backend_);
    std::swap(pointer_, other.pointer_);
    std::swap(bytes_, other.bytes_);
  }

 private:
  Backend* backend_ = nullptr;
  DevicePointer pointer_ = 0;
  Index bytes_ = 0;
};

}  // namespace jute
