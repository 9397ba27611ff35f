#pragma once
// The lines of source that findings name.
#include <jute/emulator/report.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "emulate/launch/kernel_module.hpp"

namespace jute::command {

/// A place in a file.
struct SourceLine {
  std::string file;
  int line = 0;      ///< from 1
  std::string text;  ///< empty where the file cannot be read
};

/// Without blanks at its ends.
[[nodiscard]] std::string trimmed(const std::string& line);

/// Finds lines in the modules' own texts, else in files that can be read.
class SourceLines {
 public:
  explicit SourceLines(const std::vector<KernelModule>& modules) : modules_(modules) {}

  /// The CUDA line of a party, else its line of PTX; nothing where neither is known.
  [[nodiscard]] std::optional<SourceLine> of(const Party& party);
  /// The whole text of a file that `of` gave; empty where it cannot be read.
  [[nodiscard]] const std::vector<std::string>& lines_of(const std::string& file);

 private:
  [[nodiscard]] std::string as_given(const std::string& file) const;
  [[nodiscard]] std::string line_of(const std::string& file, int line);
  [[nodiscard]] const KernelModule* module_of(const std::string& kernel) const;

  const std::vector<KernelModule>& modules_;
  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace jute::command
