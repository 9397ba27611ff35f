// Runs lines with each of their options.
#include "support/given_options.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include "cli/command.hpp"
#include "command/command_line.hpp"
#include "files/npy_file.hpp"
#include "tree/option_value.hpp"
#include "tree/parser.hpp"

namespace jute::test {
namespace {

using Values = std::map<std::string_view, std::string_view>;

// clang-format off
/// Values of each option, other than what lines have. One that says nothing in a line, since it is what is chosen anyway
/// or is seen elsewhere, has another behind it, or one that is refused wherever it is read.
const Values kValues{
    {"--m", "40|-1"}, {"--n", "40"}, {"--k", "40"}, {"--batch", "2|7"}, {"--m-range", "1:80"},
    {"--type", "f16|nonsense"}, {"--type-a", "f16|nonsense"}, {"--type-b", "f16|nonsense"}, {"--out-type", "f16|nonsense"}, {"--acc", "f16|nonsense"},
    {"--precision", "tf32x3|nonsense"}, {"--arch", "sm_80|sm_90a|nonsense"}, {"--device-preset", "a100|nothere"}, {"--problem", "M=24 N=24 K=24"},
    {"--order-a", "col|row"}, {"--order-b", "col|row"}, {"--order-c", "col|row"},
    {"--lda", "48|8"}, {"--ldb", "48|8"}, {"--ldc", "48|8"}, {"--ldd", "48|8"},
    {"--layout-a", "(32,32):(1,32)|x"}, {"--layout-b", "(32,32):(32,1)|x"}, {"--layout-c", "(32,32):(1,32)|x"}, {"--layout-d", "(32,32):(1,32)|x"},
    {"--align-a", "4|3"}, {"--align-b", "4|3"}, {"--align-c", "4|3"}, {"--align-d", "4|3"},
    {"--rows-a", "30"}, {"--rows-d", "30"}, {"--scale-a", "f32"}, {"--scale-b", "f32"}, {"--zero-a", "1"}, {"--zero-b", "1"},
    {"--block-a", "1x16"}, {"--block-b", "1x16"}, {"--stage-as", "f16|nonsense"},
    {"--epilogue", "relu(acc)"}, {"--gate", "pairs"}, {"--quantise-d", "1x16"}, {"--round-d", "stochastic"},
    {"--input-type", "v=bf16"}, {"--output-type", "g=bf16"}, {"--input", "v=2"}, {"--seed", "3"},
    {"--groups", "cols"}, {"--count", "3"}, {"--bound", "40"}, {"--expected", "5"},
    {"--ends", "other_ends.npy"}, {"--counts", "ends.npy"}, {"--row-groups", "ends.npy"}, {"--deal", "deal.svg"},
    {"--contract", "ij,jk->ki"}, {"--extents", "i=8,j=8,k=8"}, {"--conv", "x=1x5x4x8 w=8x3x3"}, {"--gradient", "w"}, {"--part", "1"},
    {"--specialize", "none|all"}, {"--tile", "16x16x8"}, {"--stages", "4|nonsense"}, {"--mma", "UniversalFMA"}, {"--atom-layout", "(2,4,1)"},
    {"--permutation", "(32,_,_)"}, {"--smem-a", "(16,8):(8,1)"}, {"--smem-b", "(16,8):(8,1)"}, {"--raster", "3|nonsense"},
    {"--pad", "on|off"}, {"--transpose", "on|off"}, {"--main-loop", "multistage|nonsense"}, {"--carry-a", "tma|nonsense"}, {"--carry-b", "tma|nonsense"}, {"--cluster", "2x1|nonsense"}, {"--blocks", "1|nonsense"}, {"--ping-pong", "2|nonsense"},
    {"--producer-warps", "1|nonsense"}, {"--split-k", "2|nonsense"}, {"--whole-tiles", "1|nonsense"}, {"--reduction", "all_add|nonsense"}, {"--k-starts", "2|nonsense"},
    {"--matrices", "2|nonsense"}, {"--promote", "32|nonsense"}, {"--read-once", "both|nonsense"}, {"--edge-rows", "left_out|nonsense"}, {"--widths", "off|on"},
    {"--swapped", "on|off"}, {"--first-stages", "prefetched|nonsense"}, {"--release", "at_start|nonsense"}, {"--launches", "alone|nonsense"},
    {"--mesh", "tp=4"}, {"--ranks", "4"}, {"--place", "A=M@tp"}, {"--share", "N@tp"}, {"--wire", "bf16"}, {"--reduce", "nccl"},
    {"--overlap", "none"}, {"--transport-sms", "8"}, {"--transport", "nccl"}, {"--timeout", "-1"},
    {"--a", "v.npy"}, {"--b", "v.npy"}, {"--c", "v.npy"}, {"--random", "2"}, {"--alpha", "2"}, {"--beta", "3"}, {"--repeat", "2"},
    {"--from", "bundle"}, {"--product", "1"}, {"--stamps", "stamps.csv"}, {"--output", "out.npy"},
    {"--device", "cuda"}, {"--check", "none"}, {"--schedule", "nonsense"}, {"--resident", "1"}, {"--max-instructions", "1"}, {"--max-memory", "1"},
    {"--atoms", "nothere.json"}, {"--templates", "nothere"}, {"--color", "always"},
    {"--step", "9"}, {"--chips", "all"}, {"--max-kernels", "1"}, {"--max-loss", "50"}, {"--launch", "out.json"}, {"--profile", "text"},
    {"--file", "nothere"}, {"--threads", "8"}, {"--form", "ldmatrix"}, {"--record", "record.json"}, {"--workers", "-2"},
    {"--tv", "4x8"}, {"--a-tv", "(32,2):(1,32)"}, {"--b-tv", "(32,2):(1,32)"}, {"--banks", "f32"}, {"--color-by", "value"}, {"--thread", "1"},
    {"--beside", "(2,2):(1,2)"}, {"--columns", "2"}, {"--accuracy", "half"},
    {"--operand", "b.npy"}, {"--strides-a", "1,64"}, {"--strides-b", "1,64"},
    {"--x", "v.npy"}, {"--w", "v.npy"}, {"--y", "x.npy"}, {"--stride", "2"}, {"--padding", "1"}, {"--dilation", "2"}, {"--channel-groups", "2"}, {"--shape", "x=1x5x4x8 w=8x3x3"},
    {"--report", "report.json"}, {"--sarif", "report.sarif"}, {"--nvrtc", "-DN=5"}, {"--kernel", "nothere"}, {"--grid", "2"}, {"--block", "64"},
    {"--smem", "64"}, {"--stdin", "7"}, {"--arg", "7"}, {"--grace", "-1"}, {"--later", "sm_90"}, {"--name", "other"},
    {"--problems", "nothere"}, {"--to", "bytes"}, {"--scales", "s.npy"}, {"--scales-output", "so.npy"}, {"--zeros", "s.npy"}, {"--zeros-output", "zo.npy"},
    {"--group-index", "s.npy"}, {"--require", "cache"}, {"--run", "x"}, {"--functions", ""},
};
/// What leaves no trace by its nature, and why.
const Values kWithoutTrace{
    {"--repeat", "how often, which times alone tell"},
    {"--check", "right kernels have no findings, however they are looked for"},
    {"--resident", "blocks are scheduled otherwise, to the same sums"},
    {"--color", "what is drawn without colours has none"},
    {"--verbose", "where neither kernels nor files are made nothing more is known"},
    {"--whole", "what is small is whole"},
    {"--quiet", "where nothing is said beside results"},
};
/// Of lines with these words, options that are read, and whose every value comes to the same there.
const std::vector<std::pair<std::string_view, std::set<std::string_view>>> kSameThere{
    {"--groups rows", {"--pad", "--transpose", "--swapped", "--batch-invariant"}},
    {"--mesh tp=2", {"--specialize", "--widths"}},
    {"--chips all", {"--specialize", "--widths"}},
    {"conv --x", {"--swapped"}},
    {"--m-range 1:64", {"--widths"}},
    {"atom verify", {"--max-instructions"}},
    {"emulate kernel.ptx", {"--max-instructions", "--cooperative", "--arch", "--nvrtc"}},
    {"export few", {"--max-kernels", "--max-loss"}},
};
// clang-format on

bool comes_to_the_same(std::string_view line, const std::string& option) {
  return kWithoutTrace.contains(option) || std::ranges::any_of(kSameThere, [&](const auto& row) {
           return line.find(row.first) != std::string_view::npos && row.second.contains(option);
         });
}

std::vector<std::string> values_of(const command::Option& option) {
  if (option.is_flag()) return {""};
  const auto value = kValues.find(command::spoken_name(option));
  std::istringstream words(value == kValues.end() ? "1" : std::string(value->second));
  std::vector<std::string> values;
  for (std::string word; std::getline(words, word, '|');) values.push_back(word);
  return values;
}

/// The line with the option, in the place of a value that it has.
std::vector<std::string> line_with(std::vector<std::string> words, const command::Option& option,
                                   const std::string& value) {
  const std::string& name = command::spoken_name(option);
  const bool is_list = std::holds_alternative<std::vector<std::string>*>(option.target);
  for (const std::string& one : option.names)
    if (const auto given = std::ranges::find(words, one); given != words.end() && !is_list) {
      *std::next(given) = value;
      return words;
    }
  words.push_back(name);
  if (!option.is_flag()) words.push_back(value);
  return words;
}

std::string whole_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Without what differs from run to run.
std::string without_times(const std::string& text) {
  std::string kept;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with("time ") && !line.starts_with("speed ")) kept += line + "\n";
  return kept;
}

NpyArray small_array(std::vector<Index> shape, DType type) {
  Index count = 1;
  for (const Index extent : shape) count *= extent;
  std::vector<double> values;
  for (Index i = 0; i < count; ++i) values.push_back(static_cast<double>(i % 5) - 2);
  return {.descr = std::string(npy_descr(type)),
          .shape = std::move(shape),
          .bytes = encode(type, values)};
}

}  // namespace

