// Finds programs, feeds them files, reads what they say.
#include "programs/child_program.hpp"

#include <jute/base/error.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <new>
#include <sstream>

namespace jute::command {

std::vector<std::string> folders_of_path() {
  const char* path = std::getenv("PATH");
  std::istringstream rest(path == nullptr ? "" : path);
  std::vector<std::string> folders;
  for (std::string folder; std::getline(rest, folder, ':');) folders.push_back(folder);
  return folders;
}

std::optional<std::string> found_program(const std::string& name,
                                         const std::vector<std::string>& folders) {
  for (const std::string& folder : folders) {
    const std::string file = folder + "/" + name;
    if (!folder.empty() && access(file.c_str(), X_OK) == 0) return file;
  }
  return std::nullopt;
}

TemporaryFile::TemporaryFile(std::span<const std::byte> bytes) {
  const char* folder = std::getenv("TMPDIR");
  path_ = std::string(folder == nullptr || *folder == '\0' ? "/tmp" : folder) + "/jute-XXXXXX";
  const int file = mkstemp(path_.data());
  const bool written =
      file >= 0 && ::write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
  if (file >= 0) close(file);
  if (written) return;
  if (file >= 0) unlink(path_.c_str());
  refuse(ErrorCode::unwritable, path_, "", "the folder must let temporary files be written");
}

TemporaryFile::~TemporaryFile() { unlink(path_.c_str()); }

std::optional<std::string> output_of_program(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  int ends[2];
  if (pipe(ends) != 0) throw std::bad_alloc();
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    execv(arguments.front(), arguments.data());
    _exit(127);
  }
  close(ends[1]);
  std::string text;
  std::array<char, 65536> buffer;
  for (ssize_t count = 0; (count = ::read(ends[0], buffer.data(), buffer.size())) > 0;)
    text.append(buffer.data(), static_cast<size_t>(count));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0) return text;
  return std::nullopt;
}

}  // namespace jute::command
