// The runtime API's memory: allocations, copies, fills, variables.
#include "runtime/program.hpp"

using namespace jute::stand_in;

namespace {

CUdeviceptr address_of(const void* memory) { return reinterpret_cast<CUdeviceptr>(memory); }

/// Into `memory`, where an allocation of no bytes is null.
int allocated(void** memory, std::size_t bytes, const auto& allocate) {
  return in_device([&]() -> int {
    if (memory == nullptr) return kInvalidValue;
    CUdeviceptr address = 0;
    const int status = bytes == 0 ? 0 : allocate(&address);
    *memory = reinterpret_cast<void*>(address);
    return status;
  });
}

/// cudaMemcpyKind: which side is the host's; of the others addresses say it.
enum Kind : int { to_device = 1, to_host = 2, on_device = 3 };

int copied(void* target, const void* source, std::size_t bytes, int kind, CUstream stream) {
  const CUdeviceptr to = address_of(target), from = address_of(source);
  return kind == to_device   ? cuMemcpyHtoDAsync_v2(to, source, bytes, stream)
         : kind == to_host   ? cuMemcpyDtoHAsync_v2(target, from, bytes, stream)
         : kind == on_device ? cuMemcpyDtoDAsync_v2(to, from, bytes, stream)
                             : cuMemcpyAsync(to, from, bytes, stream);
}

/// A rectangle's memory, with the bytes from row to row.
struct Rows {
  const void* memory;
  std::size_t pitch;
};
int copied_rows(Rows target, Rows source, std::size_t bytes, std::size_t rows, CUstream stream) {
  constexpr int kByAddress = 4;
  CUDA_MEMCPY2D copy{};
  copy.source_kind = copy.target_kind = kByAddress;
  copy.source_device = address_of(source.memory), copy.target_device = address_of(target.memory);
  copy.source_pitch = source.pitch, copy.target_pitch = target.pitch;
  copy.bytes = bytes, copy.rows = rows;
  return in_device([&] { return cuMemcpy2DAsync_v2(&copy, stream); });
}

int with_variable(const void* host, std::size_t offset, std::size_t bytes, const auto& work) {
  return in_device([&]() -> int {
    CUdeviceptr address = 0;
    std::size_t all = 0;
    if (const int status = variable_of(host, &address, &all); status != 0) return status;
    return offset + bytes > all ? kInvalidValue : work(address + offset);
  });
}

}  // namespace

JUTE_RUNTIME_CALL cudaMalloc(void** memory, std::size_t bytes) {
  return allocated(memory, bytes, [&](CUdeviceptr* at) { return cuMemAlloc_v2(at, bytes); });
}
JUTE_RUNTIME_CALL cudaMallocAsync(void** memory, std::size_t bytes, CUstream stream) {
  return allocated(memory, bytes,
                   [&](CUdeviceptr* at) { return cuMemAllocAsync(at, bytes, stream); });
}
JUTE_RUNTIME_CALL cudaMallocPitch(void** memory, std::size_t* pitch, std::size_t bytes,
                                  std::size_t rows) {
  return allocated(memory, bytes,
                   [&](CUdeviceptr* at) { return cuMemAllocPitch_v2(at, pitch, bytes, rows, 16); });
}
JUTE_RUNTIME_CALL cudaFree(void* memory) {
  return in_device([&] { return memory == nullptr ? 0 : cuMemFree_v2(address_of(memory)); });
}
JUTE_RUNTIME_CALL cudaFreeAsync(void* memory, CUstream stream) {
  return in_device([&] { return cuMemFreeAsync(address_of(memory), stream); });
}
JUTE_RUNTIME_CALL cudaMallocHost(void** memory, std::size_t bytes) {
  return in_device([&] { return cuMemAllocHost_v2(memory, bytes); });
}
JUTE_RUNTIME_CALL cudaHostAlloc(void** memory, std::size_t bytes, unsigned flags) {
  return in_device([&] { return cuMemHostAlloc(memory, bytes, flags); });
}
JUTE_RUNTIME_CALL cudaFreeHost(void* memory) {
  return in_device([&] { return memory == nullptr ? 0 : cuMemFreeHost(memory); });
}
JUTE_RUNTIME_CALL cudaHostRegister(void* memory, std::size_t bytes, unsigned flags) {
  return in_device([&] { return cuMemHostRegister_v2(memory, bytes, flags); });
}
JUTE_RUNTIME_CALL cudaHostUnregister(void* memory) {
  return in_device([&] { return cuMemHostUnregister(memory); });
}
JUTE_RUNTIME_CALL cudaMemGetInfo(std::size_t* free_bytes, std::size_t* all_bytes) {
  return in_device([&] { return cuMemGetInfo_v2(free_bytes, all_bytes); });
}

