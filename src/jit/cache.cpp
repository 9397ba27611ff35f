// Kernels from memory, from disk, from packs, or from the compiler, in that order.
#include <jute/jit/cache.hpp>

#include <list>
#include <mutex>
#include <optional>
#include <unordered_map>

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
    std::mutex mutex;
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
  return options;
}

/// Kernels in memory by the text of their key, the most recently used one first.
struct KernelCache::Impl {
  /// One kernel's place. Its mutex is held while the kernel is looked for, so that others wait.
  struct Slot {
    std::mutex busy;
    std::optional<Binary> binary;
  };
  using Slots = std::list<std::pair<std::string, std::shared_ptr<Slot>>>;

  Impl(const KernelCacheOptions& options, KernelCompiler compiler_functions)
      : compiler(std::move(compiler_functions)), memory_limit_bytes(options.memory_limit_bytes) {
    if (!options.directory.empty())
      disk.emplace(options.directory, options.access, options.disk_limit_bytes);
    for (const std::string& pack : options.packs) packs.emplace_back(pack, CacheAccess::read_only);
  }

  std::shared_ptr<Slot> slot_of(const std::string& key_text) {
    const std::scoped_lock lock(mutex);
    const auto found = by_key.find(key_text);
    if (found != by_key.end()) {
      slots.splice(slots.begin(), slots, found->second);
      return found->second->second;
    }
    slots.emplace_front(key_text, std::make_shared<Slot>());
    by_key.emplace(slots.front().first, slots.begin());
    return slots.front().second;
  }

  /// Counts a kernel that has just come into its slot, and forgets the least recently used ones
  /// beyond the limit; who holds one of their slots keeps it.
  void kept(const std::string& key_text, Index bytes) {
    const std::scoped_lock lock(mutex);
    if (!by_key.contains(key_text)) return;
    if (!sizes.emplace(by_key.find(key_text)->first, bytes).second) return;
    memory_bytes += bytes;
    while (memory_bytes > memory_limit_bytes && !slots.empty()) forget_last();
  }

  void forget_last() {
    const std::string_view oldest = slots.back().first;
    if (const auto size = sizes.find(oldest); size != sizes.end()) {
      memory_bytes -= size->second;
      sizes.erase(size);
    }
    by_key.erase(oldest);
    slots.pop_back();
  }

  std::optional<Binary> find_on_disk(const CacheKey& key, const Source& source) const {
    if (disk)
      if (auto binary = disk->load(key, source)) return binary;
    for (const DiskCache& pack : packs)
      if (auto binary = pack.load(key, source)) return binary;
    return std::nullopt;
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
  std::optional<DiskCache> disk;
  std::vector<DiskCache> packs;

  std::mutex mutex;  // guards everything below
  Slots slots;
  std::unordered_map<std::string_view, Slots::iterator> by_key;  // views into slots
  std::unordered_map<std::string_view, Index> sizes;             // of filled slots
  Index memory_bytes = 0;
  CacheCounts counts;
};

KernelCache::KernelCache(const Settings& settings)
    : KernelCache(cache_options(settings), make_kernel_compiler(settings)) {}
KernelCache::KernelCache(const KernelCacheOptions& options, KernelCompiler compiler)
    : impl_(std::make_unique<Impl>(options, std::move(compiler))) {}
KernelCache::~KernelCache() = default;
KernelCache::KernelCache(KernelCache&&) noexcept = default;
KernelCache& KernelCache::operator=(KernelCache&&) noexcept = default;

Binary KernelCache::get(const Source& source, Output output) const {
  const CacheKey key = make_key(source, output, impl_->compiler.build());
  const std::shared_ptr<Impl::Slot> slot = impl_->slot_of(key.text);
  const std::scoped_lock busy(slot->busy);
  if (slot->binary) return impl_->count(&CacheCounts::memory_hits, *slot->binary);
  slot->binary = impl_->find_or_compile(key, source, output);
  impl_->kept(key.text, bytes_of(*slot->binary));
  return *slot->binary;
}

CacheCounts KernelCache::counts() const {
  const std::scoped_lock lock(impl_->mutex);
  return impl_->counts;
}

}  // namespace jute
