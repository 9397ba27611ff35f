// What the assembler makes of main loops: at most nine integer instructions for four ldmatrix, and
// nothing between products of wgmma that was known before the loop.
// Looked at where nvdisasm is installed (PATH, CUDA_HOME or /usr/local/cuda).
#include <jute/codegen/generate.hpp>
#include <jute/epilogue/expression.hpp>
#include <jute/launch/device_presets.hpp>

#include <unistd.h>
#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <sstream>
#include <string_view>

#include "support/catch.hpp"
#include "support/compiler.hpp"
#include "support/problem_of.hpp"
#include "support/process.hpp"
#include "support/skip.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using test::problem_of;

namespace {

std::optional<std::string> find_nvdisasm() {
  std::vector<std::string> folders{"/usr/local/cuda/bin"};
  if (const char* home = std::getenv("CUDA_HOME")) folders.push_back(std::string(home) + "/bin");
  std::istringstream path(std::getenv("PATH") == nullptr ? "" : std::getenv("PATH"));
  for (std::string folder; std::getline(path, folder, ':');) folders.push_back(folder);
  for (const std::string& folder : folders)
    if (::access((folder + "/nvdisasm").c_str(), X_OK) == 0) return folder + "/nvdisasm";
  return std::nullopt;
}

/// Opcodes in order, and where labels stand.
struct MachineCode {
  struct Instruction {
    std::string opcode;  ///< without suffixes
    std::string target;  ///< label of a branch
  };
  std::vector<Instruction> code;
  std::map<std::string, size_t> labels;
};

MachineCode disassembled(const std::string& nvdisasm, const std::vector<std::byte>& cubin) {
  const test::TemporaryFolder folder;
  const std::string file = folder.file("kernel.cubin");
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(cubin.data()),
             static_cast<std::streamsize>(cubin.size()));
  std::istringstream text(test::run_process({nvdisasm, "-c", file}).out);
  const std::regex label("^(\\.L_[A-Za-z0-9_]+):.*");
  const std::regex instruction("^\\s*/\\*[0-9a-f]+\\*/\\s+(@!?U?P\\d+\\s+)?([A-Z0-9]+)(.*)");
  const std::regex target("\\((\\.L_[A-Za-z0-9_]+)\\)");
  MachineCode result;
  std::smatch found;
  for (std::string line; std::getline(text, line);) {
    if (std::regex_match(line, found, label)) result.labels[found[1]] = result.code.size();
    if (!std::regex_match(line, found, instruction)) continue;
    const std::string opcode = found[2], rest = found[3];
    std::smatch place;
    const bool jumps = opcode == "BRA" && std::regex_search(rest, place, target);
    result.code.push_back({opcode, jumps ? place[1].str() : std::string()});
  }
  return result;
}

/// Opcodes of the shortest loop that multiplies matrices.
std::vector<std::string> main_loop(const MachineCode& machine) {
  std::vector<std::string> shortest;
  for (size_t end = 0; end < machine.code.size(); ++end) {
    const auto label = machine.labels.find(machine.code[end].target);
    if (label == machine.labels.end() || label->second > end) continue;
    std::vector<std::string> loop;
    for (size_t i = label->second; i <= end; ++i) loop.push_back(machine.code[i].opcode);
    const bool multiplies = std::ranges::any_of(
        loop, [](const std::string& opcode) { return opcode.ends_with("MMA"); });
    if (multiplies && (shortest.empty() || loop.size() < shortest.size())) shortest = loop;
  }
  return shortest;
}

/// Everything that works on integers, predicates or moves them: addresses of all copies, bounds,
/// counters, stage arithmetic.
bool is_integer_work(std::string_view opcode) {
  constexpr std::array<std::string_view, 32> kNames{
      "IADD",  "IADD3", "IMAD",   "LEA", "LOP3",  "SHF",       "SHL",  "SHR",
      "ISETP", "IMNMX", "VIMNMX", "SEL", "MOV",   "PRMT",      "IABS", "BMSK",
      "SGXT",  "PLOP3", "P2R",    "R2P", "VIADD", "R2UR",      "S2R",  "S2UR",
      "CS2R",  "FLO",   "POPC",   "I2I", "BREV",  "VIADDMNMX", "USEL", "VOTE"};
  if (std::ranges::find(kNames, opcode) != kNames.end()) return true;
  return opcode.starts_with('U') && std::ranges::find(kNames, opcode.substr(1)) != kNames.end();
}

