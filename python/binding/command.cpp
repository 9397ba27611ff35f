// The jute command, in this process.
#include "convert.hpp"
#include "module.hpp"
#ifdef JUTE_WITH_COMMAND
#include "command/run_command.hpp"
#endif

namespace jute::python {

using namespace nanobind::literals;

namespace {

int run_words(const std::vector<std::string>& words) {
#ifdef JUTE_WITH_COMMAND
  std::vector<const char*> arguments;
  for (const std::string& word : words) arguments.push_back(word.c_str());
  const nb::gil_scoped_release release;
  return command::run_command(static_cast<int>(arguments.size()), arguments.data());
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
