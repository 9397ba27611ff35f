// Who owns a file and who may write it is asked of what was opened, not of its name.
#include "shim/private_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <jute/base/refuse.hpp>

#include <array>
#include <cerrno>
#include <cstring>

namespace jute::shim {

std::string fault_of(int file) {
  struct stat status {};
  if (::fstat(file, &status) != 0) return std::strerror(errno);
  if (!S_ISREG(status.st_mode)) return "it must be a regular file";
  if (status.st_uid != 0 && status.st_uid != ::geteuid()) return "it must be yours or root's";
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    return "nobody else must be allowed to write it: chmod go-w";
  return {};
}

int open_private(const std::string& path, int flags) {
  const int file = ::open(path.c_str(), flags | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file < 0 || fault_of(file).empty()) return file;
  ::close(file);
  return -1;
}

std::string read_private(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (file < 0)
    refuse(errno == ENOENT ? ErrorCode::file_not_found : ErrorCode::bad_file, "file", path,
           errno == ELOOP ? "it must be the file itself, and no link to one"
                          : "it must be a file that can be read");
  std::string text, fault = fault_of(file);
  std::array<char, 65536> part;
  ssize_t count = 0;
  while (fault.empty() && (count = ::read(file, part.data(), part.size())) > 0)
    text.append(part.data(), static_cast<std::size_t>(count));
  if (count < 0) fault = std::strerror(errno);
  ::close(file);
  if (!fault.empty()) refuse(ErrorCode::bad_file, "file", path, fault);
  return text;
}

}  // namespace jute::shim
