// Copies and fills, in the order of their stream.
#include "call.hpp"

#include <cstring>
#include <span>
#include <vector>

using namespace jute;
using namespace jute::driver;
using namespace jute::stand_in;

namespace {

/// Bytes of the host, or of the chip.
struct Place {
  std::byte* host = nullptr;  ///< null: the chip's
  DevicePointer device = 0;
  [[nodiscard]] Place at(size_t offset) const {
    return {host == nullptr ? nullptr : host + offset, device + offset};
  }
};
Place on_device(DriverAddress address) { return {nullptr, address}; }
Place on_host(const void* memory) {
  return {const_cast<std::byte*>(static_cast<const std::byte*>(memory)), 0};
}
/// An address of the common space of host and chip.
Place anywhere(const Process& process, DriverAddress address) {
  if (process.memory_at(address)) return on_device(address);
  return on_host(reinterpret_cast<const void*>(static_cast<std::uintptr_t>(address)));
}

void copy(Process& process, Place target, Place source, size_t bytes, Stream stream) {
  EmulatorBackend& backend = process.backend();
  if (bytes == 0) return;
  if (target.host != nullptr && source.host != nullptr)
    std::memmove(target.host, source.host, bytes);
  else if (target.host != nullptr)
    backend.copy_out({target.host, bytes}, source.device, stream);
  else if (source.host != nullptr)
    backend.copy_in(target.device, {source.host, bytes}, stream);
  else
    backend.copy(target.device, source.device, static_cast<Index>(bytes), stream);
}

Status submit_copy(const char* call, const Place& target, const Place& source, size_t bytes,
                   StreamHandle stream) {
  return in_context(call, [&](Process& process, ContextState& context) -> Status {
    return submit(process, context, stream, [=, &process](Stream order) -> Status {
      copy(process, target, source, bytes, order);
      return kSuccess;
    });
  });
}

}  // namespace

JUTE_DRIVER_CALL cuMemcpyHtoD_v2(DriverAddress target, const void* source, size_t bytes) {
  return submit_copy("cuMemcpyHtoD", on_device(target), on_host(source), bytes, nullptr);
}
JUTE_DRIVER_CALL cuMemcpyHtoDAsync_v2(DriverAddress target, const void* source, size_t bytes,
                                      StreamHandle stream) {
  return submit_copy("cuMemcpyHtoDAsync", on_device(target), on_host(source), bytes, stream);
}
JUTE_DRIVER_CALL cuMemcpyDtoH_v2(void* target, DriverAddress source, size_t bytes) {
  return submit_copy("cuMemcpyDtoH", on_host(target), on_device(source), bytes, nullptr);
}
JUTE_DRIVER_CALL cuMemcpyDtoHAsync_v2(void* target, DriverAddress source, size_t bytes,
                                      StreamHandle stream) {
  return submit_copy("cuMemcpyDtoHAsync", on_host(target), on_device(source), bytes, stream);
}
JUTE_DRIVER_CALL cuMemcpyDtoD_v2(DriverAddress target, DriverAddress source, size_t bytes) {
  return submit_copy("cuMemcpyDtoD", on_device(target), on_device(source), bytes, nullptr);
}
JUTE_DRIVER_CALL cuMemcpyDtoDAsync_v2(DriverAddress target, DriverAddress source, size_t bytes,
                                      StreamHandle stream) {
  return submit_copy("cuMemcpyDtoDAsync", on_device(target), on_device(source), bytes, stream);
}
JUTE_DRIVER_CALL cuMemcpyAsync(DriverAddress target, DriverAddress source, size_t bytes,
                               StreamHandle stream) {
  const Process& process = Process::instance();
  return submit_copy("cuMemcpyAsync", anywhere(process, target), anywhere(process, source), bytes,
                     stream);
}
JUTE_DRIVER_CALL cuMemcpy(DriverAddress target, DriverAddress source, size_t bytes) {
  return cuMemcpyAsync(target, source, bytes, nullptr);
}

