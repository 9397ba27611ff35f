// What stands behind the object in front of cuBLAS: it records calls, or serves those of a file.
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>
#include <jute/device/device.hpp>
#include <jute/shim/cublas_seen.hpp>
#include <jute/shim/kept_calls.hpp>

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <sstream>
#include <unordered_map>
#include <unordered_set>

#include "base/fork_gate.hpp"
#include "shim/call_numbers.hpp"
#include "shim/private_file.hpp"
#include "shim/read_call.hpp"
#include "shim/ready_call.hpp"
#include "shim/report.hpp"

namespace jute {
namespace shim {
namespace {

using Complain = void (*)(const char*);

/// Workspaces of handles. One handle is used by one thread at a time, as cuBLAS asks.
class HandleWorkspaces {
 public:
  void put(void* handle, const HandleWorkspace& workspace) {
    for (Place& place : places_)
      if (place.handle.load() == handle) {
        place.workspace = workspace;
        if (workspace.address == nullptr) place.handle.store(nullptr);
        return;
      }
    for (Place& place : places_) {
      void* free = nullptr;
      if (workspace.address == nullptr || !place.handle.compare_exchange_strong(free, handle))
        continue;
      place.workspace = workspace;
      return;
    }
  }
  [[nodiscard]] HandleWorkspace of(void* handle) const {
    for (const Place& place : places_)
      if (place.handle.load(std::memory_order_acquire) == handle) return place.workspace;
    return {};
  }

 private:
  struct Place {
    std::atomic<void*> handle = nullptr;
    HandleWorkspace workspace;
  };
  std::array<Place, 64> places_;
};

/// Each different call is a line, of this process and of those before it.
class Recorder {
 public:
  Recorder(const std::string& path, Complain complain)
      : file_(open_private(path, O_RDWR | O_APPEND)) {
    if (file_ < 0) complain((path + ": it must be a file that you alone may write").c_str());
    if (file_ >= 0)
      for (const CublasCall& call : read_record(path)) known_.insert(call);
  }
  void take(const CublasCall& call) {
    const std::scoped_lock lock(mutex_);
    if (file_ < 0 || !known_.insert(call).second) return;
    const std::string line = to_line(call) + "\n";
    if (::write(file_, line.data(), line.size()) < 0) file_ = -1;
  }

 private:
  base::ForkSafe<std::mutex> mutex_;
  int file_;
  std::unordered_set<CublasCall, CallHash> known_;
};

/// A CUcontext, and the number that no other of the process ever has: addresses are given again.
struct NumberedContext {
  void* handle = nullptr;
  unsigned long long number = 0;
  bool operator==(const NumberedContext&) const = default;
};

/// The thread's, by the driver that the process has. Null: none, or a child of one that had it.
NumberedContext current_context() {
  struct Functions {
    int (*current)(void** context) = nullptr;
    int (*number)(void* context, unsigned long long* number) = nullptr;  ///< since 12.0
  };
  static const Functions functions = [] {
    Functions found;
    void* const driver = ::dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    if (driver == nullptr) return found;
    found.current = reinterpret_cast<decltype(found.current)>(::dlsym(driver, "cuCtxGetCurrent"));
    found.number = reinterpret_cast<decltype(found.number)>(::dlsym(driver, "cuCtxGetId"));
    return found;
  }();
  NumberedContext context;
  if (functions.current == nullptr || functions.current(&context.handle) != 0) return {};
  if (functions.number != nullptr) (void)functions.number(context.handle, &context.number);
  return context;
}

/// A device's prepared calls.
struct ServedContext {
  struct Row {
    Index first, last;
    std::size_t number;  ///< of the file's
    ReadyCall ready;
  };
  NumberedContext of;
  std::unique_ptr<Context> context;
  /// By calls whose M is 0.
  std::unordered_map<CublasCall, std::vector<Row>, CallHash> rows;
};

class Server {
 public:
  Server(const std::string& path, Complain complain)
      : path_(path), complain_(complain), kept_(read_kept(path)), counts_(path, kept_) {}

  /// Non-zero where it is done.
  int take(const SeenCall& seen) {
    const ServedBy who = seen.why == ServedBy::unknown ? served_by(seen) : seen.why;
    counts_.add(who);
    return who == ServedBy::jute ? 1 : 0;
  }

  /// Of the thread's context, once.
  void ready() {
    const NumberedContext current = current_context();
    const std::scoped_lock lock(mutex_);
    if (current.handle == nullptr || find(current) != nullptr) return;
    for (std::atomic<const ServedContext*>& place : contexts_) {
      if (place.load() != nullptr) continue;
      place.store(made(current).release(), std::memory_order_release);
      return;
    }
  }

