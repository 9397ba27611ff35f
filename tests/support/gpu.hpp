#pragma once
// Runs a test's work on the GPU, in a child process with a watchdog.
#include <jute/device/device.hpp>

#include <functional>
#include <string>

#include "support/catch.hpp"
#include "support/child_process.hpp"

namespace jute::test {

/// The text that the work returns. Without a GPU the test ends as failed, with a message that opens
/// with `SKIPPED`: a run that never touched a GPU is no pass.
inline std::string on_gpu(const std::function<std::string()>& work, int seconds = 10) {
  static const bool has_gpu =
      run_in_child([] { return std::string(find_driver() ? "yes" : "no"); }).output == "yes";
  if (!has_gpu) FAIL("SKIPPED: this test needs an NVIDIA GPU with its driver");
  const ChildResult result = run_in_child(work, seconds);
  INFO(result.output);
  REQUIRE(result.end == ChildResult::End::returned);
  return result.output;
}

inline void expect_on_gpu(const std::function<std::string()>& work, const std::string& expected) {
  const std::string text = on_gpu(work);
  CHECK(text == expected);
}

}  // namespace jute::test
