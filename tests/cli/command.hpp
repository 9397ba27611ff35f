#pragma once
// Runs the built command.
#include <sstream>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/process.hpp"

namespace jute::test {

/// The same, without what the caller's environment asks of jute.
inline ProcessInput without_own_environment(ProcessInput input) {
  std::vector<std::pair<std::string, std::string>> environment;
  for (const char* name :
       {"JUTE_CACHE", "JUTE_CACHE_LAYERS", "JUTE_COMPILE", "JUTE_LOG", "JUTE_DUMP_DIR", "JUTE_ARCH",
        "JUTE_DEVICE", "JUTE_NVRTC", "JUTE_TEMPLATE_DIR", "JUTE_TUNED", "JUTE_STAND_IN",
        "JUTE_STAND_IN_FINDINGS", "NO_COLOR"})
    environment.emplace_back(name, "");
  environment.insert(environment.end(), input.environment.begin(), input.environment.end());
  input.environment = std::move(environment);
  return input;
}

/// Runs `jute ARGUMENTS…` without what the caller's environment asks of jute.
inline ProcessResult run_jute(const std::vector<std::string>& arguments, ProcessInput input = {}) {
  std::vector<std::string> line{JUTE_COMMAND};
  line.insert(line.end(), arguments.begin(), arguments.end());
  return run_process(line, without_own_environment(std::move(input)));
}

/// Words of a command line; quotes keep blanks.
inline std::vector<std::string> command_words(const std::string& line) {
  std::vector<std::string> list;
  std::istringstream text(line);
  for (std::string word; text >> word;) {
    if (word.front() == '\'') {
      while (word.back() != '\'') {
        std::string more;
        text >> more;
        word += " " + more;
      }
      word = word.substr(1, word.size() - 2);
    }
    list.push_back(word);
  }
  return list;
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