JUTE_RUNTIME_CALL cudaMemcpyAsync(void* target, const void* source, std::size_t bytes, int kind,
                                  CUstream stream) {
  return in_device([&] { return copied(target, source, bytes, kind, stream); });
}
JUTE_RUNTIME_CALL cudaMemcpy(void* target, const void* source, std::size_t bytes, int kind) {
  return cudaMemcpyAsync(target, source, bytes, kind, nullptr);  // done when it returns
}
JUTE_RUNTIME_CALL cudaMemcpy2DAsync(void* target, std::size_t target_pitch, const void* source,
                                    std::size_t source_pitch, std::size_t bytes, std::size_t rows,
                                    int /*kind*/, CUstream stream) {
  return copied_rows({target, target_pitch}, {source, source_pitch}, bytes, rows, stream);
}
JUTE_RUNTIME_CALL cudaMemcpy2D(void* target, std::size_t target_pitch, const void* source,
                               std::size_t source_pitch, std::size_t bytes, std::size_t rows,
                               int /*kind*/) {
  return copied_rows({target, target_pitch}, {source, source_pitch}, bytes, rows, nullptr);
}
JUTE_RUNTIME_CALL cudaMemset(void* memory, int value, std::size_t bytes) {
  return in_device(
      [&] { return cuMemsetD8_v2(address_of(memory), static_cast<unsigned char>(value), bytes); });
}
JUTE_RUNTIME_CALL cudaMemsetAsync(void* memory, int value, std::size_t bytes, CUstream stream) {
  return in_device([&] {
    return cuMemsetD8Async(address_of(memory), static_cast<unsigned char>(value), bytes, stream);
  });
}
JUTE_RUNTIME_CALL cudaMemset2D(void* memory, std::size_t pitch, int value, std::size_t bytes,
                               std::size_t rows) {
  return in_device([&] {
    return cuMemsetD2D8_v2(address_of(memory), pitch, static_cast<unsigned char>(value), bytes,
                           rows);
  });
}

JUTE_RUNTIME_CALL cudaMemcpyToSymbolAsync(const void* host, const void* source, std::size_t bytes,
                                          std::size_t offset, int kind, CUstream stream) {
  return with_variable(host, offset, bytes, [&](CUdeviceptr address) {
    return copied(reinterpret_cast<void*>(address), source, bytes, kind, stream);
  });
}
JUTE_RUNTIME_CALL cudaMemcpyToSymbol(const void* host, const void* source, std::size_t bytes,
                                     std::size_t offset, int kind) {
  return cudaMemcpyToSymbolAsync(host, source, bytes, offset, kind, nullptr);
}
JUTE_RUNTIME_CALL cudaMemcpyFromSymbolAsync(void* target, const void* host, std::size_t bytes,
                                            std::size_t offset, int kind, CUstream stream) {
  return with_variable(host, offset, bytes, [&](CUdeviceptr address) {
    return copied(target, reinterpret_cast<const void*>(address), bytes, kind, stream);
  });
}
JUTE_RUNTIME_CALL cudaMemcpyFromSymbol(void* target, const void* host, std::size_t bytes,
                                       std::size_t offset, int kind) {
  return cudaMemcpyFromSymbolAsync(target, host, bytes, offset, kind, nullptr);
}
JUTE_RUNTIME_CALL cudaGetSymbolAddress(void** memory, const void* host) {
  return with_variable(host, 0, 0, [&](CUdeviceptr address) {
    *memory = reinterpret_cast<void*>(address);
    return 0;
  });
}
JUTE_RUNTIME_CALL cudaGetSymbolSize(std::size_t* bytes, const void* host) {
  CUdeviceptr address = 0;
  return in_device([&] { return variable_of(host, &address, bytes); });
}
