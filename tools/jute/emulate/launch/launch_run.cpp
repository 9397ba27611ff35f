// From a launch file to kernels, memory, launches and a judgement.
#include "emulate/launch/launch_run.hpp"

#include <jute/base/json_object.hpp>
#include <jute/base/retold.hpp>

#include <algorithm>
#include <utility>

#include "emulate/launch/argument_values.hpp"
#include "emulate/launch/buffer_memory.hpp"
#include "programs/interrupt.hpp"

namespace jute::command {
namespace {

std::string below(const std::string& place, const std::string& key) {
  return place.empty() ? key : place + "." + key;
}

/// `net::scale` -> `_ZN3net5scaleE`, as the Itanium C++ ABI spells a variable of namespaces.
std::string mangled_variable(const std::string& name) {
  std::string symbol = "_ZN";
  for (size_t at = 0;;) {
    const size_t end = name.find("::", at);
    const std::string part = name.substr(at, end == std::string::npos ? end : end - at);
    symbol += std::to_string(part.size()) + part;
    if (end == std::string::npos) return symbol + "E";
    at = end + 2;
  }
}

/// A launch whose kernel was found.
struct BoundLaunch {
  Kernel kernel;
  LaunchSpec spec;
};

class Runner {
 public:
  Runner(const LaunchFile& file, const ModuleCompiler& compiler, EmulatorBackend& backend)
      : file_(file), compiler_(compiler), backend_(backend) {}

  RunOutcome run() {
    for (const NamedLaunch& launch : file_.launches) (void)module_of(launch);
    for (const NamedBuffer& buffer : file_.buffers) {
      memories_.emplace_back(buffer, file_.path, backend_);
      const BufferMemory& memory = memories_.back();
      places_[buffer.name] = {memory.address(), memory.bytes()};
      outcome_.places.push_back({buffer.name, memory.address(), memory.bytes()});
    }
    std::vector<BoundLaunch> launches;
    for (const NamedLaunch& launch : file_.launches) launches.push_back(bound(launch));
    for (const NamedBuffer& global : file_.globals) set(global, launches);
    try {
      for (size_t i = 0; i < launches.size(); ++i) start(launches[i], file_.launches[i]);
      judge();
    } catch (const Interrupted&) {
      outcome_.is_interrupted = true;
      outcome_.report = backend_.take_report();
      outcome_.profiles = backend_.take_profiles();
    }
    return std::move(outcome_);
  }

 private:
  /// A variable of this name in every module that has it; one module's kernels share it.
  void set(const NamedBuffer& global, const std::vector<BoundLaunch>& launches) {
    std::vector<DevicePointer> known;
    for (const BoundLaunch& launch : launches) {
      const auto variable = find_variable(launch.kernel, global.name);
      if (!variable || std::ranges::find(known, variable->pointer) != known.end()) continue;
      known.push_back(variable->pointer);
      memories_.emplace_back(global, file_.path, backend_, *variable);
    }
    if (known.empty())
      JsonObject::refuse_at(file_.path, global.place,
                            "it must be a __device__ or __constant__ variable that the kernels' "
                            "modules define");
  }

  /// By its symbol or its C++ name.
  std::optional<DeviceVariable> find_variable(const Kernel& kernel, const std::string& name) {
    if (auto found = backend_.find_variable(kernel, name)) return found;
    return backend_.find_variable(kernel, mangled_variable(name));
  }

  const KernelModule& module_of(const NamedLaunch& launch) {
    if (launch.module.empty())
      JsonObject::refuse_at(file_.path, below(launch.place, "module"),
                            "it must name a .ptx or .cu file, unless the command line does");
    const auto known = std::ranges::find(outcome_.modules, launch.module, &KernelModule::path);
    if (known != outcome_.modules.end()) return *known;
    std::vector<std::string> kernels;
    for (const NamedLaunch& each : file_.launches)
      if (each.module == launch.module) kernels.push_back(each.kernel);
    outcome_.modules.push_back(read_module(launch.module, compiler_, kernels));
    return outcome_.modules.back();
  }

  BoundLaunch bound(const NamedLaunch& launch) {
    const KernelModule& module = module_of(launch);
    const PtxKernel& kernel = found(module, launch);
    BoundLaunch result;
    result.spec.grid = launch.grid;
    result.spec.block = launch.block;
    result.spec.cluster = launch.cluster;
    result.spec.dynamic_smem_bytes = launch.dynamic_smem_bytes;
    if (launch.is_dependent) result.spec.order = LaunchOrder::overlap_previous;
    if (launch.is_cooperative) result.spec.residency = Residency::whole_grid;
    result.spec.arguments = argument_block(launch, kernel, {file_.path, places_, backend_});
    result.kernel = loaded(module, kernel);
    return result;
  }

  const PtxKernel& found(const KernelModule& module, const NamedLaunch& launch) const {
    return retold(
        [&]() -> const PtxKernel& { return find_kernel(module, launch.kernel); },
        [&](Error& error) { error.operand = file_.path + ": " + below(launch.place, "kernel"); });
  }

  /// A kernel that several launches run is loaded once.
  Kernel loaded(const KernelModule& module, const PtxKernel& kernel) {
    Kernel& entry = kernels_[{module.path, kernel.symbol}];
    if (entry) return entry;
    entry = told_at(module.path + ": ",
                    [&] { return backend_.load(binary_from_ptx(module.ptx, kernel.symbol)); });
    return entry;
  }

  void start(const BoundLaunch& bound, const NamedLaunch& launch) {
    told_at(file_.path + ": " + below(launch.place, ""),
            [&] { backend_.launch(bound.kernel, bound.spec); });
  }

  void judge() {
    for (BufferMemory& memory : memories_) {
      if (!memory.is_asked_for()) continue;
      memory.fetch(backend_);
      if (!memory.is_judged()) continue;
      if (auto mismatch = memory.compare())
        outcome_.mismatches.push_back(*std::move(mismatch));
      else
        outcome_.matched.push_back(memory.name());
    }
    outcome_.report = backend_.take_report();
    outcome_.profiles = backend_.take_profiles();
    for (BufferMemory& memory : memories_) memory.save();
  }

  const LaunchFile& file_;
  const ModuleCompiler& compiler_;
  EmulatorBackend& backend_;
  std::vector<BufferMemory> memories_;
  MemoryPlaces places_;
  std::map<std::pair<std::string, std::string>, Kernel> kernels_;
  RunOutcome outcome_;
};

}  // namespace

RunOutcome run_launches(const LaunchFile& file, const ModuleCompiler& compiler,
                        EmulatorBackend& backend) {
  return Runner(file, compiler, backend).run();
}

}  // namespace jute::command
