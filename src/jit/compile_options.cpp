// The options of every compilation, in order.
#include <jute/jit/compile.hpp>

namespace jute {

// NVRTC would put the working directory before a name without a folder, and into PTX and cubin.
std::string file_name(const Source& source) { return "/jute/" + source.symbol + ".cu"; }

std::vector<std::string> compile_options(const Source& source, Output output) {
  const std::string arch = to_string(source.arch).substr(3);
  std::vector<std::string> options{
      // A real architecture runs the assembler; a virtual one stops at the same PTX.
      "--gpu-architecture=" + std::string(output == Output::ptx ? "compute_" : "sm_") + arch,
      "--std=c++17",
      // Generated kernels write each fused multiply-add out, so that all machines agree on its
      // bits.
      "--fmad=false",
      // A twentieth of the time: kernels name nothing of the CUDA runtime, which then is not
      // declared.
      "--minimal",
  };
  // With them machine code holds the whole PTX too: four fifths of its bytes.
  if (output != Output::lean) options.emplace_back("--generate-line-info");
  if (output != Output::ptx) options.emplace_back("--ptxas-options=-v");
  return options;
}

}  // namespace jute
