#pragma once
// What the process that touches the GPU tells the one that watches it: a line a fact.
#include <string>

#include "race/results/results.hpp"

namespace jute::bench {

/// A line of the worker, taken apart: a word, and the rest behind a tab.
struct Message {
  std::string word, text;
};
[[nodiscard]] Message message_of(const std::string& line);

[[nodiscard]] std::string to_wire(const Machine& machine);
/// throws  bad_file
[[nodiscard]] Machine machine_of_wire(const std::string& text);
/// All but its results.
[[nodiscard]] std::string to_wire(const CaseReport& report);
[[nodiscard]] CaseReport report_of_wire(const std::string& text);

}  // namespace jute::bench
