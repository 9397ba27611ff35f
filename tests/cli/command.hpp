#pragma once
// Runs the built command.
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/process.hpp"

namespace jute::test {

/// Runs `jute ARGUMENTS…` without what the caller's environment asks of jute.
inline ProcessResult run_jute(const std::vector<std::string>& arguments, ProcessInput input = {}) {
  std::vector<std::string> line{JUTE_COMMAND};
  line.insert(line.end(), arguments.begin(), arguments.end());
  std::vector<std::pair<std::string, std::string>> environment;
  for (const char* name : {"JUTE_CACHE", "JUTE_LOG", "JUTE_DUMP_DIR", "JUTE_ARCH", "JUTE_DEVICE",
                           "JUTE_NVRTC", "JUTE_TEMPLATE_DIR", "NO_COLOR"})
    environment.emplace_back(name, "");
  environment.insert(environment.end(), input.environment.begin(), input.environment.end());
  input.environment = std::move(environment);
  return run_process(line, input);
}

/// A failure tells its reason on standard error alone, in lines that begin with `jute: `.
inline void require_refusal(const ProcessResult& result, int status, const std::string& part) {
  INFO("out: " << result.out << "err: " << result.err);
  CHECK(result.status == status);
  CHECK(result.out.empty());
  CHECK(result.err.starts_with("jute: "));
  CHECK(result.err.find(part) != std::string::npos);
}

}  // namespace jute::test
