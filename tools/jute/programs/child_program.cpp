// Finds programs, starts them, feeds them files, reads what they say.
#include "programs/child_program.hpp"

#include <jute/base/error.hpp>
#include <jute/base/split_at.hpp>

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <new>

#include "command/command_line.hpp"

namespace jute::command {

namespace {

/// As exec takes them.
std::vector<char*> arguments_of(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  return arguments;
}

}  // namespace

std::vector<std::string> folders_of_path() {
  const char* path = std::getenv("PATH");
  return split_at<std::string>(':', path == nullptr ? "" : path);
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
  const std::vector<char*> arguments = arguments_of(words);
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

namespace {

constexpr int kSignalled = 128;

[[noreturn]] void refuse_start(const std::string& program, int error_number) {
  const bool is_missing = error_number == ENOENT;
  command::refuse(
      is_missing ? ErrorCode::file_not_found : ErrorCode::bad_file, "program", program,
      std::string("it must be a program that can be executed: ") + std::strerror(error_number));
}

/// Leaves interrupts to the program while it runs.
class WithoutInterrupts {
 public:
  WithoutInterrupts() : before_(::signal(SIGINT, SIG_IGN)) {}
  ~WithoutInterrupts() { ::signal(SIGINT, before_); }
  WithoutInterrupts(const WithoutInterrupts&) = delete;
  WithoutInterrupts& operator=(const WithoutInterrupts&) = delete;

 private:
  void (*before_)(int);
};

}  // namespace

pid_t start_program(const std::vector<std::string>& words, const std::function<void()>& in_child,
                    const std::function<void(pid_t)>& in_parent) {
  const std::vector<char*> arguments = arguments_of(words);
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) refuse_start(words.front(), errno);
  std::cout.flush();
  const pid_t child = ::fork();
  if (child == 0) {
    in_child();
    ::execvp(arguments[0], arguments.data());
    const int reason = errno;
    (void)!::write(ends[1], &reason, sizeof reason);
    ::_exit(kSignalled - 1);
  }
  ::close(ends[1]);
  if (child > 0) in_parent(child);
  int failure = EAGAIN;
  const bool has_failed = child < 0 || ::read(ends[0], &failure, sizeof failure) == sizeof failure;
  ::close(ends[0]);
  if (!has_failed) return child;
  if (child > 0) ::waitpid(child, nullptr, 0);
  refuse_start(words.front(), failure);
}

int exit_status_of(int status) {
  return WIFSIGNALED(status) ? kSignalled + WTERMSIG(status) : WEXITSTATUS(status);
}

int status_of_program(const std::vector<std::string>& words, const Variables& variables) {
  const auto set = [&] {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    for (const auto& [name, value] : variables) ::setenv(name.c_str(), value.c_str(), 1);
  };
  std::optional<WithoutInterrupts> while_it_runs;
  const pid_t child = start_program(words, set, [&](pid_t) { while_it_runs.emplace(); });
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return exit_status_of(status);
}

void become_beside(const std::string& program, std::span<const std::string> words) {
  const auto own = std::filesystem::canonical("/proc/self/exe").parent_path();
  std::vector<std::string> line{"jute"};
  line.insert(line.end(), words.begin(), words.end());
  const std::string path = (own / program).string();
  const std::vector<char*> arguments = arguments_of(line);
  std::cout.flush();
  ::execv(path.c_str(), arguments.data());
  refuse_start(path, errno);
}

}  // namespace jute::command
