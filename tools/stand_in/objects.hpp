#pragma once
// What the handles of a driver stand for here.
#include "driver/driver_types.hpp"
#include "statuses.hpp"

#include <jute/emulator/emulator.hpp>
#include <jute/emulator/ptx.hpp>

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace jute::stand_in {

/// Work of a stream: what it does is done when it is called.
using Work = std::function<driver::Status(Stream stream)>;

/// The work that a captured stream is asked for, in its order, which its dependencies allow.
struct Recording {
  std::vector<Work> work;
  const void* origin = nullptr;  ///< the stream whose capture it is
  bool is_open = true;
};

}  // namespace jute::stand_in

// The driver's table names these without saying what they are.
namespace jute::driver {

struct ContextState {
  static inline std::atomic<unsigned long long> next_number{1};
  unsigned long long number = next_number++;
  bool is_primary = false;
  unsigned flags = 0;
  std::atomic<Status> failure{0};  ///< of a kernel: every later call tells of it
};

struct StreamState {
  ContextState* context = nullptr;
  Stream stream;
  unsigned flags = 0;
  int priority = 0;
  std::shared_ptr<stand_in::Recording> recording;
};

struct EventState {
  ContextState* context = nullptr;
  Event mark;  ///< none before it is recorded
  std::shared_ptr<stand_in::Recording> recording;
};

struct FunctionState {
  ModuleState* module = nullptr;
  PtxKernel declared;
  Kernel kernel;
  int most_dynamic_smem = 0;
  bool allows_large_clusters = false;
};

/// A module, or a library: its text, and the kernels that were asked for.
struct ModuleState {
  ContextState* context = nullptr;  ///< null for a library's, which outlives contexts
  std::string ptx;
  std::vector<PtxKernel> kernels;
  std::map<std::string, std::shared_ptr<FunctionState>> functions;
};

}  // namespace jute::driver

namespace jute::stand_in {

struct GraphState {
  std::vector<Work> work;
};
struct GraphExecState {
  std::vector<Work> work;
};

}  // namespace jute::stand_in
