#pragma once
// Where a command's result goes.
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

#include "command_line.hpp"
#include "files.hpp"

namespace jute::command {

/// Where the text goes: standard output, or the file of -o. Made before the work, so that a file
/// which cannot be written costs nothing.
class Delivery {
 public:
  /// throws  unwritable
  Delivery(const std::string& path, const Session& session);
  void deliver(std::string_view text);

 private:
  std::ostream& out_;
  std::optional<OutputFile> file_;
};

}  // namespace jute::command
