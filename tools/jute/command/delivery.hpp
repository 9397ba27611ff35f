#pragma once
// Where a command's result goes.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "command/command_line.hpp"
#include "files/files.hpp"

namespace jute::command {

/// Where the text goes: standard output, or the file of -o. Made before the work, so that a file
/// which cannot be written costs nothing.
class Delivery {
 public:
  /// An empty path and `-` are standard output.   throws  unwritable
  Delivery(const std::string& path, const Session& session);
  [[nodiscard]] bool is_file() const { return file_.has_value(); }
  /// Is there an -o, if only to standard output?
  [[nodiscard]] bool is_asked_for() const { return !path_.empty(); }
  void deliver(std::string_view text);
  /// The kernels of a plan's steps: one after the other on standard output, each in a file of its
  /// own where there are several, for no assembler takes two: all of them, or none.
  void deliver_steps(const std::vector<std::string>& texts);

 private:
  const Session& session_;
  std::string path_;
  std::optional<OutputFile> file_;
};

}  // namespace jute::command
