#pragma once
// The driver's state in a process: one chip, and all that handles name. A driver is its process'
// by nature, so this is one value for all threads.
#include "handles.hpp"
#include "objects.hpp"

#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

namespace jute::stand_in {

/// Memory of the chip that a program asked for.
struct DeviceMemory {
  DevicePointer begin = 0;
  size_t bytes = 0;
  const driver::ContextState* context = nullptr;
};

class Process {
 public:
  /// The one of this process. It is never destroyed: threads may call until the process ends.
  static Process& instance();

  /// Does the work of cuInit. The second call does nothing.
  ///   throws  what parse_emulator_options throws of JUTE_STAND_IN
  void open();
  [[nodiscard]] bool is_open() const { return backend_ != nullptr; }
  [[nodiscard]] EmulatorBackend& backend() { return *backend_; }
  [[nodiscard]] const DeviceInfo& device() const { return device_; }

  // Contexts.
  [[nodiscard]] driver::ContextHandle primary() { return &primary_; }
  [[nodiscard]] bool is_context(const driver::ContextState* context) const;
  driver::ContextHandle make_context(unsigned flags);
  /// Frees what belongs to it.
  void end_context(const driver::ContextState& context);
  int primary_references = 0;  ///< under mutex()

  // Memory.
  DevicePointer alloc(size_t bytes, const driver::ContextState& context);
  /// False: no allocation begins there.
  bool free(DevicePointer pointer);
  /// The allocation that holds the address.
  [[nodiscard]] std::optional<DeviceMemory> memory_at(DevicePointer address) const;
  [[nodiscard]] size_t taken_bytes() const;

  /// Keeps what launches and copies since the last call found, prints what kernels printed, and
  /// says what a GPU would tell of it.
  driver::Status take_findings();

  Handles<driver::StreamState> streams;
  Handles<driver::EventState> events;
  Handles<driver::ModuleState> modules;
  Handles<driver::FunctionState> functions;
  Handles<GraphState> graphs;
  Handles<GraphExecState> graph_execs;

  /// Memory of the host that cuMemAllocHost gave.
  std::set<void*> host_memory;  ///< under mutex()
  [[nodiscard]] std::mutex& mutex() { return mutex_; }

 private:
  void keep(const Finding& finding);

  mutable std::mutex mutex_;
  std::mutex opening_;
  std::unique_ptr<EmulatorBackend> backend_;
  DeviceInfo device_;
  std::string findings_path_;
  std::set<std::string> known_findings_;
  driver::ContextState primary_;
  Handles<driver::ContextState> contexts_;
  std::map<DevicePointer, DeviceMemory> memory_;
  size_t taken_ = 0;
};

/// The contexts of a thread, the current one last.
[[nodiscard]] std::vector<driver::ContextHandle>& context_stack();

}  // namespace jute::stand_in
