#pragma once
// Many processes with many threads on one cache folder, some of them killed at a random moment.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <random>
#include <thread>
#include <vector>

#include "support/catch.hpp"
#include "support/fake_kernels.hpp"
#include "support/temporary_folder.hpp"

namespace jute::test {

struct CrashRound {
  int processes = 3;
  int threads = 8;
  int kernels = 12;
  int lookups = 30;  ///< of each thread
  unsigned seed = 0;
};

/// What a child process does; its exit status: 0 fine, 2 a wrong kernel, 3 compiled twice.
inline int use_cache(const std::string& folder, const CrashRound& round, unsigned seed) {
  std::vector<std::atomic<int>> compiles(static_cast<size_t>(round.kernels));
  const KernelCompiler compiler{
      .build = [] { return std::string("build"); },
      .compile =
          [&](const Source& source, Output output) {
            ++compiles[static_cast<size_t>(std::stoi(source.symbol.substr(7)))];
            std::this_thread::sleep_for(std::chrono::microseconds(500));
            return numbered_binary(source, output);
          }};
  const KernelCache cache(KernelCacheOptions{.directory = folder}, compiler);
  std::atomic<int> status = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < round.threads; ++t)
    threads.emplace_back([&, t] {
      std::mt19937 random(seed * 1000 + static_cast<unsigned>(t));
      for (int i = 0; i < round.lookups; ++i) {
        const Source source =
            numbered_source(static_cast<int>(random() % static_cast<unsigned>(round.kernels)));
        if (cache.get(source, Output::ptx_and_cubin) !=
            numbered_binary(source, Output::ptx_and_cubin))
          status = 2;
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const auto& count : compiles)
    if (count > 1) status = 3;
  return status;
}

/// One round: half of the processes are killed. Nobody may get a wrong kernel, and what is left
/// must be whole.
inline void run_crash_round(const CrashRound& round) {
  const TemporaryFolder folder;
  const std::string directory = folder.file("cache");
  std::mt19937 random(round.seed);
  std::vector<pid_t> children;
  for (int p = 0; p < round.processes; ++p) {
    const auto seed = static_cast<unsigned>(random());
    const pid_t child = ::fork();
    if (child == 0) ::_exit(use_cache(directory, round, seed));
    children.push_back(child);
  }
  for (size_t p = 0; p < children.size(); p += 2) {
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 15000));
    ::kill(children[p], SIGKILL);
  }
  for (const pid_t child : children) {
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    const bool is_fine = (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) ||
                         (WIFEXITED(status) && WEXITSTATUS(status) == 0);
    INFO("exit status " << (WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status)));
    REQUIRE(is_fine);
  }
  for (const CacheEntry& entry : DiskCache(directory).list()) REQUIRE(entry.fault.empty());
  REQUIRE(use_cache(directory, round, round.seed) == 0);
}

}  // namespace jute::test
