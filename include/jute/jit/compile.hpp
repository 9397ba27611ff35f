#pragma once
// CUDA source to PTX and machine code, through NVRTC loaded at run time.
#include <jute/launch/source.hpp>

#include <memory>
#include <string>
#include <vector>

namespace jute {

/// What a compilation is to produce. PTX alone skips the assembler.
enum class Output : std::uint8_t { ptx, ptx_and_cubin };

/// The file name that generated sources carry in line information and compile logs.
[[nodiscard]] std::string file_name(const Source& source);
/// The exact NVRTC options, in order: architecture, C++17, no fused contractions, line info, ….
[[nodiscard]] std::vector<std::string> compile_options(const Source& source, Output output);

/// NVRTC found and loaded. Cheap to copy; safe to use from many threads.
class Compiler {
 public:
  /// Looks in this order: `library` when not empty, the loader's own path, installed toolkits,
  /// PyPI wheels (of the project's private virtual environment, and of an active one).
  ///   throws  no_nvrtc: lists the places looked at and what to install
  explicit Compiler(const std::string& library = {});

  /// "13.0.88": the library's build, part of every cache key.
  [[nodiscard]] const std::string& version() const;
  [[nodiscard]] const std::string& path() const;
  /// throws  compile_failed: `detail` holds the log and the numbered source
  [[nodiscard]] Binary compile(const Source& source, Output output) const;

  struct Impl;
  explicit Compiler(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}

 private:
  std::shared_ptr<const Impl> impl_;
};

}  // namespace jute
