// Reading whole files, and writing them so that no partial one is ever seen.
#include "files/files.hpp"

#include <jute/base/nearest_name.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <utility>

#include "tree/command_tree.hpp"

namespace jute::command {
namespace {

std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

enum class Kind : std::uint8_t { file, folder };

std::string digits_in(std::string text) {
  std::erase_if(text, [](char c) { return c < '0' || c > '9'; });
  return text;
}

/// A neighbour of the path, of that kind, with the nearest name; nothing where none is near.
/// Where the numbers are others, it is another one of a series, and what ends otherwise is of
/// another kind.
std::optional<std::string> nearest_path(const std::string& path, Kind kind) {
  const size_t start = path.rfind('/') == std::string::npos ? 0 : path.rfind('/') + 1;
  const std::filesystem::path typed = path.substr(start);
  std::vector<std::string> names;
  std::error_code error;
  constexpr size_t kMost = 10000;
  for (std::filesystem::directory_iterator file(folder_of(path), error), end;
       !error && file != end && names.size() < kMost; file.increment(error)) {
    std::error_code unknown;
    const std::filesystem::path& name = file->path();
    if (file->is_directory(unknown) == (kind == Kind::folder) &&
        name.extension() == typed.extension() && digits_in(name.stem()) == digits_in(typed.stem()))
      names.push_back(name.stem().string());
  }
  std::ranges::sort(names);
  const auto near = nearest_name(typed.stem().string(), names);
  return near ? std::optional(path.substr(0, start) + *near + typed.extension().string())
              : std::nullopt;
}

[[noreturn]] void refuse_reading(const std::string& path, const std::string& rule) {
  command::refuse(ErrorCode::file_unreadable, path, "", rule);
}

[[noreturn]] void refuse_reading(const std::string& path, int error_number) {
  if (error_number != ENOENT)
    refuse_reading(path, std::string("it must be readable: ") + std::strerror(error_number));
  command::refuse(ErrorCode::file_not_found, "file", path, "there must be such a file",
                  nearest_path(path, Kind::file));
}

/// A file, or a pipe that somebody writes: neither is waited for when it is opened, and no device
/// is read without end.
class InputFile {
 public:
  explicit InputFile(const std::string& path)
      : path_(path), file_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (file_ < 0) refuse_reading(path, errno);
    if (fstat(file_, &status_) != 0) fail(errno);
    if (S_ISDIR(status_.st_mode)) fail(EISDIR);
    if (!S_ISREG(status_.st_mode) && !S_ISFIFO(status_.st_mode) && !S_ISSOCK(status_.st_mode))
      fail("it must be a file or a pipe, not a device");
  }
  ~InputFile() { close(file_); }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  [[nodiscard]] bool is_regular() const { return S_ISREG(status_.st_mode); }
  [[nodiscard]] size_t size_bytes() const { return static_cast<size_t>(status_.st_size); }

  size_t read(std::byte* target, size_t most) {
    for (;;) {
      const ssize_t count = ::read(file_, target, most);
      if (count > 0) started_ = true;
      if (count == 0 && !is_regular() && !started_)
        fail("it must be a file, or a pipe into which something is written");
      if (count >= 0) return static_cast<size_t>(count);
      if (errno == EAGAIN) {
        fcntl(file_, F_SETFL, 0);  // somebody will write
      } else if (errno != EINTR) {
        fail(errno);
      }
    }
  }

  template <class Reason>
  [[noreturn]] void fail(const Reason& reason) {
    close(std::exchange(file_, -1));
    refuse_reading(path_, reason);
  }

