// jute-bench, the program that races: what `jute bench` starts, and the same words behind a name of
// its own.
#include <string_view>
#include <vector>

#include "bench/bench.hpp"
#include "command/command_line.hpp"
#include "command/run_command.hpp"

namespace jute::command {
namespace {

Command bench_command(CommonOptions& common) { return jute_of(common, {{"Run", {add_race}}}); }

/// `jute` starts it under the name of its own, and with the whole of its line.
bool is_whole_line(std::string_view program) {
  return program.substr(program.rfind('/') + 1) == "jute";
}

}  // namespace
}  // namespace jute::command

int main(int count, char** arguments) {
  std::vector<const char*> words(arguments, arguments + count);
  if (count > 0 && !jute::command::is_whole_line(words.front()))
    words.insert(words.begin() + 1, "bench");
  return jute::command::run_command(static_cast<int>(words.size()), words.data(),
                                    jute::command::bench_command);
}
