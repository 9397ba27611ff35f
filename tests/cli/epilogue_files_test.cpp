// Random epilogues through the command: operands from files, outputs into files, which are read
// back and judged by the epilogue's second reading.
#include <fstream>
#include <map>

#include "cli/command.hpp"
#include "files/npy_file.hpp"
#include "support/catch.hpp"
#include "support/chance.hpp"
#include "support/random_epilogue.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::test;

namespace {

/// An array and what its bits mean.
struct FileArray {
  NpyArray array;
  DType type = DType::f32;

  [[nodiscard]] double at(const std::vector<Index>& place) const {
    Index offset = 0;
    const size_t rank = array.shape.size();
    for (size_t i = 0; i < rank; ++i) {
      const size_t dimension = array.fortran_order ? rank - 1 - i : i;
      offset = offset * array.shape[dimension] + place[dimension];
    }
    const auto width = static_cast<size_t>(width_bytes(type));
    std::uint64_t bits = 0;
    std::memcpy(&bits, array.bytes.data() + static_cast<size_t>(offset) * width, width);
    return decode(type, bits);
  }
};

struct CommandCase {
  PlainEpilogue epilogue{};
  Index m = 0, n = 0, k = 0, batch = 1;
  DType type = DType::f32, out = DType::f32;
  bool by_columns = false;  ///< D
  double alpha = 1, beta = 0;
};

CommandCase drawn_case(Chance& chance, std::uint64_t seed) {
  CommandCase drawn{
      .m = 1 + chance.below(40), .n = 1 + chance.below(40), .k = 1 + chance.below(30), .batch = 1};
  if (chance.one_in(2)) drawn.batch = 2 + chance.below(2);
  drawn.type = chance.from<DType>({DType::f32, DType::bf16, DType::f16, DType::s8});
  drawn.out = drawn.type == DType::s8 ? DType::s32 : chance.one_in(2) ? DType::f32 : drawn.type;
  drawn.by_columns = chance.one_in(2);
  const bool is_whole = drawn.type == DType::s8;
  drawn.epilogue =
      random_epilogue(seed, {is_whole ? DType::s32 : DType::f32, drawn.out, true, is_whole});
  if (drawn.epilogue.names("alpha")) drawn.alpha = chance.from<double>({2, -1, 3});
  if (drawn.epilogue.names("beta")) drawn.beta = chance.from<double>({0, 0, 2, -1});
  return drawn;
}

class CommandRun {
 public:
  CommandRun(CommandCase drawn, Chance& chance) : drawn_(std::move(drawn)), chance_(chance) {
    words_ = {"gemm",       "--device",
              "emulator",   "--verify",
              "--type",     std::string(name(drawn_.type)),
              "--out-type", std::string(name(drawn_.out)),
              "--epilogue", drawn_.epilogue.text()};
    if (drawn_.by_columns) words_.insert(words_.end(), {"--order-c", "col"});
    a_ = written("a", drawn_.type, shape(true, {drawn_.m, drawn_.k}));
    b_ = written("b", drawn_.type, shape(true, {drawn_.k, drawn_.n}));
    for (const char* one : {"a", "b"})
      words_.insert(words_.end(), {std::string("--") + one, file(one)});
    if (drawn_.epilogue.names("c")) {
      c_ = written("c", drawn_.out, shape(true, {drawn_.m, drawn_.n}));
      words_.insert(words_.end(), {"--c", file("c")});
    }
    if (drawn_.alpha != 1) words_.insert(words_.end(), {"--alpha", std::to_string(drawn_.alpha)});
    if (drawn_.epilogue.names("beta"))
      words_.insert(words_.end(), {"--beta", std::to_string(drawn_.beta)});
    for (const PlainInput& input : drawn_.epilogue.inputs) give(input);
    for (const PlainOutput& output : drawn_.epilogue.outputs) ask_for(output);
  }

  /// What is wrong with the files; empty: nothing.
  [[nodiscard]] std::string judge() {
    const ProcessResult result = run_jute(words_);
    std::string line;
    for (const std::string& word : words_) line += (line.empty() ? "" : " ") + word;
    if (result.status != 0) return line + "\n" + result.err + result.out;
    const std::vector<PlainResult> expected = plain_results(drawn_.epilogue, reads());
    for (size_t i = 0; i < expected.size(); ++i) {
      const PlainOutput& output = drawn_.epilogue.outputs[i];
      const FileArray held{command::read_npy(file(output.name)), output.type};
      const std::string wrong = judged_file(output, expected[i], held);
      if (!wrong.empty()) return line + "\n" + wrong;
    }
    return "";
  }

 private:
  [[nodiscard]] std::string file(const std::string& name) const {
    return folder_.file(name + ".npy");
  }
  [[nodiscard]] std::vector<Index> shape(bool batched, std::vector<Index> one) const {
    if (batched && drawn_.batch > 1) one.insert(one.begin(), drawn_.batch);
    return one;
  }

