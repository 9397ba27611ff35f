// Workers behind pipes.
#include "programs/worker_process.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <iostream>

#include "command/command_line.hpp"

namespace jute::command {
namespace {

void send(int file, const std::string& line) {
  const std::string text = line + "\n";
  for (size_t at = 0; at < text.size();) {
    const ssize_t written = ::write(file, text.data() + at, text.size() - at);
    if (written <= 0) ::_exit(kLaunchFailed);
    at += static_cast<size_t>(written);
  }
}

[[noreturn]] void run(const WorkerTask& task, int file, const Telling& refusals) {
  int status = kDone;
  try {
    task([file](const std::string& line) { send(file, line); });
  } catch (const Exception& refusal) {
    tell(std::cerr, refusal.error(), refusals);
    status = exit_status(refusal.error().code);
  } catch (const std::exception& failure) {
    std::cerr << "jute: internal: " << failure.what() << '\n';
    status = kLaunchFailed;
  }
  std::cerr.flush();
  ::_exit(status);
}

[[noreturn]] void refuse_call(const char* call, const char* rule) {
  command::refuse(ErrorCode::internal, call, "", rule);
}

}  // namespace

WorkerProcess WorkerProcess::start(const WorkerTask& task, const Telling& refusals) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) refuse_call("pipe", "the system must have file descriptors left");
  std::cout.flush();
  WorkerProcess worker;
  worker.process_ = ::fork();
  if (worker.process_ < 0) {
    for (const int end : ends) ::close(end);
    refuse_call("fork", "the system must have room for another process");
  }
  if (worker.process_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::signal(SIGINT, SIG_IGN);
    ::close(ends[0]);
    run(task, ends[1], refusals);
  }
  ::close(ends[1]);
  worker.file_ = ends[0];
  return worker;
}

bool WorkerProcess::read(const SayLine& take) {
  std::array<char, 65536> bytes;
  const ssize_t count = ::read(file_, bytes.data(), bytes.size());
  if (count <= 0) return false;
  pending_.append(bytes.data(), static_cast<size_t>(count));
  for (size_t end = 0; (end = pending_.find('\n')) != std::string::npos;) {
    const std::string line = pending_.substr(0, end);
    pending_.erase(0, end + 1);
    take(line);
  }
  return true;
}

void WorkerProcess::kill() const { ::kill(process_, SIGKILL); }

WorkerEnd WorkerProcess::finish() const {
  ::close(file_);
  int status = 0;
  ::waitpid(process_, &status, 0);
  if (!WIFEXITED(status)) return {kLaunchFailed, true};
  return {WEXITSTATUS(status), false};
}

}  // namespace jute::command
