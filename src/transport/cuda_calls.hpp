#pragma once
// The functions of the CUDA driver that move bytes between GPUs, as a table that tests fill with
// their own. Source: CUDA Driver API.
#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/library_loader.hpp"

namespace jute::transport {

using CudaStatus = int;  ///< CUresult
using CudaAddress = unsigned long long;
using CudaContext = struct CudaContextState*;
using CudaStream = struct CudaStreamState*;
using CudaEvent = struct CudaEventState*;

inline constexpr CudaStatus kCudaSuccess = 0, kCudaOutOfMemory = 2, kCudaNotReady = 600,
                            kPeerAccessAlreadyEnabled = 704;
inline constexpr unsigned kEventWithoutTime = 2, kStreamNonBlocking = 1, kHostPortable = 1,
                          kHostMapped = 2;
inline constexpr int kUnifiedMemory = 4;

/// CUDA_MEMCPY2D.
struct CudaCopy2d {
  std::size_t source_x = 0, source_y = 0;
  int source_type = kUnifiedMemory;
  const void* source_host = nullptr;
  CudaAddress source = 0;
  void* source_array = nullptr;
  std::size_t source_pitch = 0;
  std::size_t target_x = 0, target_y = 0;
  int target_type = kUnifiedMemory;
  void* target_host = nullptr;
  CudaAddress target = 0;
  void* target_array = nullptr;
  std::size_t target_pitch = 0;
  std::size_t row_bytes = 0, rows = 0;
};

struct CudaCalls {
  CudaStatus (*init)(unsigned flags) = nullptr;
  CudaStatus (*error_name)(CudaStatus status, const char** name) = nullptr;
  CudaStatus (*device_get)(int* device, int ordinal) = nullptr;
  CudaStatus (*device_count)(int* count) = nullptr;
  CudaStatus (*primary_retain)(CudaContext* context, int device) = nullptr;
  CudaStatus (*primary_release)(int device) = nullptr;
  CudaStatus (*context_push)(CudaContext context) = nullptr;
  CudaStatus (*context_pop)(CudaContext* context) = nullptr;
  CudaStatus (*can_access_peer)(int* can, int device, int peer) = nullptr;
  CudaStatus (*enable_peer)(CudaContext peer, unsigned flags) = nullptr;
  CudaStatus (*memory_alloc)(CudaAddress* address, std::size_t bytes) = nullptr;
  CudaStatus (*memory_free)(CudaAddress address) = nullptr;
  /// Memory of the host that every context reaches at the same address.
  CudaStatus (*host_alloc)(void** address, std::size_t bytes, unsigned flags) = nullptr;
  CudaStatus (*host_free)(void* address) = nullptr;
  CudaStatus (*fill)(CudaAddress address, unsigned char value, std::size_t bytes,
                     CudaStream stream) = nullptr;
  /// A word of any GPU's memory, behind all that the stream has done; null: an old driver.
  CudaStatus (*write_word)(CudaStream stream, CudaAddress address, std::uint32_t value,
                           unsigned flags) = nullptr;
  CudaStatus (*copy)(CudaAddress target, CudaAddress source, std::size_t bytes,
                     CudaStream stream) = nullptr;
  CudaStatus (*copy_2d)(const CudaCopy2d* copy, CudaStream stream) = nullptr;
  CudaStatus (*stream_create)(CudaStream* stream, unsigned flags) = nullptr;
  CudaStatus (*stream_destroy)(CudaStream stream) = nullptr;
  CudaStatus (*stream_wait)(CudaStream stream, CudaEvent event, unsigned flags) = nullptr;
  CudaStatus (*event_create)(CudaEvent* event, unsigned flags) = nullptr;
  CudaStatus (*event_destroy)(CudaEvent event) = nullptr;
  CudaStatus (*event_record)(CudaEvent event, CudaStream stream) = nullptr;
  CudaStatus (*event_query)(CudaEvent event) = nullptr;

  ///   throws  driver_failed, or out_of_memory: operand the call, value the status' name
  void require(const char* call, CudaStatus status) const;
};

/// Opens libcuda.so.1 and fills the table.
///   throws  no_gpu: it does not open, or lacks functions
[[nodiscard]] std::shared_ptr<const CudaCalls> load_cuda(const base::LibraryLoader& loader);

}  // namespace jute::transport
