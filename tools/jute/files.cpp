// Reading whole files, and writing them so that no partial one is ever seen.
#include "files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

namespace jute::command {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

[[noreturn]] void refuse_reading(const std::string& path, int error_number) {
  throw Exception(
      {.code = error_number == ENOENT ? ErrorCode::file_not_found : ErrorCode::file_unreadable,
       .operand = path,
       .violated_rules = {error_number == ENOENT ? "there is no such file"
                                                 : std::strerror(error_number)}});
}

std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

mode_t default_mode() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

}  // namespace

std::vector<std::byte> read_bytes(const std::string& path) {
  const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "rb"));
  if (!file) refuse_reading(path, errno);
  std::vector<std::byte> bytes;
  struct stat status {};
  if (fstat(fileno(file.get()), &status) == 0 && S_ISREG(status.st_mode))
    bytes.reserve(static_cast<size_t>(status.st_size) + 1);
  constexpr size_t kChunk = size_t{1} << 20;
  size_t got = 0;
  do {
    const size_t old_size = bytes.size();
    bytes.resize(old_size + std::max(kChunk, bytes.capacity() - old_size));
    got = std::fread(bytes.data() + old_size, 1, bytes.size() - old_size, file.get());
    bytes.resize(old_size + got);
  } while (got > 0);
  if (std::ferror(file.get()) != 0) refuse_reading(path, errno);
  return bytes;
}

std::string read_text(const std::string& path) {
  const std::vector<std::byte> bytes = read_bytes(path);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  struct stat status {};
  const bool exists = stat(path_.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) refuse(EISDIR);
  in_place_ = exists && !S_ISREG(status.st_mode);
  if (in_place_) {
    file_ = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (file_ < 0) refuse(errno);
    return;
  }
  if (path_.empty() || path_.ends_with('/')) refuse(path_.empty() ? ENOENT : EISDIR);
  if (exists && access(path_.c_str(), W_OK) != 0) refuse(errno);
  open_beside(folder_of(path_));
}

OutputFile::OutputFile(OutputFile&& other) noexcept { *this = std::move(other); }

OutputFile& OutputFile::operator=(OutputFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(temporary_, other.temporary_);
  std::swap(file_, other.file_);
  std::swap(in_place_, other.in_place_);
  return *this;
}

OutputFile::~OutputFile() {
  if (file_ >= 0) close(file_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

/// A nameless file vanishes with the process, whatever ends it; not every file system has them.
void OutputFile::open_beside(const std::string& folder) {
  file_ = open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  if (file_ >= 0) return;
  temporary_ = path_ + ".XXXXXX";
  file_ = mkostemp(temporary_.data(), O_CLOEXEC);
  if (file_ >= 0) {
    fchmod(file_, default_mode());
    return;
  }
  temporary_.clear();
  refuse(errno);
}

void OutputFile::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) refuse(written < 0 ? errno : EIO);
    bytes = bytes.subspan(static_cast<size_t>(written));
  }
}

void OutputFile::write(std::string_view text) { write(std::as_bytes(std::span(text))); }

/// Gives a nameless file a name of its own, which rename can then replace the target with.
void OutputFile::name_temporary() {
  const std::string self = "/proc/self/fd/" + std::to_string(file_);
  for (int attempt = 0; attempt < 100; ++attempt) {
    const std::string name =
        path_ + "." + std::to_string(getpid()) + "-" + std::to_string(attempt) + ".part";
    if (linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) {
      temporary_ = name;
      return;
    }
    if (errno != EEXIST) break;
  }
  refuse(errno);
}

void OutputFile::commit() {
  if (!in_place_) {
    if (temporary_.empty()) name_temporary();
    if (rename(temporary_.c_str(), path_.c_str()) != 0) refuse(errno);
    temporary_.clear();
  }
  const int file = std::exchange(file_, -1);
  if (close(file) != 0) refuse(errno);
}

void OutputFile::refuse(int error_number) const {
  throw Exception(
      {.code = ErrorCode::unwritable,
       .operand = path_.empty() ? "output" : path_,
       .violated_rules = {std::string("it cannot be written: ") + std::strerror(error_number)}});
}

}  // namespace jute::command