namespace {

// CUmemorytype.
enum MemoryType : unsigned { kHost = 1, kDevice = 2, kUnified = 4 };

/// One side of CUDA_MEMCPY2D.
struct Side2D {
  size_t x_bytes, y;
  unsigned type;
  const void* host;
  DriverAddress device;
  void* array;
  size_t pitch;
};
/// CUDA_MEMCPY2D.
struct Copy2D {
  Side2D source, target;
  size_t width_bytes, height;
};

Place begin_of(const Process& process, const Side2D& side) {
  const Place whole = side.type == kHost     ? on_host(side.host)
                      : side.type == kDevice ? on_device(side.device)
                                             : anywhere(process, side.device);
  return whole.at(side.y * side.pitch + side.x_bytes);
}

Status submit_copy_2d(const char* call, const Copy2D* copied, StreamHandle stream) {
  return in_context(call, [&](Process& process, ContextState& context) -> Status {
    if (copied == nullptr) return kInvalidValue;
    for (const Side2D& side : {copied->source, copied->target}) {
      if (side.type == kHost || side.type == kDevice || side.type == kUnified) continue;
      say(call, "it must copy plain memory: arrays are not emulated");
      return kNotSupported;
    }
    return submit(process, context, stream, [&process, it = *copied](Stream order) -> Status {
      const Place source = begin_of(process, it.source);
      const Place target = begin_of(process, it.target);
      for (size_t row = 0; row < it.height; ++row)
        copy(process, target.at(row * it.target.pitch), source.at(row * it.source.pitch),
             it.width_bytes, order);
      return kSuccess;
    });
  });
}

}  // namespace

JUTE_DRIVER_CALL cuMemcpy2D_v2(const Copy2D* copied) {
  return submit_copy_2d("cuMemcpy2D", copied, nullptr);
}
JUTE_DRIVER_CALL cuMemcpy2DUnaligned_v2(const Copy2D* copied) {
  return submit_copy_2d("cuMemcpy2DUnaligned", copied, nullptr);
}
JUTE_DRIVER_CALL cuMemcpy2DAsync_v2(const Copy2D* copied, StreamHandle stream) {
  return submit_copy_2d("cuMemcpy2DAsync", copied, stream);
}

namespace {

/// Rows of elements, all of one value.
struct Fill {
  DriverAddress target;
  size_t pitch_bytes, width, height;
};

template <class Element>
Status submit_fill(const char* call, const Fill& fill, Element value, StreamHandle stream) {
  return in_context(call, [&](Process& process, ContextState& context) -> Status {
    if (fill.target % sizeof(Element) != 0) return kInvalidValue;
    return submit(process, context, stream, [=, &process](Stream order) -> Status {
      if (fill.width == 0) return kSuccess;
      const std::vector<Element> row(sizeof(Element) == 1 ? 0 : fill.width, value);
      for (size_t y = 0; y < fill.height; ++y) {
        const DriverAddress target = fill.target + y * fill.pitch_bytes;
        if constexpr (sizeof(Element) == 1)
          process.backend().fill(target, value, static_cast<Index>(fill.width), order);
        else
          process.backend().copy_in(target, std::as_bytes(std::span(row)), order);
      }
      return kSuccess;
    });
  });
}

}  // namespace

JUTE_DRIVER_CALL cuMemsetD8_v2(DriverAddress target, unsigned char value, size_t count) {
  return submit_fill("cuMemsetD8", {target, 0, count, 1}, value, nullptr);
}
JUTE_DRIVER_CALL cuMemsetD8Async(DriverAddress target, unsigned char value, size_t count,
                                 StreamHandle stream) {
  return submit_fill("cuMemsetD8Async", {target, 0, count, 1}, value, stream);
}
JUTE_DRIVER_CALL cuMemsetD16_v2(DriverAddress target, unsigned short value, size_t count) {
  return submit_fill("cuMemsetD16", {target, 0, count, 1}, value, nullptr);
}
JUTE_DRIVER_CALL cuMemsetD16Async(DriverAddress target, unsigned short value, size_t count,
                                  StreamHandle stream) {
  return submit_fill("cuMemsetD16Async", {target, 0, count, 1}, value, stream);
}
JUTE_DRIVER_CALL cuMemsetD32_v2(DriverAddress target, unsigned value, size_t count) {
  return submit_fill("cuMemsetD32", {target, 0, count, 1}, value, nullptr);
}
JUTE_DRIVER_CALL cuMemsetD32Async(DriverAddress target, unsigned value, size_t count,
                                  StreamHandle stream) {
  return submit_fill("cuMemsetD32Async", {target, 0, count, 1}, value, stream);
}
JUTE_DRIVER_CALL cuMemsetD2D8_v2(DriverAddress target, size_t pitch, unsigned char value,
                                 size_t width, size_t height) {
  return submit_fill("cuMemsetD2D8", {target, pitch, width, height}, value, nullptr);
}
JUTE_DRIVER_CALL cuMemsetD2D32_v2(DriverAddress target, size_t pitch, unsigned value, size_t width,
                                  size_t height) {
  return submit_fill("cuMemsetD2D32", {target, pitch, width, height}, value, nullptr);
}
