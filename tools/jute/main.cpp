// The jute command.
#include "command/run_command.hpp"

int main(int count, char** arguments) { return jute::command::run_command(count, arguments); }
