#pragma once
// The launcher's templates that were built into the library.
#include <span>
#include <string_view>

namespace jute::bundle {

/// One file of src/bundle/launcher/.
struct EmbeddedFile {
  std::string_view path;
  std::string_view text;
};

/// In ascending order of path; the build writes it (cmake/embed_templates.cmake).
[[nodiscard]] std::span<const EmbeddedFile> embedded_launcher();

}  // namespace jute::bundle
