// The jute command.
#include "run_command.hpp"

int main(int count, char** arguments) { return jute::command::run_command(count, arguments); }
