// Kernels from memory, from disk, from packs, or from the compiler, in that order.
#include <jute/base/error.hpp>
#include <jute/base/refuse.hpp>
#include <jute/jit/cache.hpp>

#include <algorithm>
#include <list>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "base/fork_gate.hpp"

namespace jute {
namespace {

Index bytes_of(const Binary& binary) {
  return static_cast<Index>(binary.ptx.size() + binary.cubin.size() + binary.log.size() +
                            binary.source_text.size());
}

}  // namespace

KernelCompiler make_kernel_compiler(const Settings& settings) {
  struct LateCompiler {
    explicit LateCompiler(Settings all) : settings(std::move(all)) {}
    const Compiler& get() {
      const std::scoped_lock lock(mutex);
      if (!compiler) compiler.emplace(settings);
      return *compiler;
    }
    const Settings settings;
    base::ForkSafe<std::mutex> mutex;
    std::optional<Compiler> compiler;
  };
  auto late = std::make_shared<LateCompiler>(settings);
  return {.build = [late] { return late->get().build(); },
          .compile = [late](const Source& source,
                            Output output) { return late->get().compile(source, output); }};
}

KernelCacheOptions cache_options(const Settings& settings) {
  KernelCacheOptions options;
  if (settings.cache != "off") options.directory = settings.cache_dir;
  if (settings.cache == "readonly") options.access = CacheAccess::read_only;
  options.packs = settings.cache_layers;
  if (settings.compile == "forbidden") options.compiling = Compiling::forbidden;
  return options;
}

/// Kernels in memory by the text of their key, the most recently used one first.
struct KernelCache::Impl {
  /// One kernel's place. Its mutex is held while the kernel is looked for, so that others wait.
  struct MemoryEntry {
    base::ForkSafe<std::mutex> busy;
    std::optional<Binary> binary;
  };
  using MemoryEntries = std::list<std::pair<std::string, std::shared_ptr<MemoryEntry>>>;

  Impl(const KernelCacheOptions& options, KernelCompiler compiler_functions)
      : compiler(std::move(compiler_functions)),
        memory_limit_bytes(options.memory_limit_bytes),
        compiling(options.compiling) {
    if (!options.directory.empty())
      disk.emplace(options.directory, options.access, options.disk_limit_bytes);
    for (const std::string& pack : options.packs) packs.emplace_back(pack, CacheAccess::read_only);
  }

  std::shared_ptr<MemoryEntry> entry_of(const std::string& key_text) {
    const std::scoped_lock lock(mutex);
    const auto found = by_key.find(key_text);
    if (found != by_key.end()) {
      entries.splice(entries.begin(), entries, found->second);
      return found->second->second;
    }
    entries.emplace_front(key_text, std::make_shared<MemoryEntry>());
    by_key.emplace(entries.front().first, entries.begin());
    return entries.front().second;
  }

  /// Counts a kernel that has just come into its entry, and forgets the least recently used ones
  /// beyond the limit; who holds one of their entries keeps it.
  void kept(const std::string& key_text, Index bytes) {
    const std::scoped_lock lock(mutex);
    if (!by_key.contains(key_text)) return;
    if (!sizes.emplace(by_key.find(key_text)->first, bytes).second) return;
    memory_bytes += bytes;
    while (memory_bytes > memory_limit_bytes && !entries.empty()) forget_last();
  }

  void forget_last() {
    const std::string_view oldest = entries.back().first;
    if (const auto size = sizes.find(oldest); size != sizes.end()) {
      memory_bytes -= size->second;
      sizes.erase(size);
    }
    by_key.erase(oldest);
    entries.pop_back();
  }

  std::optional<Binary> find_on_disk(const CacheKey& key, const Source& source) const {
    if (disk)
      if (auto binary = disk->load(key, source)) return binary;
    for (const DiskCache& pack : packs)
      if (auto binary = pack.load(key, source)) return binary;
    return std::nullopt;
  }

