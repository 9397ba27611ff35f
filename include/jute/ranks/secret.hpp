#pragma once
// Who may join a run: whoever can read a file.
#include <jute/base/export.hpp>

#include <string>

namespace JUTE_API jute {

/// Its bytes.
///   example  tcp_rendezvous(place, {.rank = rank, .size = 16, .secret = read_secret(path)})
///   throws   file_not_found, file_unreadable; bad_file: it has less than 16 bytes or more than
///            4096, or others than its owner may read or write it
[[nodiscard]] std::string read_secret(const std::string& path);
/// A new file of mode 0600 with 32 random bytes.
///   throws  unwritable: there is one, or none can be made
void make_secret(const std::string& path);

}  // namespace jute
