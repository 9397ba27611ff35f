// Files of 4-bit elements: whichever two neighbours share a byte, and whichever way bytes lie.
#include <cstring>

#include "cli/command.hpp"
#include "files/npy_file.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::test;

namespace {

constexpr Index kRowsOfX = 3, kWeightsN = 6, kWeightsK = 10;

Index weight(Index n, Index k) { return (3 * n + 5 * k + n * k) % 16; }

class Weights {
 public:
  /// A file whose bytes count `rows` by `columns`; `pair(row, column)` are a byte's (n,k) pairs.
  void write(const std::string& name, Index rows, Index columns, bool fortran, auto pair) const {
    NpyArray array{.descr = "|u1", .fortran_order = fortran, .shape = {rows, columns}, .bytes = {}};
    for (Index at = 0; at < rows * columns; ++at) {
      const Index row = fortran ? at % rows : at / columns;
      const Index column = fortran ? at / rows : at % columns;
      const auto [low, high] = pair(row, column);
      array.bytes.push_back(static_cast<std::byte>(low | high << 4));
    }
    write(name, array);
  }
  void write(const std::string& name, const NpyArray& array) const {
    command::OutputFile file(folder_.file(name));
    command::write_npy(file, array);
    file.commit();
  }
  [[nodiscard]] ProcessResult run(const std::string& line) const {
    return run_jute(command_words(line), {.folder = folder_.path().string()});
  }
  [[nodiscard]] std::vector<float> floats(const std::string& name) const {
    const NpyArray array = command::read_npy(folder_.file(name));
    std::vector<float> values(array.bytes.size() / sizeof(float));
    std::memcpy(values.data(), array.bytes.data(), array.bytes.size());
    return values;
  }

 private:
  TemporaryFolder folder_;
};

double x(Index m, Index k) { return static_cast<double>((m + 2 * k) % 5) - 2; }

}  // namespace

TEST_CASE("weights of 4 bits are read by pairs along K and along N, by rows and by columns",
          "[cli][gemm][scaled]") {
  const Weights files;
  std::vector<double> values;
  for (Index m = 0; m < kRowsOfX; ++m)
    for (Index k = 0; k < kWeightsK; ++k) values.push_back(x(m, k));
  files.write(
      "x.npy",
      {.descr = "<f4", .shape = {kRowsOfX, kWeightsK}, .bytes = encode(DType::f32, values)});
  for (const bool fortran : {false, true}) {
    const std::string order = fortran ? "_f.npy" : ".npy";
    files.write("k" + order, kWeightsK / 2, kWeightsN, fortran, [](Index row, Index n) {
      return std::pair(weight(n, 2 * row), weight(n, 2 * row + 1));
    });
    files.write("kt" + order, kWeightsN, kWeightsK / 2, fortran, [](Index n, Index column) {
      return std::pair(weight(n, 2 * column), weight(n, 2 * column + 1));
    });
    files.write("n" + order, kWeightsK, kWeightsN / 2, fortran, [](Index k, Index column) {
      return std::pair(weight(2 * column, k), weight(2 * column + 1, k));
    });
    files.write("nt" + order, kWeightsN / 2, kWeightsK, fortran, [](Index row, Index k) {
      return std::pair(weight(2 * row, k), weight(2 * row + 1, k));
    });
  }
  std::vector<float> right;
  for (Index m = 0; m < kRowsOfX; ++m)
    for (Index n = 0; n < kWeightsN; ++n) {
      double sum = 0;
      for (Index k = 0; k < kWeightsK; ++k)
        sum += x(m, k) * (static_cast<double>(weight(n, k)) - 8);
      right.push_back(static_cast<float>(sum));
    }
  const std::string types =
      " --type-a bf16 --type-b u4 --zero-b 8 --out-type f32 -o d.npy"
      " --device emulator";
  for (const char* file : {"k", "n", "k_f", "n_f", "kt", "nt", "kt_f", "nt_f"}) {
    const std::string name = file;
    const std::string turned = name[1] == 't' ? " --transpose-b" : "";
    const ProcessResult result = files.run("gemm --a x.npy --b " + name + ".npy" + turned + types);
    INFO(file << "\n" << result.err);
    CHECK(result.status == 0);
    CHECK(files.floats("d.npy") == right);
    const ProcessResult wrong = files.run("gemm --a x.npy --b " + name + ".npy" +
                                          (turned.empty() ? " --transpose-b" : "") + types);
    CHECK(wrong.status != 0);
    CHECK(wrong.err.find(turned.empty() ? "--transpose-b: it must be left out"
                                        : "it fits where B (" + name +
                                              ".npy) is stored as (N,K)") != std::string::npos);
  }
}
