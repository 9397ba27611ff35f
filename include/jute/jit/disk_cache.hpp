#pragma once
// Compiled kernels in a folder: one file each, checked before it is believed.
#include <jute/base/export.hpp>
#include <jute/jit/compile.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace JUTE_API jute {

/// Everything that decides what a compilation gives, and nothing else.
struct CacheKey {
  std::string text;    ///< schema, NVRTC build, architecture, options, source without its name
  std::string digest;  ///< of the text, 32 hexadecimal digits: names the entry's file
  bool operator==(const CacheKey&) const = default;
};
/// `compiler_build` is Compiler::build().
[[nodiscard]] CacheKey make_key(const Source& source, Output output,
                                const std::string& compiler_build);

/// A file of the cache as it lies there. `fault` says why it would not be used; empty when it
/// would.
struct CacheEntry {
  std::string file;    ///< name inside the folder
  std::string symbol;  ///< of its kernel; empty where the entry is damaged
  std::string arch;    ///< "sm_90a"
  Index bytes = 0;
  std::int64_t last_used = 0;  ///< seconds since 1970
  std::string fault;
  bool operator==(const CacheEntry&) const = default;
};

enum class CacheAccess : std::uint8_t { read_write, read_only };

/// A folder `kernels` inside a cache directory. Anything wrong with it or with an entry is a miss,
/// never an Exception: a cache that cannot work only costs time. Safe for many threads and
/// processes.
class DiskCache {
 public:
  /// Touches nothing yet; the folder is made with the first entry.
  explicit DiskCache(const std::string& directory, CacheAccess access = CacheAccess::read_write,
                     Index limit_bytes = kDefaultLimitBytes);
  static constexpr Index kDefaultLimitBytes = Index{1} << 30;

  /// `<directory>/kernels`
  [[nodiscard]] const std::string& path() const { return path_; }
  /// Why entries are not used: the folder belongs to somebody else, others may write to it, it
  /// cannot be made. Empty when all is well. Makes the folder, unless the cache is only read.
  [[nodiscard]] std::string problem() const;

  /// The entry of this key, with the request's own signature and source text and with the symbol
  /// under which it was compiled; marks it as used now.
  [[nodiscard]] std::optional<Binary> load(const CacheKey& key, const Source& source) const;
  /// Puts an entry in place as a whole or not at all, then drops the least recently used ones
  /// beyond the size limit. False when it could not be written.
  bool store(const CacheKey& key, const Binary& binary) const;

  /// The builds of every NVRTC whose kernels lie there, as Compiler::build() tells them apart.
  [[nodiscard]] std::vector<std::string> compiler_builds() const;
  /// Puts every good entry into another cache too, which is as large as it takes; returns how many.
  ///   throws  unwritable: one cannot be put there; names the folder
  Index copy_to(const DiskCache& other) const;

  /// Keeps a list of what the entries are for, a text a line, in place of one that is there.
  ///   throws  unwritable: it cannot be put there; names the folder
  void list_served(std::span<const std::string> lines) const;
  /// That list; nothing where there is none.
  [[nodiscard]] std::optional<std::vector<std::string>> served() const;

  /// Held while one process compiles a kernel, so that others wait for its entry instead of
  /// compiling it too. Ends with the object or with the process.
  class Lock {
   public:
    Lock() = default;
    explicit Lock(int file) : file_(file) {}
    Lock(Lock&& other) noexcept : file_(other.file_) { other.file_ = -1; }
    Lock& operator=(Lock&&) = delete;
    ~Lock();

   private:
    int file_ = -1;
  };
  /// Waits while another process holds the lock of the same key, but not for ever: a holder that is
  /// stopped, or a file system without locks, costs a second compilation and nothing else.
  [[nodiscard]] Lock lock(const CacheKey& key) const;

  /// Every entry, by file name; each is read and checked.
  [[nodiscard]] std::vector<CacheEntry> list() const;
  /// Removes every entry, and what was left of unfinished ones; returns how many entries. What else
  /// lies in the folder stays.
  ///   throws  unwritable: the cache is read-only, or some entries stay
  [[nodiscard]] Index clear() const;

 private:
  std::string path_;
  CacheAccess access_;
  Index limit_bytes_;
};

}  // namespace jute
