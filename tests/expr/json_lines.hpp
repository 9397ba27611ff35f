#pragma once
// Recorded results, a JSON object a line.
#include "support/catch.hpp"

#include <nlohmann/json.hpp>

#include <fstream>
#include <string>
#include <vector>

namespace jute::test {

/// Of a file in tests/golden.
inline std::vector<nlohmann::json> json_lines(const std::string& file) {
  std::ifstream in(std::string(JUTE_SOURCE_DIR "/tests/golden/") + file);
  REQUIRE(in);
  std::vector<nlohmann::json> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(nlohmann::json::parse(line));
  return lines;
}

}  // namespace jute::test