const std::vector<std::string_view> kOptionLines{
    "eval (4,8):(8,1)",
    "explain (4,8):(8,1)",
    "atom list",
    "atom show SM80_16x8x16_F32F16F16F32_TN",
    "atom show SM75_U32x4_LDSM_N --cute --type f64",
    "atom verify SM80_16x8x16_F32F16F16F32_TN --device emulator",
    "draw (64,64):(64,1)",
    "draw SM70_8x8x4_F32F16F16F32_TN",
    "draw SM70_8x8x4_F32F16F16F32_TN -o atom.svg",
    "epilogue gelu(acc)",
    "plan --m 32 --n 32 --k 32",
    "plan --m 256 --n 256 --k 256 --type bf16 --order-b col",
    "plan --m 32 --n 32 --k 32 --mesh tp=2",
    "plan --m 32 --n 32 --k 32 --chips all",
    "plan --problem 'M=32 N=32 K=32'",
    "plan --contract ij,jk->ik --extents i=32,j=32,k=32",
    "plan --conv 'x=1x4x4x8 w=8x3x3'",
    "plan --groups rows --count 2 --bound 32 --n 32 --k 32 --ends ends.npy",
    "source --m 32 --n 32 --k 32",
    "ptx --m 32 --n 32 --k 32",
    "gemm --device emulator --m 32 --n 32 --k 32 --random 1 --verify",
    "gemm --device emulator --problem 'M=32 N=32 K=32' --random 1 -o d.npy",
    "gemm --device emulator --m 32 --n 32 --k 64 --type bf16 --order-b col --random 1 --m-range "
    "1:64 -o d.npy",
    "gemm --device emulator --a a.npy --b b.npy -o d.npy",
    "gemm --device emulator --a a.npy --b b.npy --c c.npy --beta 2 -o d.npy",
    "gemm --device emulator --a a.npy --b b.npy --epilogue 'acc + v[m]' --input v=v.npy -o d.npy",
    "gemm --device emulator --groups rows --count 2 --bound 32 --n 32 --k 32 --random 1 -o d.npy",
    "gemm --device emulator --groups rows --a a.npy --b bb.npy --ends ends.npy -o d.npy",
    "gemm --device emulator --m 32 --n 32 --k 32 --random 1 --mesh tp=2 -o d.npy",
    "gemm --device emulator --from bundle --random 1 --verify",
    "contract ij,jk->ik --a a.npy --b b.npy --device emulator -o d.npy",
    "contract ij,jk->ik --draw --extents i=4,j=4,k=4",
    "conv --x x.npy --w w.npy --device emulator -o d.npy",
    "conv --draw --shape 'x=1x4x4x8 w=8x3x3'",
    "cover --problem 'M=1:512 N=512 K=512 A=bf16 B=bf16:col' --json",
    "emulate kernel.ptx --grid 1 --block 32 --arg u32[8]=zeros -o memory.npy",
    "export few.problems -o exported --arch sm_80 --later none",
    "pack-weights",
    "chips",
    "chips h200",
    "completion bash",
};

