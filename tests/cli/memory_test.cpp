// Memory that runs out, at every moment of a command.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <new>

#include "command/command_line.hpp"
#include "command/exit_status.hpp"
#include "command/run_command.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::command;

namespace {

/// How many requests are still granted: all of them but in a child of this test.
constinit thread_local long granted = std::numeric_limits<long>::max();

void* allocate(std::size_t bytes) {
  if (granted <= 0) return nullptr;
  --granted;
  return std::malloc(bytes == 0 ? 1 : bytes);
}

void* allocate_or_throw(std::size_t bytes) {
  if (void* memory = allocate(bytes)) return memory;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t bytes) { return allocate_or_throw(bytes); }
void* operator new[](std::size_t bytes) { return allocate_or_throw(bytes); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return allocate(bytes); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept { return allocate(bytes); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

struct End {
  int status = -1;  ///< as waitpid gives it
  std::string err;
};

/// Runs the command in a child that is granted so many requests for memory.
End run_granted(long count, const std::vector<const char*>& words, const std::string& err) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(::open("/dev/null", O_WRONLY), STDOUT_FILENO);
    ::dup2(::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
    for (const int signal : {SIGABRT, SIGSEGV}) ::signal(signal, SIG_DFL);  // Catch2 has its own
    granted = count;
    const int status = run_command(static_cast<int>(words.size()), words.data(), jute_command);
    granted = std::numeric_limits<long>::max();
    ::_exit(status);
  }
  End end;
  ::waitpid(child, &end.status, 0);
  std::ifstream file(err);
  end.err.assign(std::istreambuf_iterator<char>(file), {});
  return end;
}

}  // namespace

TEST_CASE("memory that runs out is told, at whatever moment", "[cli][refusal]") {
  const test::TemporaryFolder folder;
  const std::vector<std::vector<const char*>> lines{
      {"jute", "plan", "--m", "64", "--n", "64", "--k", "64", "--arch", "sm_80"},
      {"jute", "plan", "--m", "512", "--n", "512", "--k", "512", "--mesh", "tp=2", "--place",
       "A=M@tp,B=N@tp,D=M@tp", "--arch", "sm_90"},
      {"jute", "eval", "complement(4:2,64)", "--json"},
      {"jute", "plam"}};
  for (const auto& words : lines) {
    int told = 0;
    long count = 0;
    for (;; count += 1 + count / 10) {
      const End end = run_granted(count, words, folder.file("err"));
      INFO(words[1] << " with " << count << " requests granted, status " << end.status << ": "
                    << end.err);
      REQUIRE(WIFEXITED(end.status));
      if (WEXITSTATUS(end.status) != kEnvironmentLacks) break;
      REQUIRE(end.err.find("host memory") != std::string::npos);
      ++told;
    }
    // It ends otherwise only where it is granted all that it asks for.
    CHECK(told > 10);
    const End whole = run_granted(std::numeric_limits<long>::max(), words, folder.file("err"));
    const End enough = run_granted(count, words, folder.file("err"));
    CHECK(whole.status == enough.status);
    CHECK(whole.err == enough.err);
  }
}
