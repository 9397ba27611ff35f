#pragma once
// Arrays of numpy in files.
#include <jute/host/npy.hpp>

#include <string>

#include "files/files.hpp"

namespace jute::command {

/// throws  what parse_npy throws; file_not_found, file_unreadable
[[nodiscard]] NpyArray read_npy(const std::string& path);
/// The same without elements, which a large file has many of.
///   needs  no pipe: what is read of one is gone
[[nodiscard]] NpyArray read_npy_header(const std::string& path);
void write_npy(OutputFile& file, const NpyArray& array);

}  // namespace jute::command
