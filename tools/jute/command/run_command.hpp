#pragma once
// The jute command without its process: a test may call it where memory runs out.

namespace jute::command {

/// What `main` does with its arguments; the exit status. Nothing is thrown.
int run_command(int count, const char* const* arguments);

}  // namespace jute::command
