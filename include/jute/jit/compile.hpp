#pragma once
// CUDA source to PTX and machine code, through NVRTC loaded at run time.
#include <jute/base/export.hpp>
#include <jute/base/settings.hpp>
#include <jute/launch/source.hpp>

#include <memory>
#include <string>
#include <vector>

namespace JUTE_API jute {

/// The code that a compilation gives. PTX alone skips the assembler; the first two give the same.
enum class Output : std::uint8_t { ptx, ptx_and_cubin, lean };  // lean: both, without line numbers

/// The file name that generated sources carry in line information and compile logs:
/// `/jute/<symbol>.cu`, in no real folder, so that every machine compiles the same bytes.
[[nodiscard]] std::string file_name(const Source& source);
/// The exact NVRTC options, in order: the architecture (`sm_90a` when machine code is wanted,
/// `compute_90a` for PTX alone), C++17, no fused contractions, line information but for `lean`, the
/// assembler's report.
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

/// Where NVRTC and CUDA's headers are looked for, in order, there or not: settings.nvrtc and
/// nothing else when it is not empty; settings.cuda_home; installed toolkits (/usr/local/cuda,
/// /usr/local/cuda-*, /opt/cuda); a `.venv` of a folder above this program; settings.virtual_env;
/// the loader's own path; the `.venv` beside the sources that jute was built from.
[[nodiscard]] std::vector<std::string> cuda_places(const Settings& settings);

/// NVRTC found; loaded on the first compilation. Cheap to copy; safe to use from many threads.
class Compiler {
 public:
  /// Looks in the places that `cuda_places` names, in its order: in toolkits for lib64 and
  /// targets/*/lib, in Python environments for the wheel nvidia-cuda-nvrtc. `library` is a file, or
  /// a folder that holds it; where it is not empty nothing else counts. Only files are looked at: a
  /// library is not loaded before it is needed.
  ///   throws  no_nvrtc: lists the places looked at and what to install
  explicit Compiler(const std::string& library = {});
  /// The same with settings.nvrtc as `library`.
  explicit Compiler(const Settings& settings);

  /// "13.0.88". Loads the library.
  ///   throws  no_nvrtc: the library does not open or is none
  [[nodiscard]] const std::string& version() const;
  /// Tells one build of NVRTC from every other; part of every cache key. Does not load the library
  /// where its file has a build id, as NVIDIA's have.
  [[nodiscard]] std::string build() const;
  [[nodiscard]] const std::string& path() const;
  /// The folders of CUDA's headers that kernels include (`cuda_fp16.h`, `cooperative_groups.h`,
  /// `cuda/std`, `cub`, `mma.h`): those beside the library, else those of the first place that has
  /// them. Empty where there are none.
  [[nodiscard]] const std::vector<std::string>& header_folders() const;
  /// throws  compile_failed: `detail` holds the log and the source lines that it names, numbered;
  ///         unsupported: this NVRTC does not know the architecture; no_nvrtc, out_of_memory
  [[nodiscard]] Binary compile(const Source& source, Output output) const;

  /// The PTX of all kernels of a text, with line information, contractions as nvcc makes them, and
  /// the headers of header_folders().
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