struct Counted {
  DType type, out;
  Order a, b;
  const char* preset;
};
constexpr Order kRow = Order::row, kCol = Order::col;
constexpr std::array kCounted{
    Counted{DType::bf16, DType::bf16, kRow, kCol, "h200"},
    Counted{DType::bf16, DType::bf16, kRow, kRow, "h200"},
    Counted{DType::bf16, DType::bf16, kCol, kCol, "h200"},
    Counted{DType::bf16, DType::bf16, kCol, kRow, "h200"},
    Counted{DType::f16, DType::f16, kRow, kCol, "h200"},
    Counted{DType::s8, DType::s32, kRow, kCol, "h200"},
    Counted{DType::tf32, DType::f32, kRow, kCol, "h200"},
    Counted{DType::bf16, DType::bf16, kRow, kCol, "a100"},
};

/// Machine code of plans.
struct Sass {
  std::string nvdisasm;
  Compiler compiler = test::test_compiler();

  std::vector<std::string> main_loop_of(const Plan& plan) const {
    const Binary binary = compiler.compile(generate(plan).back(), Output::ptx_and_cubin);
    return main_loop(disassembled(nvdisasm, binary.cubin));
  }
};

/// Nothing where there is no disassembler: then the test was skipped.
std::optional<Sass> sass_reader() {
  if (const std::optional<std::string> nvdisasm = find_nvdisasm()) return Sass{*nvdisasm};
  test::skip("nvdisasm is not installed");
  return std::nullopt;
}

}  // namespace

TEST_CASE("main loops spend at most nine integer instructions on four ldmatrix",
          "[codegen][compile][sass]") {
  const std::optional<Sass> sass = sass_reader();
  if (!sass) return;
  for (const Counted& row : kCounted) {
    // The same work a turn of the loop for every type: what it costs to step to the next is in it.
    const int k = 128 / width_bytes(row.type);
    const Plan plan =
        make_plan(problem_of(4096, 4096, 4096, {row.type, row.out}, {row.a, row.b}),
                  device_preset(row.preset),
                  parse_config("main_loop=multistage tile=128x128x" + std::to_string(k)));
    const std::vector<std::string> loop = sass->main_loop_of(plan);
    const auto integers = std::ranges::count_if(loop, is_integer_work);
    const auto matrices = std::ranges::count(loop, "LDSM");
    INFO(gemm_step(plan).symbol << ": " << integers << " integer instructions, " << matrices
                                << " ldmatrix");
    CHECK(matrices >= 16);
    CHECK(4 * integers <= 9 * matrices);
  }
}

TEST_CASE("between products of wgmma nobody asks where shared memory lies",
          "[codegen][compile][sass]") {
  const std::optional<Sass> sass = sass_reader();
  if (!sass) return;
  for (const char* text : {"acc", "y := acc*s; d = y; a = amax(y)", "gelu_tanh(acc + bias[n])"}) {
    for (const DType type : {DType::e4m3, DType::bf16}) {
      Problem problem = problem_of(4096, 4096, 4096, {type, DType::bf16}, {Order::row, Order::col});
      problem.epilogue = Epilogue{parse_epilogue(text)};
      const Plan plan = make_plan(problem, device_preset("h200"));
      const std::vector<std::string> loop = sass->main_loop_of(plan);
      INFO(gemm_step(plan).symbol << ": " << text);
      CHECK(std::ranges::any_of(
          loop, [](const std::string& opcode) { return opcode.ends_with("GMMA"); }));
      CHECK(std::ranges::count(loop, "S2UR") == 0);
      CHECK(std::ranges::count(loop, "S2R") == 0);
    }
  }
}
