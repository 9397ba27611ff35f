#pragma once
// From the words of a command line to a command of the tree.
#include <string>

#include "tree/command_tree.hpp"

namespace jute::command {

/// The request of a command line.
struct Request {
  enum class Kind {
    run,      ///< the command; the targets of its options are filled in
    print,    ///< `text`: help or the version
    mistake,  ///< nothing that can be done; `mistake` says why
  };
  Kind kind = Kind::run;
  const Command* command = nullptr;  ///< the deepest that was named
  std::string text;
  Error mistake;  ///< as in a UsageError
};

/// `words` without the program's name. `help` before all others is --help behind them. `version` is
/// what --version prints.
[[nodiscard]] Request parse(const Command& root, const std::string& version,
                            std::vector<std::string> words);

}  // namespace jute::command