/// What a line did, in words that do not depend on when it did it.
struct OptionLines::Trace {
  bool is_refused = false;
  std::string told;
  std::map<std::string, std::string> files{};
  bool operator==(const Trace&) const = default;
};

OptionLines::OptionLines() {
  std::string name = (std::filesystem::temp_directory_path() / "jute-options-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp");
  folder_ = name;
  std::filesystem::create_directory(folder_ + "/given");
  write_files();
  for (const auto& file : std::filesystem::directory_iterator(folder_ + "/given"))
    files_.insert(file.path().filename());
}

OptionLines::~OptionLines() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

void OptionLines::write_files() const {
  const auto write = [&](const std::string& file, const NpyArray& content) {
    command::OutputFile out(folder_ + "/given/" + file);
    command::write_npy(out, content);
    out.commit();
  };
  for (const char* one : {"a.npy", "b.npy", "c.npy"}) write(one, small_array({32, 32}, DType::f32));
  write("bb.npy", small_array({2, 32, 32}, DType::f32));
  write("v.npy", small_array({32}, DType::f32));
  write("s.npy", small_array({32, 1}, DType::f32));
  write("x.npy", small_array({1, 4, 4, 8}, DType::f32));
  write("w.npy", small_array({8, 3, 3, 8}, DType::f32));
  for (const auto& [file, first] : {std::pair{"ends.npy", 12}, std::pair{"other_ends.npy", 32}}) {
    const std::int32_t ends[] = {first, 32};
    const auto bytes = std::as_bytes(std::span(ends));
    write(file, {.descr = "<i4", .shape = {2}, .bytes = {bytes.begin(), bytes.end()}});
  }
  std::ofstream(folder_ + "/given/few.problems") << "M=16 N=16 K=16\nM=1:8 N=16 K=16\n";
  std::ofstream(folder_ + "/given/kernel.ptx")
      << ".version 8.0\n.target sm_80\n.address_size 64\n"
         ".visible .entry kernel(.param .u64 p)\n{\n  .reg .u64 a;\n  .reg .u32 n;\n"
         "  ld.param.u64 a, [p];\n  mov.u32 n, %ntid.x;\n  st.global.u32 [a], n;\n"
         "  mov.u32 n, %nctaid.x;\n  st.global.u32 [a+4], n;\n"
         "  mov.u32 n, %dynamic_smem_size;\n  st.global.u32 [a+8], n;\n  ret;\n}\n";
  (void)run_jute({"export", "few.problems", "-o", "bundle", "--name", "few", "--arch", "sm_80",
                  "--later", "none"},
                 {.folder = folder_ + "/given"});
}

