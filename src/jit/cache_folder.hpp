#pragma once
// A folder that only its owner may write to, and the files in it. All names are looked up in the
// folder that was opened and checked, whatever happens to its path meanwhile.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace jute::jit {

/// A file descriptor that closes itself.
class File {
 public:
  explicit File(int descriptor = -1) : descriptor_(descriptor) {}
  File(File&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  File& operator=(File&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~File();
  [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }
  [[nodiscard]] int descriptor() const { return descriptor_; }
  /// Gives the descriptor away.
  [[nodiscard]] int release() { return std::exchange(descriptor_, -1); }

 private:
  int descriptor_;
};

struct FolderEntry {
  std::string name;
  std::int64_t bytes = 0;
  std::int64_t modified_ns = 0;
};

class CacheFolder {
 public:
  enum class Missing : std::uint8_t { leave, make };
  /// Opens a folder for reading entries, or for writing them too. `fault()` says why it may not be
  /// used; a folder that is missing and left so has no fault and is not open.
  CacheFolder(const std::string& path, Missing missing, bool for_writing);

  [[nodiscard]] bool is_open() const { return folder_.is_open() && fault_.empty(); }
  [[nodiscard]] const std::string& fault() const { return fault_; }

  /// The whole file; nothing when it is not there, no plain file, or larger than any entry.
  [[nodiscard]] std::optional<std::vector<std::byte>> read(const std::string& name) const;
  /// Makes a file appear with all its bytes, or not at all.
  [[nodiscard]] bool write(const std::string& name, std::span<const std::byte> bytes) const;
  bool remove(const std::string& name) const;
  /// Sets a file's time of modification to now.
  void touch(const std::string& name) const;
  [[nodiscard]] std::vector<FolderEntry> list() const;
  /// Opens or makes a file for locks.
  [[nodiscard]] File open_lock_file(const std::string& name) const;

 private:
  File folder_;
  std::string fault_;
};

/// Files being written have names that open with this.
inline constexpr const char* kTemporaryPrefix = ".new-";

}  // namespace jute::jit
