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
  /// What has a name: of a table of functions, which begins with its library, each member's.
  struct Symbol {
    void* at = nullptr;
    template <class Function>
    operator Function*() const {  // NOLINT: it is the member that says which function it is
      return reinterpret_cast<Function*>(at);
    }
  };
  [[nodiscard]] Symbol if_there(const char* name) const;
  /// Remembers a name that the library lacks.
  [[nodiscard]] Symbol get(const char* name) {
    const Symbol found = if_there(name);
    if (found.at == nullptr) missing_.emplace_back(name);
    return found;
  }
  [[nodiscard]] const std::vector<std::string>& missing() const { return missing_; }
  [[nodiscard]] std::string path() const;  ///< where it lies

 private:
  explicit SharedLibrary(void* handle) : handle_(handle) {}

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

struct DriverApi : SharedLibrary {
  explicit DriverApi(SharedLibrary library) : SharedLibrary(std::move(library)) {}

  DriverStatus (*init)(unsigned flags) = get("cuInit");
  DriverStatus (*error_name)(DriverStatus status, const char** name) = get("cuGetErrorName");
  DriverStatus (*driver_version)(int* version) = get("cuDriverGetVersion");
  DriverStatus (*device_get)(int* device, int ordinal) = get("cuDeviceGet");
  DriverStatus (*device_attribute)(int* value, int attribute,
                                   int device) = get("cuDeviceGetAttribute");
  DriverStatus (*device_pci)(char* text, int capacity, int device) = get("cuDeviceGetPCIBusId");
  DriverStatus (*primary_retain)(ContextHandle* context,
                                 int device) = get("cuDevicePrimaryCtxRetain");
  DriverStatus (*primary_release)(int device) = get("cuDevicePrimaryCtxRelease_v2");
  DriverStatus (*context_set)(ContextHandle context) = get("cuCtxSetCurrent");
  DriverStatus (*stream_create)(StreamHandle* stream, unsigned flags) = get("cuStreamCreate");
  DriverStatus (*stream_destroy)(StreamHandle stream) = get("cuStreamDestroy_v2");
  DriverStatus (*stream_synchronize)(StreamHandle stream) = get("cuStreamSynchronize");
  DriverStatus (*begin_capture)(StreamHandle stream, int mode) = get("cuStreamBeginCapture_v2");
  DriverStatus (*end_capture)(StreamHandle stream, GraphHandle* graph) = get("cuStreamEndCapture");
  DriverStatus (*instantiate)(ExecutableHandle* executable, GraphHandle graph,
                              unsigned long long flags) = get("cuGraphInstantiateWithFlags");
  DriverStatus (*graph_launch)(ExecutableHandle executable,
                               StreamHandle stream) = get("cuGraphLaunch");
  DriverStatus (*graph_destroy)(GraphHandle graph) = get("cuGraphDestroy");
  DriverStatus (*executable_destroy)(ExecutableHandle executable) = get("cuGraphExecDestroy");
  DriverStatus (*module_load)(ModuleHandle* module, const void* image) = get("cuModuleLoadData");
  DriverStatus (*module_unload)(ModuleHandle module) = get("cuModuleUnload");
  DriverStatus (*module_function)(FunctionHandle* function, ModuleHandle module,
                                  const char* name) = get("cuModuleGetFunction");
  DriverStatus (*launch)(FunctionHandle function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                         unsigned block_x, unsigned block_y, unsigned block_z, unsigned smem_bytes,
                         StreamHandle stream, void** parameters,
                         void** extra) = get("cuLaunchKernel");
  /// Only drivers since 12.3 have these; without them no edge is of a special kind.
  DriverStatus (*graph_edges)(GraphHandle graph, NodeHandle* from, NodeHandle* to, EdgeData* data,
                              size_t* count) = if_there("cuGraphGetEdges_v2");
  DriverStatus (*remove_edges)(GraphHandle graph, const NodeHandle* from, const NodeHandle* to,
                               const EdgeData* data,
                               size_t count) = if_there("cuGraphRemoveDependencies_v2");
  DriverStatus (*add_edges)(GraphHandle graph, const NodeHandle* from, const NodeHandle* to,
                            const EdgeData* data,
                            size_t count) = if_there("cuGraphAddDependencies_v2");

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
