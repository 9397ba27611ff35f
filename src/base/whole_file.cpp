// A file under a name of its own, renamed when it is complete.
#include "base/whole_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>

namespace jute::base {
namespace {

/// 0, or the number of an error.
int write_all(int file, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return count < 0 ? errno : EIO;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return 0;
}

/// 0, or the number of an error; the file is closed.
int fill(int file, std::span<const std::byte> bytes, Durable durable) {
  int fault = write_all(file, bytes);
  if (fault == 0 && durable == Durable::yes && ::fsync(file) != 0) fault = errno;
  if (::close(file) != 0 && fault == 0) fault = errno;
  return fault;
}

}  // namespace

int write_whole(const WholeFile& file, std::span<const std::byte> bytes) {
  static std::atomic<std::uint64_t> next = 0;
  const std::string part =
      file.part_prefix + std::to_string(::getpid()) + "-" + std::to_string(next++);
  const int descriptor = ::openat(file.folder, part.c_str(),
                                  O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, file.mode);
  if (descriptor < 0) return errno;
  int fault = fill(descriptor, bytes, file.durable);
  if (fault == 0 && ::renameat(file.folder, part.c_str(), file.folder, file.name.c_str()) != 0)
    fault = errno;
  if (fault != 0) (void)::unlinkat(file.folder, part.c_str(), 0);
  return fault;
}

}  // namespace jute::base
