// Compiling on first need, once for each source, and loading what came out.
#include "gemm/kernel_store.hpp"

#include "gemm/dump.hpp"
#include "gemm/stopwatch.hpp"

#include <utility>

namespace jute::gemm {
namespace {

std::string key_of(const Source& source) { return to_string(source.arch) + '\n' + source.text; }

/// Kernels in memory are kept here, loaded.
KernelCacheOptions disk_only(const Settings& settings) {
  KernelCacheOptions options = cache_options(settings);
  options.memory_limit_bytes = 0;
  return options;
}

Output output_for(const Backend& backend) {
  return backend.image_kind() == ImageKind::ptx ? Output::ptx : Output::ptx_and_cubin;
}

}  // namespace

KernelStore::KernelStore(std::shared_ptr<Backend> backend, const Settings& settings)
    : backend_(std::move(backend)),
      dump_dir_(settings.dump_dir),
      cache_(disk_only(settings), make_kernel_compiler(settings)) {}

int KernelStore::compile_count() const { return cache_.counts().compiles; }

std::shared_ptr<const LoadedKernel> KernelStore::find_or_compile(const Source& source,
                                                                 PrepareTimes& times) {
  std::shared_ptr<Compilation> compilation;
  {
    const std::lock_guard lock(mutex_);
    auto& place = compilations_[key_of(source)];
    if (!place) place = std::make_shared<Compilation>();
    compilation = place;
  }
  const std::lock_guard lock(compilation->compiling);
  if (compilation->kernel) return compilation->kernel;
  auto loaded = std::make_shared<LoadedKernel>();
  const Stopwatch compiling;
  loaded->binary = cache_.get(source, output_for(*backend_));
  times.compile += compiling.elapsed();
  if (!dump_dir_.empty()) dump(dump_dir_, source, loaded->binary);
  const Stopwatch loading;
  loaded->kernel = backend_->load(loaded->binary);
  times.load += loading.elapsed();
  compilation->kernel = loaded;
  return loaded;
}

std::shared_ptr<const CompiledSteps> KernelStore::find_or_compile(std::vector<Source> sources,
                                                                  PrepareTimes& times) {
  std::vector<const LoadedKernel*> key;
  for (const Source& source : sources) key.push_back(find_or_compile(source, times).get());
  const std::lock_guard lock(mutex_);
  auto& place = steps_[key];
  if (place) return place;
  auto steps = std::make_shared<CompiledSteps>();
  steps->backend = backend_;
  steps->sources = std::move(sources);
  for (const LoadedKernel* kernel : key) {
    steps->binaries.push_back(kernel->binary);
    steps->kernels.push_back(kernel->kernel);
  }
  place = steps;
  return steps;
}

}  // namespace jute::gemm
