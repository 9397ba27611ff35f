#pragma once
// Files that nobody else may write: what they hold is run.
#include <string>

namespace jute::shim {

/// All of it.   throws  file_not_found; bad_file: others may write it, or it is no regular file
[[nodiscard]] std::string read_private(const std::string& path);
/// A descriptor, -1 where it cannot be. Made where it is not there, by mode 0600; no link is
/// followed.
[[nodiscard]] int open_private(const std::string& path, int flags);
/// Why what was opened is not to be believed; empty: it is.
[[nodiscard]] std::string fault_of(int file);

}  // namespace jute::shim