  /// Small whole numbers, by rows or by columns.
  FileArray written(const std::string& name, DType type, std::vector<Index> shape,
                    bool is_bits = false) {
    FileArray result{
        {.descr = std::string(npy_descr(type)), .shape = std::move(shape), .bytes = {}}, type};
    NpyArray& array = result.array;
    array.fortran_order = array.shape.size() == 2 && chance_.one_in(2);
    Index count = 1;
    for (const Index extent : array.shape) count *= extent;
    const auto width = static_cast<size_t>(width_bytes(type));
    array.bytes.resize(static_cast<size_t>(count) * width);
    for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
      const Index value = is_bits             ? chance_.below(256)
                          : type == DType::u8 ? chance_.below(5)
                                              : chance_.below(7) - 3;
      const std::uint64_t bits = encode(type, static_cast<double>(value));
      std::memcpy(array.bytes.data() + i * width, &bits, width);
    }
    std::ofstream out(file(name), std::ios::binary);
    out << npy_header(array);
    out.write(reinterpret_cast<const char*>(array.bytes.data()),
              static_cast<std::streamsize>(array.bytes.size()));
    return result;
  }

  void give(const PlainInput& input) {
    if (input.by_value) {
      const Index number = chance_.below(7) - 3;
      words_.insert(words_.end(), {"--input-type", input.name + "=" + std::string(name(input.type)),
                                   "--input", input.name + "=" + std::to_string(number)});
      inputs_.emplace_back([=](Index, Index, Index) { return static_cast<double>(number); });
      return;
    }
    const bool by_row = input.index.find('m') != std::string::npos,
               by_col = input.index.find('n') != std::string::npos;
    const bool batched = input.index.find("batch") != std::string::npos || (by_row && by_col);
    const bool along_m = input.is_bits && chance_.one_in(2);  // eight rows to a byte
    std::vector<Index> one;
    if (by_row) one.push_back(along_m ? (drawn_.m + 7) / 8 : drawn_.m);
    if (by_col) one.push_back(input.is_bits && !along_m ? (drawn_.n + 7) / 8 : drawn_.n);
    const bool has_batch = batched && (drawn_.batch > 1 || !(by_row && by_col));
    if (has_batch) one.insert(one.begin(), drawn_.batch);
    const FileArray array = written(input.name, input.type, one, input.is_bits);
    if (!input.is_bits)
      words_.insert(words_.end(),
                    {"--input-type", input.name + "=" + std::string(name(input.type))});
    words_.insert(words_.end(), {"--input", input.name + "=" + file(input.name)});
    inputs_.emplace_back([=, is_bits = input.is_bits](Index batch, Index row, Index col) -> double {
      std::vector<Index> place;
      if (has_batch) place.push_back(batch);
      if (by_row) place.push_back(along_m ? row / 8 : row);
      if (by_col) place.push_back(is_bits && !along_m ? col / 8 : col);
      const double value = array.at(place);
      return is_bits ? static_cast<double>(
                           static_cast<unsigned>(value) >> (along_m ? row : col) % 8 & 1)
                     : value;
    });
  }

  void ask_for(const PlainOutput& output) {
    if (output.name != "d" && output.gather != "bit")
      words_.insert(words_.end(),
                    {"--output-type", output.name + "=" + std::string(name(output.type))});
    words_.insert(words_.end(), {"-o", output.name + "=" + file(output.name)});
  }

  [[nodiscard]] PlainReads reads() const {
    const auto of = [this](const FileArray& array) {
      return [this, &array](Index batch, Index row, Index col) {
        return array.at(shape(true, {row, col}).size() == 3 ? std::vector<Index>{batch, row, col}
                                                            : std::vector<Index>{row, col});
      };
    };
    PlainReads all{drawn_.m, drawn_.n, drawn_.k, drawn_.batch, of(a_), of(b_), of(c_)};
    all.inputs = inputs_;
    all.alpha = drawn_.alpha;
    all.beta = drawn_.beta;
    all.accumulate = drawn_.type == DType::s8 ? DType::s32 : DType::f32;
    all.c_type = drawn_.out;
    return all;
  }

  [[nodiscard]] std::string judged_file(const PlainOutput& output, const PlainResult& expected,
                                        const FileArray& held) const {
    const bool is_bits = output.gather == "bit", along_m = is_bits && drawn_.by_columns;
    const bool has_rows = expected.has_rows, has_cols = expected.has_cols;
    std::vector<Index> one;
    if (has_rows) one.push_back(along_m ? (drawn_.m + 7) / 8 : drawn_.m);
    if (has_cols) one.push_back(is_bits && !along_m ? (drawn_.n + 7) / 8 : drawn_.n);
    if (held.array.shape != shape(true, one)) return output.name + " has another shape";
    return judged(output, expected, drawn_.batch,
                  [&](Index batch, Index row, Index col) -> double {
                    std::vector<Index> place;
                    if (drawn_.batch > 1) place.push_back(batch);
                    if (has_rows) place.push_back(along_m ? row / 8 : row);
                    if (has_cols) place.push_back(is_bits && !along_m ? col / 8 : col);
                    const double value = held.at(place);
                    return is_bits
                               ? static_cast<double>(
                                     static_cast<unsigned>(value) >> (along_m ? row : col) % 8 & 1)
                               : value;
                  })
        .wrong;
  }
  CommandCase drawn_;
  Chance& chance_;
  TemporaryFolder folder_;
  std::vector<std::string> words_;
  FileArray a_, b_, c_;
  std::vector<std::function<double(Index, Index, Index)>> inputs_;
};

}  // namespace

TEST_CASE("random epilogues read files and write files", "[cli][gemm][epilogue][random]") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Chance chance(seed);
    CHECK(CommandRun(drawn_case(chance, seed), chance).judge() == "");
  }
}
