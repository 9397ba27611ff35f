#pragma once
// NVIDIA's disassemblers, which show machine code: found on the machine, never part of jute.
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace jute {
struct Settings;
}

namespace jute::command {

struct Disassembler {
  std::string program;
  std::string flag;        ///< print the code alone
  std::string lines_flag;  ///< and the lines of source that it comes from; empty: it cannot
};

/// How to get one.
inline constexpr const char* kDisassemblerRemedy =
    "both come with the CUDA toolkit (packages cuda-nvdisasm, cuda-cuobjdump), the first from PyPI "
    "too (nvidia-cuda-nvdisasm)";

/// nvdisasm, else cuobjdump: of CUDA_HOME, of a toolkit in its usual place, in PATH, of a wheel
/// where NVRTC's is looked for.
[[nodiscard]] std::optional<Disassembler> find_disassembler(const Settings& settings);
[[noreturn]] void refuse_without_disassembler();

enum class CodeLines : bool { no, yes };
/// throws  unwritable: a temporary file; internal: the program failed
[[nodiscard]] std::string disassembled(const Disassembler& tool,
                                       const std::vector<std::byte>& cubin,
                                       CodeLines lines = CodeLines::no);

/// For each line of nvdisasm's text the line of source that it comes from, by the `//## File` above
/// it; 0: none.
[[nodiscard]] std::vector<int> source_lines_of_sass(const std::string& text);

}  // namespace jute::command