  /// Builds that tell an NVRTC from others whose kernels may serve; the installed one's where it
  /// compiles.
  std::vector<std::string> builds() {
    if (compiling == Compiling::allowed) return {compiler.build()};
    const std::scoped_lock lock(mutex);
    if (!known_builds) known_builds = builds_of_caches();
    return *known_builds;
  }

  [[nodiscard]] std::vector<std::string> builds_of_caches() const {
    std::vector<std::string> found;
    const auto add = [&](const DiskCache& cache) {
      for (std::string& build : cache.compiler_builds())
        if (std::ranges::find(found, build) == found.end()) found.push_back(std::move(build));
    };
    if (disk) add(*disk);
    for (const DiskCache& pack : packs) add(pack);
    return found;
  }

  Binary find_only(const std::vector<std::string>& from, const Source& source, Output output) {
    for (const std::string& build : from)
      if (auto binary = find_on_disk(make_key(source, output, build), source))
        return count(&CacheCounts::disk_hits, *binary);
    jute::refuse(ErrorCode::unsupported, "compile", source.symbol,
                 "a cache must have the kernel where compiling is forbidden "
                 "(JUTE_COMPILE): none has it for " +
                     to_string(source.arch));
  }

  Binary find_or_compile(const CacheKey& key, const Source& source, Output output) {
    if (auto binary = find_on_disk(key, source)) return count(&CacheCounts::disk_hits, *binary);
    if (!disk) return count(&CacheCounts::compiles, compiler.compile(source, output));
    const DiskCache::Lock lock = disk->lock(key);
    // Another process may have compiled it while this one waited.
    if (auto binary = disk->load(key, source)) return count(&CacheCounts::disk_hits, *binary);
    Binary binary = compiler.compile(source, output);
    disk->store(key, binary);
    return count(&CacheCounts::compiles, std::move(binary));
  }

  Binary count(int CacheCounts::*which, Binary binary) {
    const std::scoped_lock lock(mutex);
    ++(counts.*which);
    return binary;
  }

  const KernelCompiler compiler;
  const Index memory_limit_bytes;
  const Compiling compiling;
  std::optional<DiskCache> disk;
  std::vector<DiskCache> packs;

  base::ForkSafe<std::mutex> mutex;  // guards everything below
  MemoryEntries entries;
  std::unordered_map<std::string_view, MemoryEntries::iterator> by_key;  // views into entries
  std::unordered_map<std::string_view, Index> sizes;                     // of filled entries
  Index memory_bytes = 0;
  CacheCounts counts;
  std::optional<std::vector<std::string>> known_builds;  // of caches, where nothing is compiled
};

KernelCache::KernelCache(const Settings& settings)
    : KernelCache(cache_options(settings), make_kernel_compiler(settings)) {}
KernelCache::KernelCache(const KernelCacheOptions& options, KernelCompiler compiler)
    : impl_(std::make_unique<Impl>(options, std::move(compiler))) {}
KernelCache::~KernelCache() = default;
KernelCache::KernelCache(KernelCache&&) noexcept = default;
KernelCache& KernelCache::operator=(KernelCache&&) noexcept = default;

Binary KernelCache::get(const Source& source, Output output) const {
  const std::vector<std::string> builds = impl_->builds();
  const CacheKey key = make_key(source, output, builds.empty() ? "" : builds.front());
  const std::shared_ptr<Impl::MemoryEntry> entry = impl_->entry_of(key.text);
  const std::scoped_lock busy(entry->busy);
  if (entry->binary) return impl_->count(&CacheCounts::memory_hits, *entry->binary);
  entry->binary = impl_->compiling == Compiling::forbidden
                      ? impl_->find_only(builds, source, output)
                      : impl_->find_or_compile(key, source, output);
  impl_->kept(key.text, bytes_of(*entry->binary));
  return *entry->binary;
}

CacheCounts KernelCache::counts() const {
  const std::scoped_lock lock(impl_->mutex);
  return impl_->counts;
}

}  // namespace jute
