// Compiling on first need, once for each source, and loading what came out.
#include "gemm/kernel_store.hpp"

#include "gemm/dump.hpp"
#include "gemm/stopwatch.hpp"

#include <utility>

namespace jute::gemm {
namespace {

std::string key_of(const Source& source) { return to_string(source.arch) + '\n' + source.text; }

}  // namespace

KernelStore::KernelStore(std::shared_ptr<Backend> backend, const Settings& settings)
    : backend_(std::move(backend)), settings_(settings) {}

int KernelStore::compile_count() const {
  const std::lock_guard lock(mutex_);
  return compile_count_;
}

Output KernelStore::output() const {
  return backend_->image_kind() == ImageKind::ptx ? Output::ptx : Output::ptx_and_cubin;
}

Compiler KernelStore::compiler() {
  const std::lock_guard lock(mutex_);
  if (!compiler_) compiler_.emplace(settings_.nvrtc);
  return *compiler_;
}

Binary KernelStore::compile(const Source& source) {
  const Compiler nvrtc = compiler();
  const Binary binary = nvrtc.compile(source, output());
  const std::lock_guard lock(mutex_);
  ++compile_count_;
  return binary;
}

std::shared_ptr<const LoadedKernel> KernelStore::find_or_compile(const Source& source,
                                                                 PrepareTimes& times) {
  std::shared_ptr<Slot> slot;
  {
    const std::lock_guard lock(mutex_);
    auto& place = slots_[key_of(source)];
    if (!place) place = std::make_shared<Slot>();
    slot = place;
  }
  const std::lock_guard lock(slot->compiling);
  if (slot->kernel) return slot->kernel;
  auto loaded = std::make_shared<LoadedKernel>();
  const Stopwatch compiling;
  loaded->binary = compile(source);
  times.compile += compiling.elapsed();
  if (!settings_.dump_dir.empty()) dump(settings_.dump_dir, source, loaded->binary);
  const Stopwatch loading;
  loaded->kernel = backend_->load(loaded->binary);
  times.load += loading.elapsed();
  slot->kernel = loaded;
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
