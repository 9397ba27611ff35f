// The jute command: parses, runs one subcommand, turns every failure into a message and a status.
#include <algorithm>
#include <iostream>
#include <new>

#include "command_line.hpp"
#include "exit_status.hpp"
#include "parser.hpp"

namespace jute::command {
namespace {

int tell_usage(const Command& command, const std::string& mistake) {
  std::cerr << "jute: usage: " << mistake << "\ntry: " << command.example << '\n';
  return kBadInput;
}

int run(const Command& command, const CommonOptions& common) {
  const Session session{common, std::cout, std::cerr};
  try {
    const int status = command.run(session);
    std::cout.flush();
    if (std::cout) return status;
    tell(std::cerr, {.code = ErrorCode::unwritable,
                     .operand = "standard output",
                     .violated_rules = {"not everything could be written"}});
    return kEnvironmentLacks;
  } catch (const Exception& exception) {
    std::cout.flush();
    tell(std::cerr, exception.error(), common.quiet ? Detail::hidden : Detail::shown);
    return exit_status(exception.error().code);
  } catch (const UsageError& error) {
    return tell_usage(command, error.what());
  } catch (const std::bad_alloc&) {
    tell(std::cerr, {.code = ErrorCode::out_of_memory,
                     .operand = "host memory",
                     .violated_rules = {"the machine has enough for this request"}});
    return kEnvironmentLacks;
  } catch (const std::exception& exception) {
    tell(std::cerr, {.code = ErrorCode::internal, .violated_rules = {exception.what()}});
    return kLaunchFailed;
  }
}

int parse_and_run(const std::vector<std::string>& words) {
  CommonOptions common;
  const Command jute = jute_command(common);
  const Request request = parse(jute, "jute " JUTE_VERSION, words);
  switch (request.kind) {
    case Request::Kind::run:
      return run(*request.command, common);
    case Request::Kind::print:
      std::cout << request.text;
      return kDone;
    case Request::Kind::mistake:
      break;
  }
  return tell_usage(*request.command, request.text);
}

}  // namespace
}  // namespace jute::command

int main(int count, char** arguments) {
  std::ios::sync_with_stdio(false);
  return jute::command::parse_and_run({arguments + std::min(count, 1), arguments + count});
}
