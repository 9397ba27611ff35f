// The jute command, in this process.
#include "convert.hpp"
#include "module.hpp"
#ifdef JUTE_WITH_COMMAND
#include "bench/bench.hpp"
#include "command/command_line.hpp"
#include "command/run_command.hpp"
#endif

namespace jute::python {

using namespace nanobind::literals;

namespace {

#ifdef JUTE_WITH_COMMAND
/// A race runs in this process too: a wheel has no programs beside it.
command::Command whole_command(command::CommonOptions& common) {
  return command::jute_command(common, command::add_race);
}
#endif

int run_words(const std::vector<std::string>& words) {
#ifdef JUTE_WITH_COMMAND
  std::vector<const char*> arguments;
  for (const std::string& word : words) arguments.push_back(word.c_str());
  const nb::gil_scoped_release release;
  return command::run_command(static_cast<int>(arguments.size()), arguments.data(), whole_command);
#else
  refuse(ErrorCode::unsupported, "jute", words.empty() ? "" : words.front(),
         "this package must be built with JUTE_BUILD_COMMAND to have the command");
#endif
}

}  // namespace

void add_command(nb::module_& core) {
  core.def("command", run_words, "words"_a,
           "Runs `jute WORD…`; the exit status. words[0] is its name");
}

}  // namespace jute::python
