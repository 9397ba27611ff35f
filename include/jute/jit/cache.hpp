#pragma once
// Kernels compiled at most once: kept in memory and on disk.
#include <jute/base/export.hpp>
#include <jute/base/settings.hpp>
#include <jute/jit/compile.hpp>
#include <jute/jit/disk_cache.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace JUTE_API jute {

/// The compiler that is asked on a miss. Tests put their own functions here.
struct KernelCompiler {
  std::function<std::string()> build;  ///< Compiler::build()
  std::function<Binary(const Source&, Output)> compile;
};
/// NVRTC, looked for on the first use of either function.
[[nodiscard]] KernelCompiler make_kernel_compiler(const Settings& settings);

/// May what no cache has be compiled?
enum class Compiling : std::uint8_t { allowed, forbidden };

struct KernelCacheOptions {
  std::string directory = {};  ///< empty: nothing is kept on disk
  CacheAccess access = CacheAccess::read_write;
  Index disk_limit_bytes = DiskCache::kDefaultLimitBytes;
  Index memory_limit_bytes = Index{256} << 20;  ///< kernels used least recently go first
  std::vector<std::string> packs = {};          ///< further cache directories, only read
  Compiling compiling = Compiling::allowed;
};
/// cache_dir and the modes of JUTE_CACHE (on, off, readonly), the layers of JUTE_CACHE_LAYERS, and
/// JUTE_COMPILE.
[[nodiscard]] KernelCacheOptions cache_options(const Settings& settings);

/// How often each source of a kernel served, since the cache was made.
struct CacheCounts {
  int memory_hits = 0;
  int disk_hits = 0;
  int compiles = 0;
  bool operator==(const CacheCounts&) const = default;
};

/// Safe to use from many threads; threads that ask for one kernel at a time wait for one
/// compilation.
class KernelCache {
 public:
  explicit KernelCache(const Settings& settings);
  KernelCache(const KernelCacheOptions& options, KernelCompiler compiler);
  ~KernelCache();
  KernelCache(KernelCache&&) noexcept;
  KernelCache& operator=(KernelCache&&) noexcept;

  /// Where compiling is forbidden any NVRTC's kernel will do that a cache knows of, and none needs
  /// to be installed.
  ///   throws  what Compiler and Compiler::compile throw; the next call tries again;
  ///           unsupported: it would have to be compiled,
  ///           and that is forbidden
  [[nodiscard]] Binary get(const Source& source, Output output) const;
  [[nodiscard]] CacheCounts counts() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace jute