 private:
  [[nodiscard]] const ServedContext* find(const NumberedContext& current) const {
    for (const std::atomic<const ServedContext*>& place : contexts_) {
      const ServedContext* const context = place.load(std::memory_order_acquire);
      if (context == nullptr || context->of == current) return context;
    }
    return nullptr;
  }

  /// Without rows on another device than the file's, and where the driver refuses.
  [[nodiscard]] std::unique_ptr<ServedContext> made(const NumberedContext& current) const {
    auto served = std::make_unique<ServedContext>();
    served->of = current;
    try {
      auto backend =
          open_device({.adopt_context = reinterpret_cast<std::uintptr_t>(current.handle)});
      if (backend->device_info().name != kept_.device) return served;
      served->context = std::make_unique<Context>(
          std::move(backend), ContextOptions{.settings = settings_of_kept(path_)});
      for (std::size_t i = 0; i < kept_.calls.size(); ++i) add(*served, i);
    } catch (const std::exception& exception) {
      complain_(exception.what());
    }
    return served;
  }

  void add(ServedContext& served, std::size_t number) const {
    const KeptCall& kept = kept_.calls[number];
    try {
      const CublasProduct product = product_of(kept.call, kept.over);
      const ReadyCall ready{product, prepare(*served.context, product.problem, kept.config)};
      CublasCall any = kept.call;
      rows_in(any) = 0;
      if (ready.fits(kept.call)) served.rows[any].push_back({kept.first, kept.last, number, ready});
    } catch (const Exception& exception) {
      complain_((to_line(kept.call) + ": " + to_string(exception.error())).c_str());
    }
  }

  ServedBy served_by(const SeenCall& seen) const {
    const ServedContext* const context = find(current_context());
    if (context == nullptr || context->context == nullptr) return ServedBy::device;
    CublasCall any = seen.call;
    const Index m = std::exchange(rows_in(any), 0);
    const auto found = context->rows.find(any);
    if (found == context->rows.end()) return ServedBy::unknown;
    for (const ServedContext::Row& row : found->second) {
      if (m < row.first || m > row.last) continue;
      try {
        row.ready.run(seen.addresses, m);
      } catch (const std::exception&) {
        return ServedBy::failed;  // before anything is launched
      }
      counts_.add_call(row.number);
      return ServedBy::jute;
    }
    return ServedBy::unknown;
  }

  std::string path_;
  Complain complain_;
  KeptCalls kept_;
  Counts counts_;
  base::ForkSafe<std::mutex> mutex_;
  std::array<std::atomic<const ServedContext*>, 64> contexts_{};
};

struct Shim {
  CallRules rules;
  HandleWorkspaces workspaces;
  std::unique_ptr<Recorder> recorder;
  std::unique_ptr<Server> server;
};
/// Never freed: a program may call while it exits.
Shim* shim = nullptr;

int take(const SeenCall& seen) noexcept try {
  if (shim->server) return shim->server->take(seen);
  if (seen.why == ServedBy::unknown) shim->recorder->take(seen.call);
  return 0;
} catch (...) {
  return 0;
}

constexpr ShimCore kCore{
    .ready =
        [] {
          try {
            if (shim->server) shim->server->ready();
          } catch (...) {  // all is cuBLAS's then
          }
        },
    .gemm =
        [](const SeenGemm* seen) {
          return take(read_call(*seen, shim->workspaces.of(seen->handle), shim->rules));
        },
    .matmul = [](const SeenMatmul* seen) { return take(read_call(*seen, shim->rules)); },
    .workspace =
        [](void* handle, void* address, std::size_t bytes) {
          shim->workspaces.put(handle, {address, bytes});
        },
};

}  // namespace
}  // namespace shim

const ShimCore* start_shim(const ShimStart& start) try {
  auto made = std::make_unique<shim::Shim>();
  if (start.tf32_override != nullptr) made->rules.tf32_override = start.tf32_override;
  made->rules.is_emulated = start.is_emulated;
  if (start.serve != nullptr)
    made->server = std::make_unique<shim::Server>(start.serve, start.complain);
  else if (start.record != nullptr)
    made->recorder = std::make_unique<shim::Recorder>(start.record, start.complain);
  else
    return nullptr;
  shim::shim = made.release();
  return &shim::kCore;
} catch (const std::exception& exception) {
  start.complain(exception.what());
  return nullptr;
}

}  // namespace jute
