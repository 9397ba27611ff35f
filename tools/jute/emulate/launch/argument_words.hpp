#pragma once
// A launch from words of the command line, without a file.
#include <string>
#include <vector>

#include "emulate/launch/launch_file.hpp"

namespace jute::command {

/// `--grid`, `--block`, … as typed.
struct LaunchWords {
  std::string kernel, grid, block, cluster;
  Index dynamic_smem_bytes = 0;
  bool is_cooperative = false;
  std::vector<std::string> arguments, globals;
  std::string output;  ///< -o; a name for each buffer is made of it where there are several
  bool operator==(const LaunchWords&) const = default;
};

/// An argument is a number (`1024`, `u64:5`, `f32:0.5`), `null`, or memory: `f32[1024]`,
/// `f32[32,32]=iota`, `=zeros`, `=fill:2`, `=random:7`, `=FILE.npy`, `=FILE.bin`; FILE.npy alone
/// takes type and shape from the file; `@0` is the memory of argument 0 once more. `{f32:0.5,@0}`
/// is a structure of such; `@1.0` is the memory of its field 0. `f32[66]+1=iota` and `@0+1` are
/// addresses of an element behind the first. A global is `NAME=` and such a word. All memory that
/// no file gave is saved where `output` says.
///   throws  syntax: the option, the word, what it must be, the nearest legal word
[[nodiscard]] LaunchFile launch_of_words(const LaunchWords& words, const std::string& module);

}  // namespace jute::command
