#pragma once
// CUDA source to PTX and machine code, through NVRTC loaded at run time.
#include <jute/base/export.hpp>
#include <jute/base/settings.hpp>
#include <jute/launch/source.hpp>

#include <memory>
#include <string>
#include <vector>

namespace JUTE_API jute {

/// What a compilation is to produce. PTX alone skips the assembler; both give the same PTX.
enum class Output : std::uint8_t { ptx, ptx_and_cubin };

/// The file name that generated sources carry in line information and compile logs:
/// `/jute/<symbol>.cu`, in no real folder, so that every machine compiles the same bytes.
[[nodiscard]] std::string file_name(const Source& source);
/// The exact NVRTC options, in order: the architecture (`sm_90a` when machine code is wanted,
/// `compute_90a` for PTX alone), C++17, no fused contractions, line information, the assembler's
/// report.
[[nodiscard]] std::vector<std::string> compile_options(const Source& source, Output output);

/// A CUDA text of somebody's own, with any number of kernels.
struct CudaText {
  std::string text = {};
  std::string file = "kernel.cu";  ///< its name in line information and logs
  Arch arch = {};
  std::vector<std::string> options = {};  ///< further ones for NVRTC: "-DN=4", "-Iinclude"
  /// Kernels of templates that are wanted, as C++ names them: "net::scale<float, 4>".
  std::vector<std::string> instances = {};
};

/// PTX of a CudaText.
struct CudaPtx {
  std::string text = {};
  std::vector<std::string> symbols = {};  ///< of CudaText::instances, in their order
};

/// NVRTC found; loaded on the first compilation. Cheap to copy; safe to use from many threads.
class Compiler {
 public:
  /// Looks in this order: `library` (a file, or a folder that holds it) and nothing else when it is
  /// not empty; installed toolkits (/usr/local/cuda, /usr/local/cuda-*, /opt/cuda: lib64,
  /// targets/*/lib); the wheel nvidia-cuda-nvrtc in a `.venv` of a folder above this program; the
  /// loader's own path. Only files are looked at: a library is not loaded before it is needed.
  ///   throws  no_nvrtc: lists the places looked at and what to install
  explicit Compiler(const std::string& library = {});
  /// The same with settings.nvrtc as `library`, settings.cuda_home before the toolkits and the
  /// wheel of settings.virtual_env after the project's own.
  explicit Compiler(const Settings& settings);

  /// "13.0.88". Loads the library.
  ///   throws  no_nvrtc: the library does not open or is none
  [[nodiscard]] const std::string& version() const;
  /// Tells one build of NVRTC from every other; part of every cache key. Does not load the library
  /// where its file has a build id, as NVIDIA's have.
  [[nodiscard]] std::string build() const;
  [[nodiscard]] const std::string& path() const;
  /// throws  compile_failed: `detail` holds the log and the source lines that it names, numbered;
  ///         unsupported: this NVRTC does not know the architecture; no_nvrtc, out_of_memory
  [[nodiscard]] Binary compile(const Source& source, Output output) const;

  /// The PTX of all kernels of a text, with line information, contractions as nvcc makes them, and
  /// the toolkit's headers where they lie beside the library.
  ///   throws  bad_file: it does not compile; position, and the log with the lines that it names;
  ///           unsupported, no_nvrtc, out_of_memory
  [[nodiscard]] std::string ptx(const CudaText& cuda) const;
  /// The same, and what the kernels of its `instances` are called there.
  [[nodiscard]] CudaPtx instantiate(const CudaText& cuda) const;

  struct Impl;
  explicit Compiler(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}

 private:
  std::shared_ptr<const Impl> impl_;
};

}  // namespace jute
