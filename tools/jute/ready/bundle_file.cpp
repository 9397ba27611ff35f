// Reads a bundle from its folder.
#include "ready/bundle_file.hpp"

#include "files/files.hpp"

namespace jute::command {

Bundle read_bundle(const std::string& folder) {
  const std::string file = folder + "/manifest.json";
  return jute::read_bundle(read_text(file), file, [&](const std::string& name) {
    return read_bytes(folder + "/" + name);
  });
}

}  // namespace jute::command
