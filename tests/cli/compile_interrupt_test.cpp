// Ctrl-C while the command compiles.
#include <csignal>
#include <filesystem>

#include "cli/command.hpp"
#include "files/files.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::test;

namespace {

/// Status of `jute cubin … -o kernel.cubin` in that folder, which has a signal after so long.
int interrupted_compile(const std::string& folder, int signal, int microseconds) {
  const std::vector<std::string> line{JUTE_COMMAND, "cubin", "--m", "512",
                                      "--n",        "512",   "--k", "512",
                                      "--type",     "f16",   "-o",  "kernel.cubin"};
  const pid_t child = ::fork();
  if (child == 0) {
    const int nowhere = ::open("/dev/null", O_WRONLY);
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
    process::become(
        line, without_own_environment(
                  {.environment = {{"JUTE_CACHE_DIR", folder + "/cache"}}, .folder = folder}));
  }
  ::usleep(static_cast<useconds_t>(microseconds));
  ::kill(child, signal);
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

}  // namespace

TEST_CASE("a signal ends a command that compiles by that signal, with nothing half written",
          "[cli][ptx][interrupt]") {
  for (const int signal : {SIGINT, SIGTERM})
    for (const int microseconds : {5'000, 30'000, 80'000, 150'000, 300'000}) {
      INFO("signal " << signal << " after " << microseconds << " us");
      const TemporaryFolder folder;
      const int status = interrupted_compile(folder.path().string(), signal, microseconds);
      const bool is_ended = WIFSIGNALED(status) && WTERMSIG(status) == signal;
      const bool is_done = WIFEXITED(status) && WEXITSTATUS(status) == 0;
      INFO("status " << status);
      CHECK((is_ended || is_done));
      for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
        const std::string name = entry.path().filename().string();
        CHECK((name == "cache" || name == "kernel.cubin"));
      }
      const std::string kernel = folder.file("kernel.cubin");
      if (std::filesystem::exists(kernel))
        CHECK(
            command::read_text(kernel).starts_with("\x7f"
                                                   "ELF"));
      // What is in the cache serves.
      const ProcessResult again =
          run_jute({"cubin", "--m", "512", "--n", "512", "--k", "512", "--type", "f16", "-o",
                    "kernel.cubin"},
                   {.environment = {{"JUTE_CACHE_DIR", folder.file("cache")}},
                    .folder = folder.path().string()});
      INFO(again.err);
      CHECK(again.status == 0);
    }
}
