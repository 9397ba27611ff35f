#pragma once
// The kernel templates that were built into the library.
#include <span>
#include <string_view>

namespace jute::emit {

/// One file of kernels_templates/.
struct EmbeddedTemplate {
  std::string_view path;  ///< below kernels_templates/, as "mainloop/sm80_multistage.cu"
  std::string_view text;  ///< the file's bytes
};

/// Every template, in ascending order of path. The build writes this table from the files
/// themselves (cmake/embed_templates.cmake); it lives as long as the program.
[[nodiscard]] std::span<const EmbeddedTemplate> embedded_templates();

}  // namespace jute::emit
