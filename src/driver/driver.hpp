#pragma once
// The functions of the CUDA driver that jute calls, as one table that tests fill with their own.
// Source: CUDA Driver API.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/library_loader.hpp"
#include "driver/driver_types.hpp"

namespace jute::driver {

struct Driver {
  Status (*init)(unsigned flags) = nullptr;
  Status (*driver_version)(int* version) = nullptr;
  Status (*error_name)(Status status, const char** name) = nullptr;
  Status (*error_text)(Status status, const char** text) = nullptr;

  Status (*device_count)(int* count) = nullptr;
  Status (*device_get)(DeviceOrdinal* device, int ordinal) = nullptr;
  Status (*device_name)(char* name, int capacity, DeviceOrdinal device) = nullptr;
  Status (*device_attribute)(int* value, int attribute, DeviceOrdinal device) = nullptr;
  Status (*device_memory)(size_t* bytes, DeviceOrdinal device) = nullptr;

  Status (*primary_retain)(ContextHandle* context, DeviceOrdinal device) = nullptr;
  Status (*primary_release)(DeviceOrdinal device) = nullptr;
  Status (*context_current)(ContextHandle* context) = nullptr;
  Status (*context_push)(ContextHandle context) = nullptr;
  Status (*context_pop)(ContextHandle* context) = nullptr;
  Status (*context_device)(DeviceOrdinal* device) = nullptr;
  Status (*context_synchronize)() = nullptr;

  Status (*memory_alloc)(DriverAddress* address, size_t bytes) = nullptr;
  Status (*memory_free)(DriverAddress address) = nullptr;
  Status (*memory_info)(size_t* free, size_t* all) = nullptr;
  Status (*copy_in)(DriverAddress target, const void* source, size_t bytes,
                    StreamHandle stream) = nullptr;
  Status (*copy_out)(void* target, DriverAddress source, size_t bytes,
                     StreamHandle stream) = nullptr;
  Status (*fill)(DriverAddress target, unsigned char value, size_t bytes,
                 StreamHandle stream) = nullptr;

  // Between GPUs: DriverNeeds::several_gpus.
  Status (*can_access_peer)(int* can, DeviceOrdinal device, DeviceOrdinal peer) = nullptr;
  Status (*enable_peer)(ContextHandle peer, unsigned flags) = nullptr;
  /// Memory of the host that every context reaches at the same address.
  Status (*host_alloc)(void** address, size_t bytes, unsigned flags) = nullptr;
  Status (*host_free)(void* address) = nullptr;
  Status (*copy)(DriverAddress target, DriverAddress source, size_t bytes,
                 StreamHandle stream) = nullptr;
  Status (*copy_2d)(const Copy2d* copy, StreamHandle stream) = nullptr;
  Status (*stream_wait)(StreamHandle stream, EventHandle event, unsigned flags) = nullptr;
  Status (*event_query)(EventHandle event) = nullptr;
  /// A word of any GPU's memory, behind all that the stream has done; null: an old driver.
  Status (*write_word)(StreamHandle stream, DriverAddress address, std::uint32_t value,
                       unsigned flags) = nullptr;

  Status (*stream_create)(StreamHandle* stream, unsigned flags) = nullptr;
  Status (*stream_destroy)(StreamHandle stream) = nullptr;
  Status (*stream_synchronize)(StreamHandle stream) = nullptr;
  Status (*event_create)(EventHandle* event, unsigned flags) = nullptr;
  Status (*event_destroy)(EventHandle event) = nullptr;
  Status (*event_record)(EventHandle event, StreamHandle stream) = nullptr;
  Status (*event_synchronize)(EventHandle event) = nullptr;
  Status (*event_elapsed)(float* milliseconds, EventHandle from, EventHandle to) = nullptr;

  Status (*module_load)(ModuleHandle* module, const void* image, unsigned option_count,
                        int* options, void** values) = nullptr;
  Status (*module_unload)(ModuleHandle module) = nullptr;
  Status (*module_function)(FunctionHandle* function, ModuleHandle module,
                            const char* name) = nullptr;
  Status (*function_attribute)(int* value, int attribute, FunctionHandle function) = nullptr;
  Status (*function_set_attribute)(FunctionHandle function, int attribute, int value) = nullptr;
  /// Only drivers since 12.4 have it.
  Status (*function_parameter)(FunctionHandle function, size_t index, size_t* offset,
                               size_t* bytes) = nullptr;
  Status (*launch)(const LaunchConfig* config, FunctionHandle function, void** parameters,
                   void** extra) = nullptr;

  /// Only drivers since 12.0 have it.
  Status (*encode_tiled)(void* map, int type, std::uint32_t rank, void* base,
                         const std::uint64_t* dims, const std::uint64_t* strides,
                         const std::uint32_t* box, const std::uint32_t* element_strides,
                         int interleave, int swizzle, int l2_promotion, int oob_fill) = nullptr;

  /// throws  what status_exception says, unless the status is success
  void require(const char* call, Status status) const;
};

/// Throws a failed driver call: operand is the call, value the status' name, detail its text.
/// Memory that ran out is out_of_memory, a kernel that crashed launch_failed, whichever call
/// reported it; the rest is driver_failed.
[[noreturn]] void throw_status(const Driver& driver, const char* call, Status status,
                               const std::string& detail = {});

/// The functions that a driver must have.
enum class DriverNeeds : std::uint8_t { one_gpu, several_gpus };

/// Opens libcuda.so.1 and fills the table.
///   throws  no_gpu: it does not open, or is too old (the functions that it lacks are named)
[[nodiscard]] std::shared_ptr<const Driver> load_driver(const base::LibraryLoader& loader,
                                                        DriverNeeds needs = DriverNeeds::one_gpu);

}  // namespace jute::driver
