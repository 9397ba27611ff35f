#pragma once
// The jute command without its process: a test may call it where memory runs out.

namespace jute::command {

struct Command;
struct CommonOptions;
/// Makes the tree of commands that a line is held against.
using MakeTree = Command (*)(CommonOptions&);

/// Does what `main` must with its arguments; the exit status. Nothing is thrown.
int run_command(int count, const char* const* arguments, MakeTree tree);

}  // namespace jute::command
