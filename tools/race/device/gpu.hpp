#pragma once
// The device that races: its context made current for every library, and a stream.
#include <jute/launch/backend.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "race/results/results.hpp"

namespace jute::bench {

/// A library that is loaded at run time.
class SharedLibrary {
 public:
  /// Nothing when it does not open; `why` is told the loader's words.
  [[nodiscard]] static std::optional<SharedLibrary> open(const std::string& path,
                                                         std::string* why = nullptr);
  /// Fills a slot of a table of functions, and remembers a name that the library lacks.
  template <class Function>
  void bind(Function*& slot, const char* name) {
    bind_if_there(slot, name);
    if (slot == nullptr) missing_.emplace_back(name);
  }
  template <class Function>
  void bind_if_there(Function*& slot, const char* name) const {
    slot = reinterpret_cast<Function*>(symbol(name));
  }
  [[nodiscard]] const std::vector<std::string>& missing() const { return missing_; }
  [[nodiscard]] std::string path() const;  ///< where it lies

 private:
  explicit SharedLibrary(void* handle) : handle_(handle) {}
  [[nodiscard]] void* symbol(const char* name) const;

  void* handle_;
  std::vector<std::string> missing_;
};

using DriverStatus = int;  ///< CUresult; 0 is success
using StreamHandle = struct DriverStream*;
using GraphHandle = struct DriverGraph*;
using NodeHandle = struct DriverNode*;
using ExecutableHandle = struct DriverExecutable*;
using ContextHandle = struct DriverContext*;
using ModuleHandle = struct DriverModule*;
using FunctionHandle = struct DriverFunction*;

/// CUgraphEdgeData: from which moment of one node another may begin.
struct EdgeData {
  unsigned char from_port = 0, to_port = 0, type = 0;
  unsigned char reserved[5] = {};
};
inline constexpr unsigned char kProgrammaticEdge = 1;  ///< CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC

/// CUdevice_attribute.
enum DeviceAttribute : int {
  kClockKhz = 13,
  kMemoryClockKhz = 36,
  kMemoryBusBits = 37,
};
inline constexpr int kCaptureThreadLocal = 1;  ///< CU_STREAM_CAPTURE_MODE_THREAD_LOCAL
inline constexpr unsigned kStreamNonBlocking = 1;

struct DriverApi {
  DriverStatus (*init)(unsigned flags) = nullptr;
  DriverStatus (*error_name)(DriverStatus status, const char** name) = nullptr;
  DriverStatus (*driver_version)(int* version) = nullptr;
  DriverStatus (*device_get)(int* device, int ordinal) = nullptr;
  DriverStatus (*device_attribute)(int* value, int attribute, int device) = nullptr;
  DriverStatus (*device_pci)(char* text, int capacity, int device) = nullptr;
  DriverStatus (*primary_retain)(ContextHandle* context, int device) = nullptr;
  DriverStatus (*primary_release)(int device) = nullptr;
  DriverStatus (*context_set)(ContextHandle context) = nullptr;
  DriverStatus (*stream_create)(StreamHandle* stream, unsigned flags) = nullptr;
  DriverStatus (*stream_destroy)(StreamHandle stream) = nullptr;
  DriverStatus (*stream_synchronize)(StreamHandle stream) = nullptr;
  DriverStatus (*begin_capture)(StreamHandle stream, int mode) = nullptr;
  DriverStatus (*end_capture)(StreamHandle stream, GraphHandle* graph) = nullptr;
  DriverStatus (*instantiate)(ExecutableHandle* executable, GraphHandle graph,
                              unsigned long long flags) = nullptr;
  DriverStatus (*graph_launch)(ExecutableHandle executable, StreamHandle stream) = nullptr;
  DriverStatus (*graph_destroy)(GraphHandle graph) = nullptr;
  DriverStatus (*executable_destroy)(ExecutableHandle executable) = nullptr;
  DriverStatus (*module_load)(ModuleHandle* module, const void* image) = nullptr;
  DriverStatus (*module_unload)(ModuleHandle module) = nullptr;
  DriverStatus (*module_function)(FunctionHandle* function, ModuleHandle module,
                                  const char* name) = nullptr;
  DriverStatus (*launch)(FunctionHandle function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                         unsigned block_x, unsigned block_y, unsigned block_z, unsigned smem_bytes,
                         StreamHandle stream, void** parameters, void** extra) = nullptr;
  /// Only drivers since 12.3 have these; without them no edge is of a special kind.
  DriverStatus (*graph_edges)(GraphHandle graph, NodeHandle* from, NodeHandle* to, EdgeData* data,
                              size_t* count) = nullptr;
  DriverStatus (*remove_edges)(GraphHandle graph, const NodeHandle* from, const NodeHandle* to,
                               const EdgeData* data, size_t count) = nullptr;
  DriverStatus (*add_edges)(GraphHandle graph, const NodeHandle* from, const NodeHandle* to,
                            const EdgeData* data, size_t count) = nullptr;

  /// throws  driver_failed: `call` and the status' name
  void require(const char* call, DriverStatus status) const;
};

/// throws  no_gpu: there is no driver, or one that lacks functions
[[nodiscard]] DriverApi load_driver_api();

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
