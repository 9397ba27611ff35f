// File operations of the kernel cache, relative to a folder that was checked once.
#include "jit/cache_folder.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/whole_file.hpp"

namespace jute::jit {
namespace {

constexpr mode_t kOwnerOnly = 0700;
constexpr std::int64_t kLargestEntry = std::int64_t{256} << 20;

std::string reason() { return std::strerror(errno); }

/// Why this folder's entries cannot be trusted; empty when they can.
std::string find_fault(int folder, bool for_writing) {
  struct stat status;
  if (::fstat(folder, &status) != 0) return "it cannot be examined: " + reason();
  const bool is_own = status.st_uid == ::geteuid();
  if (!is_own && (for_writing || status.st_uid != 0))
    return "it belongs to user " + std::to_string(status.st_uid) + ", not to " +
           std::to_string(::geteuid());
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0) return "others may write to it";
  if (for_writing && (status.st_mode & 0777) != kOwnerOnly && ::fchmod(folder, kOwnerOnly) != 0)
    return "its mode cannot be set to 0700: " + reason();
  return {};
}

bool read_all(int file, std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::read(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes = bytes.subspan(static_cast<size_t>(count));
  }
  return true;
}

}  // namespace

File::~File() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

CacheFolder::CacheFolder(const std::string& path, Missing missing, bool for_writing) {
  constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  folder_ = File(::open(path.c_str(), kFlags));
  if (!folder_.is_open() && errno == ENOENT) {
    if (missing == Missing::leave) return;
    std::error_code error;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
    if (::mkdir(path.c_str(), kOwnerOnly) != 0 && errno != EEXIST) {
      fault_ = "it cannot be made: " + reason();
      return;
    }
    folder_ = File(::open(path.c_str(), kFlags));
  }
  fault_ = folder_.is_open() ? find_fault(folder_.descriptor(), for_writing)
                             : "it cannot be opened as a folder: " + reason();
}

std::optional<std::vector<std::byte>> CacheFolder::read(const std::string& name) const {
  const File file(
      ::openat(folder_.descriptor(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  struct stat status;
  if (!file.is_open() || ::fstat(file.descriptor(), &status) != 0 || !S_ISREG(status.st_mode) ||
      status.st_size > kLargestEntry)
    return std::nullopt;
  std::vector<std::byte> bytes(static_cast<size_t>(status.st_size));
  if (!read_all(file.descriptor(), bytes)) return std::nullopt;
  return bytes;
}

bool CacheFolder::write(const std::string& name, std::span<const std::byte> bytes) const {
  if (static_cast<std::int64_t>(bytes.size()) > kLargestEntry) return false;
  // The bytes must be on disk before the name is: else a crash could leave the name of an empty
  // file. A damaged entry would only be a miss, but a lasting one.
  return base::write_whole({folder_.descriptor(), name, kTemporaryPrefix, 0600, base::Durable::yes},
                           bytes) == 0;
}

bool CacheFolder::remove(const std::string& name) const {
  return ::unlinkat(folder_.descriptor(), name.c_str(), 0) == 0;
}

void CacheFolder::touch(const std::string& name) const {
  (void)::utimensat(folder_.descriptor(), name.c_str(), nullptr, AT_SYMLINK_NOFOLLOW);
}

std::vector<FolderEntry> CacheFolder::list() const {
  std::vector<FolderEntry> entries;
  // A descriptor of its own: reading a folder moves its position, and fdopendir takes it over.
  const int copy = ::openat(folder_.descriptor(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* stream = copy < 0 ? nullptr : ::fdopendir(copy);
  if (stream == nullptr) return entries;
  while (const dirent* entry = ::readdir(stream)) {
    struct stat status;
    if (::fstatat(copy, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISREG(status.st_mode))
      continue;
    entries.push_back({entry->d_name, status.st_size,
                       status.st_mtim.tv_sec * std::int64_t{1000000000} + status.st_mtim.tv_nsec});
  }
  ::closedir(stream);
  return entries;
}

File CacheFolder::open_lock_file(const std::string& name) const {
  return File(::openat(folder_.descriptor(), name.c_str(),
                       O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
}

}  // namespace jute::jit
