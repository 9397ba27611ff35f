// Calls of torch's operators that are decided about: found by how their tensors lie, launched
// without Python.
#include "../src/jute/torch_operators/call.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <deque>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

#include <nanobind/stl/tuple.h>

#include "launch.hpp"
#include "module.hpp"

namespace jute::python {

namespace {

namespace op = torch_operators;

/// All of a call but addresses and factors, of which their kind alone counts.
struct Key {
  static constexpr std::size_t kMost = 6 + op::kRoles * (3 + 2 * op::kMostAxes);
  std::array<std::int64_t, kMost> numbers;
  std::size_t count = 0;
  std::size_t hash = 0;

  void add(std::int64_t number) {
    numbers[count++] = number;
    hash = (hash ^ static_cast<std::size_t>(number)) * 0x9E3779B97F4A7C15U;
    hash ^= hash >> 29;
  }
  bool operator==(const Key& other) const {
    return count == other.count &&
           std::equal(numbers.begin(), numbers.begin() + count, other.numbers.begin());
  }
};
struct KeyHash {
  std::size_t operator()(const Key& key) const { return key.hash; }
};

/// 0 and 1 are known to a kernel, all others said by each run.
int kind_of(double factor) { return factor == 0 ? 0 : factor == 1 ? 1 : 2; }

Key key_of(const op::Call& call) {
  Key key;
  key.add(static_cast<std::int64_t>(call.operation));
  key.add(call.switches.tf32 | call.switches.fast_accum << 1);
  key.add(call.device);
  key.add(call.type_of_d);
  key.add(kind_of(call.alpha));
  key.add(kind_of(call.beta));
  for (const op::Lies& tensor : call.tensors) {
    if (tensor.address == nullptr) {
      key.add(-1);
      continue;
    }
    key.add(tensor.type);
    key.add(tensor.rank);
    key.add(alignment_of(reinterpret_cast<std::uint64_t>(tensor.address)));
    for (int axis = 0; axis < tensor.rank; ++axis)
      key.add(tensor.extents[axis]), key.add(tensor.strides[axis]);
  }
  return key;
}

struct Kept : op::Decision {
  std::optional<Launch> launch{};
  std::string reason{};  ///< why torch serves
  std::string text{};    ///< the call, as Python writes it
};

/// What was decided. Decisions live as long as the process: a call may hold one while others are
/// made.
class Decisions {
 public:
  const op::Decision* find(const op::Call& call) const {
    const Key key = key_of(call);
    const std::shared_lock guard(mutex_);
    const auto found = by_key_.find(key);
    if (found == by_key_.end()) return by_key_.size() < kMost ? nullptr : &full_;
    found->second->calls.fetch_add(1, std::memory_order_relaxed);
    return found->second;
  }
  /// `decided` is (the call's text, a Launch or why there is none).
  const op::Decision* keep(const op::Call& call, nb::handle decided) {
    const auto [text, answer] = nb::cast<std::pair<std::string, nb::object>>(decided);
    const std::unique_lock guard(mutex_);
    Kept& kept = all_.emplace_back();
    kept.text = text;
    kept.calls = 1;
    if (Launch launch; nb::try_cast(answer, launch)) {
      kept.serves = true;
      kept.workspace_bytes = launch.prepared->gemm.workspace_bytes();
      kept.launch = std::move(launch);
    } else {
      kept.reason = nb::cast<std::string>(answer);
    }
    by_key_[key_of(call)] = &kept;
    return &kept;
  }
  void refuse(const Kept& kept, const std::string& reason) {
    const std::unique_lock guard(mutex_);
    Kept& refused = const_cast<Kept&>(kept);
    refused.serves = false;
    refused.reason = reason;
  }
  void clear() {
    const std::unique_lock guard(mutex_);
    by_key_.clear();
  }
  /// (text, calls, why torch serves or nothing) of each.
  std::vector<std::tuple<std::string, std::uint64_t, std::string>> report() const {
    const std::shared_lock guard(mutex_);
    std::vector<std::tuple<std::string, std::uint64_t, std::string>> rows;
    for (const auto& [key, kept] : by_key_)
      rows.emplace_back(kept->text, kept->calls.load(), kept->reason);
    return rows;
  }

 private:
  static constexpr std::size_t kMost = 65536;  ///< what is new behind them is torch's
  op::Decision full_{};
  mutable std::shared_mutex mutex_;
  std::deque<Kept> all_;
  std::unordered_map<Key, Kept*, KeyHash> by_key_;
};

Decisions& decisions() {
  static auto* all = new Decisions;  // never destroyed: at exit the driver may be gone
  return *all;
}

DevicePointer address(const op::Call& call, op::Role role) {
  return reinterpret_cast<DevicePointer>(call.tensors[role].address);
}

bool run_call(const op::Decision& decision, const op::Call& call, void* workspace, void* stream) {
  const Kept& kept = static_cast<const Kept&>(decision);
  try {
    GemmArgs args = kept.launch->args;
    args.a = address(call, op::kA), args.b = address(call, op::kB);
    args.d = args.c = address(call, op::kD);
    if (const DevicePointer added = address(call, op::kAdded); kept.launch->bias)
      args.inputs[*kept.launch->bias].base = added;
    else if (added != 0 && call.beta != 0)
      args.c = added;
    args.scale_a = address(call, op::kScaleA), args.scale_b = address(call, op::kScaleB);
    args.ends = address(call, op::kList);
    if (kind_of(call.alpha) == 2) args.alpha = call.alpha;
    if (kind_of(call.beta) == 2) args.beta = call.beta;
    args.workspace = reinterpret_cast<DevicePointer>(workspace);
    args.stream.handle = reinterpret_cast<std::uint64_t>(stream);
    kept.launch->prepared->gemm.run(args);
    return true;
  } catch (const std::exception& exception) {
    decisions().refuse(kept, exception.what());
    return false;
  }
}

bool clear_workspace(const op::Decision& decision, void* workspace, void* stream) {
  const Kept& kept = static_cast<const Kept&>(decision);
  try {
    kept.launch->prepared->gemm.clear_workspace(reinterpret_cast<DevicePointer>(workspace),
                                                {reinterpret_cast<std::uint64_t>(stream)});
    return true;
  } catch (const std::exception& exception) {
    decisions().refuse(kept, exception.what());
    return false;
  }
}

bool is_recorded(void* stream) {
  using Ask = int (*)(void*, int*);
  static const auto ask = [] {
    void* const driver = dlopen("libcuda.so.1", RTLD_NOW);
    return driver == nullptr ? nullptr
                             : reinterpret_cast<Ask>(dlsym(driver, "cuStreamIsCapturing"));
  }();
  int status = 0;
  return ask == nullptr || ask(stream, &status) != 0 || status != 0;
}

constexpr op::Functions kFunctions = {
    .find = [](const op::Call& call) { return decisions().find(call); },
    .keep = [](const op::Call& call, PyObject* decided) -> const op::Decision* {
      try {
        return decisions().keep(call, decided);
      } catch (const std::exception&) {
        return nullptr;
      }
    },
    .is_capturing = is_recorded,
    .clear = clear_workspace,
    .run = run_call,
};

}  // namespace

void add_torch_operators(nb::module_& core) {
  nb::class_<Launch>(core, "Launch", "A prepared product's launch, for torch's operators");
  core.def(
      "torch_functions", [] { return nb::capsule(&kFunctions, op::kCapsule); },
      nb::sig("def torch_functions() -> Any"));
  core.def("torch_decisions", [] { return decisions().report(); });
  core.def("forget_torch_decisions", [] { decisions().clear(); });
}

}  // namespace jute::python
