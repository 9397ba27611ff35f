// Opens nothing that could wait, and reads no more than may be there.
#include "ranks/folder_texts.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace jute::ranks {

std::optional<FileText> file_text(const std::string& path, std::size_t most) {
  const int file = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  struct stat state {};
  std::optional<FileText> text;
  const bool is_regular = ::fstat(file, &state) == 0 && S_ISREG(state.st_mode);
  const auto size = static_cast<std::size_t>(state.st_size);
  if (is_regular && size <= most) {
    text = FileText{std::string(size, '\0'), state.st_mode};
    std::size_t at = 0;
    for (ssize_t count = 1; count > 0 && at < size;) {
      count = ::read(file, text->bytes.data() + at, size - at);
      if (count > 0) at += static_cast<std::size_t>(count);
    }
    text->bytes.resize(at);
  }
  (void)::close(file);
  if (!text) errno = is_regular ? EFBIG : EINVAL;
  return text;
}

}  // namespace jute::ranks