OptionLines::Trace OptionLines::trace(const std::vector<std::string>& words) const {
  const ProcessResult result = run_jute(
      words,
      {.environment = {{"JUTE_CACHE_DIR", folder_ + "/cache"}}, .folder = folder_ + "/given"});
  Trace trace{result.status != 0, without_times(result.out) + without_times(result.err), {}};
  for (const auto& file : std::filesystem::directory_iterator(folder_ + "/given"))
    if (const std::string name = file.path().filename(); !files_.contains(name)) {
      trace.files[name] = file.is_regular_file() ? whole_file(file.path()) : "a folder";
      std::filesystem::remove_all(file.path());
    }
  return trace;
}

std::string OptionLines::idle(std::string_view line, int every, int first) {
  command::CommonOptions common;
  const command::Command root = command::jute_command(common);
  const std::vector<std::string> words = command_words(std::string(line));
  const command::Request request = command::parse(root, "", words);
  if (request.kind != command::Request::Kind::run)
    return "jute " + std::string(line) + ": is no line\n";
  const Trace plain = trace(words);
  std::string idle;
  if (plain.is_refused) return "jute " + std::string(line) + ": " + plain.told;
  if (trace(words) != plain)
    return "jute " + std::string(line) + ": says one thing, then another\n";
  const auto placed = command::placed_in(root, *request.command);
  for (std::size_t i = 0; i < placed.options.size(); ++i) {
    const command::Option& option = *placed.options[i];
    const std::string& name = command::spoken_name(option);
    const bool is_chosen = static_cast<int>(i) % every == first % every;
    if (!is_chosen || !name.starts_with('-') || comes_to_the_same(line, name)) continue;
    if (option.is_flag() && std::ranges::find(words, name) != words.end()) continue;
    ++tried_;
    const bool is_idle = std::ranges::all_of(values_of(option), [&](const std::string& value) {
      const std::vector<std::string> other = line_with(words, option, value);
      const Trace given = trace(other);
      return other != words && !given.is_refused && given == plain;
    });
    if (is_idle) idle += "jute " + std::string(line) + ": " + name + " does nothing\n";
  }
  return idle;
}

}  // namespace jute::test
