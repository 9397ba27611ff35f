#pragma once
// Files that other processes have written, read as what strangers may have left there.
#include <cstddef>
#include <optional>
#include <string>

namespace jute::ranks {

/// A file's bytes, and who else may reach it.
struct FileText {
  std::string bytes;
  unsigned mode = 0;
};
/// None: there is none, it is no regular file, or has more bytes; errno says which.
[[nodiscard]] std::optional<FileText> file_text(const std::string& path, std::size_t most);

}  // namespace jute::ranks