 private:
  const std::string& path_;
  int file_ = -1;
  struct stat status_ {};
  bool started_ = false;
};

/// Is it there, and no file: a device or a pipe? /dev/stdout is a link to one without a path.
bool is_stream(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

/// The file that a path leads to behind its links, which need not exist.
std::string followed(std::string path) {
  if (is_stream(path)) return path;
  constexpr int kMostLinks = 40;
  for (int i = 0; i < kMostLinks; ++i) {
    std::array<char, PATH_MAX> target{};
    const ssize_t length = readlink(path.c_str(), target.data(), target.size());
    if (length <= 0) break;
    const std::string next(target.data(), static_cast<size_t>(length));
    path = next.starts_with('/') ? next : folder_of(path) + "/" + next;
  }
  return path;
}

/// One name for all paths that lead to a file, which need not exist; empty for devices and pipes.
std::string name_of_place(const std::string& path) {
  std::error_code failed;
  const std::filesystem::path end = std::filesystem::absolute(followed(path), failed);
  const std::filesystem::file_status status = std::filesystem::status(end, failed);
  if (exists(status) && !is_regular_file(status)) return {};
  const std::filesystem::path canonical = std::filesystem::weakly_canonical(end, failed);
  return (failed ? end.lexically_normal() : canonical).string();
}

mode_t default_mode() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

}  // namespace

std::vector<std::byte> read_bytes(const std::string& path) {
  InputFile file(path);
  std::vector<std::byte> bytes;
  constexpr size_t kChunk = size_t{1} << 20;
  constexpr size_t kMostOfPipe = size_t{1} << 30;
  if (file.is_regular()) bytes.reserve(file.size_bytes() + 1);
  for (size_t got = 1; got > 0;) {
    const size_t old_size = bytes.size();
    bytes.resize(old_size + std::max(kChunk, bytes.capacity() - old_size));
    got = file.read(bytes.data() + old_size, bytes.size() - old_size);
    bytes.resize(old_size + got);
    if (!file.is_regular() && bytes.size() > kMostOfPipe)
      file.fail("it must be a file, or a pipe of at most 1 GiB");
  }
  return bytes;
}

std::vector<std::byte> read_bytes(const std::string& path, std::size_t most) {
  InputFile file(path);
  std::vector<std::byte> bytes(most);
  std::size_t size = 0;
  for (std::size_t got = 1; got > 0 && size < most; size += got)
    got = file.read(bytes.data() + size, most - size);
  bytes.resize(size);
  return bytes;
}

bool is_regular_file(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

void require_folder(const std::string& what, const std::string& path) {
  struct stat status {};
  const bool exists = stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) return;
  command::refuse(ErrorCode::file_not_found, what, path,
                  exists ? "it must be a folder" : "there must be such a folder",
                  nearest_path(path, Kind::folder));
}

std::string read_text(const std::string& path) {
  const std::vector<std::byte> bytes = read_bytes(path);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// A link is followed, so that it stays one; a file keeps its mode.
std::string step_path(const std::string& path, size_t step) {
  const size_t slash = path.rfind('/');
  const size_t name = slash == std::string::npos ? 0 : slash + 1;
  size_t dot = path.rfind('.');
  if (dot == std::string::npos || dot <= name) dot = path.size();
  return path.substr(0, dot) + "." + std::to_string(step) + path.substr(dot);
}

std::optional<SharedPlace> shared_place(const std::vector<PlannedFile>& files) {
  std::map<std::string, size_t> places;
  for (size_t i = 0; i < files.size(); ++i) {
    const std::string name = files[i].path.empty() ? "" : name_of_place(files[i].path);
    const auto [place, is_new] = places.emplace(name, i);
    if (!is_new && !name.empty()) return SharedPlace{place->second, i};
  }
  return std::nullopt;
}

void require_distinct(const std::vector<PlannedFile>& files) {
  const auto shared = shared_place(files);
  if (!shared) return;
  const PlannedFile &first = files[shared->first], &second = files[shared->second];
  refuse_usage(second.writer, second.path,
               "it must be another file than that of " + first.writer + ", " + first.path);
}

OutputFile::OutputFile(std::string path) : path_(followed(std::move(path))) {
  if (path_ == "-")
    refuse_usage("file", path_, "it must be a file: standard output has what is told");
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
  if (exists) fchmod(file_, status.st_mode & 07777);
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
  // Where a folder is missing, the file could lie here.
  const size_t slash = path_.rfind('/');
  const bool has_place = error_number != ENOENT || slash == std::string::npos;
  command::refuse(ErrorCode::unwritable, "file", path_.empty() ? "output" : path_,
                  std::string("it must be writable: ") + std::strerror(error_number),
                  has_place ? std::nullopt : std::optional(path_.substr(slash + 1)));
}

namespace {

/// A picture for one of another kind; the nearest; or the first.
std::string nearest_suffix(const std::string& suffix, const std::vector<std::string>& known) {
  constexpr std::string_view kPictures[] = {".png", ".jpg", ".jpeg", ".gif", ".bmp"};
  const auto picture = std::ranges::find(known, ".svg");
  if (picture != known.end() && std::ranges::find(kPictures, suffix) != std::end(kPictures))
    return *picture;
  return nearest_name(suffix, known).value_or(known.front());
}

}  // namespace

void check_suffix(const std::string& path, const std::vector<std::string>& known,
                  const std::string& option) {
  const auto ends = [&](const std::string& suffix) { return path.ends_with(suffix); };
  if (path.empty() || path == "-" || std::ranges::any_of(known, ends) || is_stream(path)) return;
  const size_t dot = path.find_last_of("./");
  const bool has_suffix = dot != std::string::npos && path[dot] == '.';
  const std::string stem = has_suffix ? path.substr(0, dot) : path;
  const std::string suffix = has_suffix ? path.substr(dot) : std::string();
  std::string kinds;
  for (const std::string& kind : known)
    kinds += (kinds.empty() ? "" : &kind == &known.back() ? " or " : ", ") + kind;
  command::refuse(ErrorCode::wrong_type, option, path, "it must end with " + kinds,
                  stem + nearest_suffix(suffix, known));
}

void refuse_standard_output(const std::string& path) {
  if (path != "-") return;
  refuse_usage("-o", path, "it must be a file: a matrix is not written to standard output");
}

OutputFile matrix_file(const std::string& path) {
  refuse_standard_output(path);
  OutputFile file(path);
  if (!file.is_in_place()) check_suffix(path, {".npy"});
  return file;
}

}  // namespace jute::command
