#pragma once
// What of a CUDA program its kernels need: a text that a compiler of device code takes.
#include <jute/base/export.hpp>

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace JUTE_API jute {

/// A header that a text includes, as the `#include` spells it.
struct CudaHeader {
  std::string name = {};
  std::string text = {};
  bool operator==(const CudaHeader&) const = default;
};

struct DeviceCode {
  /// The text with blanks where host code stood: every line keeps its number.
  std::string text = {};
  /// The text's own headers that held host code, without it.
  std::vector<CudaHeader> headers = {};
  /// The headers of others that the text and its own headers include, as they spell it.
  std::vector<std::string> included = {};
  /// The standard library is named by device code, by more than a using-directive.
  bool uses_standard_library = false;
  /// `{.x = 1}`: of C++20, which compilers take in older ones.
  bool uses_designators = false;
  bool had_host_code = false;
};

/// A header of the text's own.
struct FoundHeader {
  std::string path = {};
  std::string text = {};
};
/// Finds what the file at `from` includes in quotes; nothing of a header that is not the text's
/// own.
using HeaderReader =
    std::function<std::optional<FoundHeader>(const std::string& name, const std::string& from)>;

/// Where a text holds host code (a launch, `main`, calls of the runtime, containers, `__host__`
/// alone), what is left is what carries `__global__`, `__device__`, `__constant__`, `__shared__` or
/// `__managed__`, and the types, constants, constexpr functions and macros that it names, however
/// deep. Functions without an annotation are the host's then, as for nvcc; preprocessor lines stay.
/// A text without host code is left as it is.
///   instances  kernels of templates that are wanted; their arguments name types, too
[[nodiscard]] DeviceCode device_code(std::string_view text, const std::string& path,
                                     const HeaderReader& read = {},
                                     std::span<const std::string> instances = {});

}  // namespace jute
