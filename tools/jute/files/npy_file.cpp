// Whole files, or their first bytes.
#include "files/npy_file.hpp"

namespace jute::command {

NpyArray read_npy(const std::string& path) { return parse_npy(read_bytes(path), path); }

NpyArray read_npy_header(const std::string& path) {
  return parse_npy_header(read_bytes(path, kMostNpyHeaderBytes), path);
}

void write_npy(OutputFile& file, const NpyArray& array) {
  file.write(npy_header(array));
  file.write(array.bytes);
}

}  // namespace jute::command
