// The jute command.
#include "command/command_line.hpp"
#include "command/run_command.hpp"

int main(int count, char** arguments) {
  return jute::command::run_command(count, arguments, jute::command::jute_command);
}
