// Generated sources and their binaries as files, for people to read.
#include "gemm/dump.hpp"

#include <jute/base/error.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace jute::gemm {
namespace {

[[noreturn]] void throw_unwritable(const std::filesystem::path& path, std::string detail) {
  throw Exception(
      {.code = ErrorCode::unwritable,
       .operand = "JUTE_DUMP_DIR",
       .value = path.string(),
       .violated_rules = {"it must be a folder that generated sources can be written to"},
       .detail = std::move(detail)});
}

/// A new file, of a name that no other process and thread uses; a link of that name is not
/// followed.
int create(const std::filesystem::path& path) {
  return open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

bool is_written(int file, const char* data, size_t size) {
  while (size > 0) {
    const ssize_t written = ::write(file, data, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    data += written;
    size -= static_cast<size_t>(written);
  }
  return true;
}

/// Complete under its name, or not at all; what has that name is replaced, a link is not followed.
void write(const std::filesystem::path& path, const char* data, size_t size) {
  static std::atomic<unsigned> count{0};
  const std::filesystem::path part = path.string() + "." + std::to_string(getpid()) + "-" +
                                     std::to_string(count.fetch_add(1)) + ".part";
  const int file = create(part);
  if (file < 0) throw_unwritable(path, std::strerror(errno));
  const bool is_whole = is_written(file, data, size);
  if (close(file) == 0 && is_whole && std::rename(part.c_str(), path.c_str()) == 0) return;
  const std::string reason = std::strerror(errno);
  unlink(part.c_str());
  throw_unwritable(path, reason);
}

}  // namespace

void dump(const std::string& directory, const Source& source, const Binary& binary) {
  const std::filesystem::path folder(directory);
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) throw_unwritable(folder, failure.message());
  write(folder / (source.symbol + ".cu"), source.text.data(), source.text.size());
  write(folder / (source.symbol + ".ptx"), binary.ptx.data(), binary.ptx.size());
  if (!binary.cubin.empty())
    write(folder / (source.symbol + ".cubin"), reinterpret_cast<const char*>(binary.cubin.data()),
          binary.cubin.size());
  if (!binary.log.empty())
    write(folder / (source.symbol + ".log"), binary.log.data(), binary.log.size());
}

}  // namespace jute::gemm
