// The jute command: parses, runs one subcommand, turns every failure into a message and a status.
#include <CLI/CLI.hpp>
#include <jute/base/nearest_name.hpp>

#include <iostream>
#include <new>

#include "command_line.hpp"
#include "exit_status.hpp"

namespace jute::command {
namespace {

constexpr const char* kExample = "jute gemm --m 256 --n 256 --k 64 --random 1 --type f32 --verify";

void add_subcommands(CLI::App& app, Invocation& invocation) {
  for (const auto add : {add_eval, add_atom, add_draw, add_plan, add_source, add_ptx, add_cubin,
                         add_sass, add_gemm, add_emulate, add_cache, add_doctor})
    add(app, invocation);
}

/// The deepest subcommand that the arguments named before they went wrong.
const CLI::App& named(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : named(*chosen.back());
}

/// What went wrong; a word that is no command gets the command that was probably meant.
std::string usage_text(const CLI::App& app, const CLI::ParseError& error) {
  const auto words = app.remaining();
  if (!app.get_subcommands().empty() || words.empty() || words.front().starts_with('-'))
    return error.what();
  std::vector<std::string> commands;
  for (const CLI::App* command : app.get_subcommands({})) commands.push_back(command->get_name());
  const auto near = nearest_name(words.front(), commands);
  return "there is no command " + words.front() + "; the commands are " + joined(commands) +
         (near ? " (nearest: " + *near + ")" : "");
}

int tell_usage(const CLI::App& app, const Invocation& invocation, const CLI::ParseError& error) {
  std::cerr << "jute: usage: " << usage_text(app, error) << '\n';
  const auto example = invocation.examples.find(&named(app));
  std::cerr << "try: " << (example == invocation.examples.end() ? kExample : example->second)
            << '\n';
  return kBadInput;
}

int run(const Invocation& invocation) {
  const Session session{invocation.common, std::cout, std::cerr};
  try {
    const int status = invocation.run(session);
    std::cout.flush();
    if (std::cout) return status;
    tell(std::cerr, {.code = ErrorCode::unwritable,
                     .operand = "standard output",
                     .violated_rules = {"not everything could be written"}});
    return kEnvironmentLacks;
  } catch (const Exception& exception) {
    std::cout.flush();
    tell(std::cerr, exception.error(), invocation.common.quiet ? Detail::hidden : Detail::shown);
    return exit_status(exception.error().code);
  } catch (const std::bad_alloc&) {
    tell(std::cerr, {.code = ErrorCode::out_of_memory,
                     .operand = "host memory",
                     .violated_rules = {"the machine has enough for this request"}});
    return kEnvironmentLacks;
  } catch (const CLI::ParseError&) {
    throw;
  } catch (const std::exception& exception) {
    tell(std::cerr, {.code = ErrorCode::internal, .violated_rules = {exception.what()}});
    return kLaunchFailed;
  }
}

int parse_and_run(int count, const char* const* arguments) {
  CLI::App app("jute: plans, writes, compiles and runs matrix products from CuTe layouts", "jute");
  Invocation invocation;
  app.set_version_flag("--version", "jute " JUTE_VERSION);
  app.footer(std::string("Example:\n  ") + kExample);
  app.require_subcommand(1);
  add_common_flags(app, invocation.common);
  add_subcommands(app, invocation);
  try {
    app.parse(count, arguments);
  } catch (const CLI::Success& help_or_version) {
    return app.exit(help_or_version);
  } catch (const CLI::ParseError& error) {
    return tell_usage(app, invocation, error);
  }
  try {
    return run(invocation);
  } catch (const CLI::ParseError& error) {  // flags that do not go together
    return tell_usage(app, invocation, error);
  }
}

}  // namespace
}  // namespace jute::command

int main(int count, char** arguments) {
  std::ios::sync_with_stdio(false);
  return jute::command::parse_and_run(count, arguments);
}
