#pragma once
// The kernels that one Context has compiled and loaded.
#include <jute/base/settings.hpp>
#include <jute/gemm/gemm.hpp>
#include <jute/jit/cache.hpp>
#include <jute/launch/backend.hpp>

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/fork_gate.hpp"

namespace jute::gemm {

/// A step's kernel, ready to launch.
struct LoadedKernel {
  Binary binary;
  Kernel kernel;
};

/// The kernels of a plan, shared by every Gemm whose plan gave the same sources.
struct CompiledSteps {
  std::shared_ptr<Backend> backend;  // outlives the kernels below
  std::vector<Source> sources;
  std::vector<Binary> binaries;
  std::vector<Kernel> kernels;
};

/// Compiles and loads each source once, also when several threads ask for it at a time. Keeps every
/// kernel for as long as it lives itself.
class KernelStore {
 public:
  KernelStore(std::shared_ptr<Backend> backend, const Settings& settings);

  /// Adds what compiling and loading took to `times`; nothing for kernels that were here.
  ///   throws  what Compiler::compile and Backend::load throw; the next call tries again
  [[nodiscard]] std::shared_ptr<const LoadedKernel> find_or_compile(const Source& source,
                                                                    PrepareTimes& times);
  [[nodiscard]] std::shared_ptr<const CompiledSteps> find_or_compile(std::vector<Source> sources,
                                                                     PrepareTimes& times);
  [[nodiscard]] int compile_count() const;

 private:
  /// One source's place: its mutex is held while it compiles.
  struct Compilation {
    base::ForkSafe<std::mutex> compiling;
    std::shared_ptr<const LoadedKernel> kernel;
  };

  std::shared_ptr<Backend> backend_;
  std::string dump_dir_;
  KernelCache cache_;
  base::ForkSafe<std::mutex> mutex_;  // guards everything below
  std::unordered_map<std::string, std::shared_ptr<Compilation>> compilations_;
  std::map<std::vector<const LoadedKernel*>, std::shared_ptr<const CompiledSteps>> steps_;
};

}  // namespace jute::gemm
