// A secret is a file that its owner alone can read.
#include <fcntl.h>
#include <unistd.h>
#include <jute/base/error.hpp>
#include <jute/base/refuse.hpp>
#include <jute/ranks/secret.hpp>

#include <cerrno>
#include <cstring>

#include "base/format.hpp"
#include "base/sha256.hpp"
#include "ranks/folder_texts.hpp"

namespace jute {

std::string read_secret(const std::string& path) {
  constexpr std::size_t kLeast = 16, kMost = 4096;
  constexpr unsigned kOthers = 077;
  const auto refuse = [&](ErrorCode code, std::string rule) {
    jute::refuse(code, "JUTE_RENDEZVOUS_SECRET", path, std::move(rule));
  };
  const auto text = ranks::file_text(path, kMost);
  if (!text)
    refuse(errno == ENOENT ? ErrorCode::file_not_found : ErrorCode::file_unreadable,
           base::format("it must be a file of {} to {} bytes: {}", kLeast, kMost,
                        std::strerror(errno)));
  if ((text->mode & kOthers) != 0)
    refuse(ErrorCode::bad_file,
           base::format("it must be its owner's alone, of mode 600, not {:o}: chmod 600 {}",
                        text->mode & 0777, path));
  if (text->bytes.size() < kLeast)
    refuse(ErrorCode::bad_file,
           base::format("it must have {} bytes or more, not {}", kLeast, text->bytes.size()));
  return text->bytes;
}

void make_secret(const std::string& path) {
  const std::string bytes = base::random_bytes(base::kDigestBytes);
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  const bool is_written =
      file >= 0 && ::write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
  const int error = errno;
  if (file >= 0) (void)::close(file);
  if (!is_written)
    jute::refuse(ErrorCode::unwritable, "secret", path,
                 base::format("it must be a new file: {}", std::strerror(error)));
}

}  // namespace jute
