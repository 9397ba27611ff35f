#pragma once
// Programs of the machine that jute runs and reads, never links with.
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace jute::command {

/// The folders of PATH.
[[nodiscard]] std::vector<std::string> folders_of_path();
/// The file of a program in the first folder that has it.
[[nodiscard]] std::optional<std::string> found_program(const std::string& name,
                                                       const std::vector<std::string>& folders);

/// Bytes in a file that vanishes with this value.
class TemporaryFile {
 public:
  /// throws  unwritable
  explicit TemporaryFile(std::span<const std::byte> bytes);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// What a program and its arguments write to standard output; nothing where it fails. Its standard
/// error is ours.
[[nodiscard]] std::optional<std::string> output_of_program(const std::vector<std::string>& words);

}  // namespace jute::command
