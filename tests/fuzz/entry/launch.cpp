// libFuzzer entry: launches. Any text is read as a launch file where it begins with a brace,
// otherwise as the words of a launch, one a line, or it is refused with a rule.
#include <jute/base/error.hpp>

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <string>

#include "emulate/launch/argument_words.hpp"
#include "emulate/launch/launch_file.hpp"

using namespace jute;

namespace {

/// Kernel, grid, block, cluster, then arguments, one a line.
command::LaunchWords words_of(const std::string& text) {
  command::LaunchWords words;
  std::istringstream lines(text);
  for (std::string* word : {&words.kernel, &words.grid, &words.block, &words.cluster})
    std::getline(lines, *word);
  for (std::string word; std::getline(lines, word);) words.arguments.push_back(word);
  return words;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  try {
    if (text.starts_with('{'))
      (void)command::parse_launch_file(text, "launch.json");
    else
      (void)command::launch_of_words(words_of(text), "k.ptx");
  } catch (const Exception& exception) {
    const Error& error = exception.error();
    if (error.violated_rules.empty() && error.detail.empty())
      throw std::logic_error(std::string("refused without a rule: ") + exception.what());
  }
  return 0;
}
