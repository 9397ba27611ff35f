#pragma once
// The stand-ins for the host's headers that were built into the library.
#include <span>
#include <string_view>

namespace jute::jit {

/// One file of src/jit/host_headers/.
struct EmbeddedHeader {
  std::string_view path;  ///< as an `#include` names it
  std::string_view text;
};

/// In ascending order of path. The build writes this table (cmake/embed_templates.cmake).
[[nodiscard]] std::span<const EmbeddedHeader> embedded_headers();

}  // namespace jute::jit
