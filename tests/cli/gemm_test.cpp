// `jute gemm` from files to files, on the emulator, and everything that it refuses.
#include <jute/host/operands.hpp>

#include <cmath>
#include <cstring>
#include <filesystem>

#include "cli/command.hpp"
#include "files/npy_file.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::command;
using namespace jute::test;

namespace {

/// Small integers, so that every order of summation gives the same bits.
double element(Index seed, Index index) {
  return static_cast<double>((index * 7 + seed * 5) % 9) - 4.0;
}

struct MatrixFile {
  std::vector<Index> shape;
  DType type = DType::f32;
  bool fortran_order = false;
  Index seed = 1;
};

/// Element (batch,row,column) of the matrix that a file holds, whatever its order.
double value_at(const MatrixFile& matrix, Index batch, Index row, Index column) {
  const size_t rank = matrix.shape.size();
  const Index rows = rank < 2 ? 1 : matrix.shape[rank - 2], columns = matrix.shape[rank - 1];
  if (rank <= 2 || matrix.shape[0] == 1) batch = 0;
  return element(matrix.seed, (batch * rows + row) * columns + column);
}

NpyArray array_of(const MatrixFile& matrix) {
  const size_t rank = matrix.shape.size();
  Index batches = 1;
  for (size_t i = 0; i + 2 < rank; ++i) batches *= matrix.shape[i];
  const Index rows = rank < 2 ? 1 : matrix.shape[rank - 2], columns = matrix.shape[rank - 1];
  std::vector<double> values(static_cast<size_t>(batches * rows * columns));
  for (Index batch = 0; batch < batches; ++batch)
    for (Index row = 0; row < rows; ++row)
      for (Index column = 0; column < columns; ++column) {
        const Index at = matrix.fortran_order ? batch + batches * (row + rows * column)
                                              : (batch * rows + row) * columns + column;
        values[static_cast<size_t>(at)] = value_at(matrix, batch, row, column);
      }
  return {.descr = std::string(npy_descr(matrix.type)),
          .fortran_order = matrix.fortran_order,
          .shape = matrix.shape,
          .bytes = encode(matrix.type, values)};
}

class GemmFolder {
 public:
  std::string write(const std::string& name, const MatrixFile& matrix) const {
    OutputFile file(folder_.file(name));
    write_npy(file, array_of(matrix));
    file.commit();
    return folder_.file(name);
  }
  [[nodiscard]] std::string file(const std::string& name) const { return folder_.file(name); }
  [[nodiscard]] bool has(const std::string& name) const {
    return std::filesystem::exists(folder_.file(name));
  }
  /// `jute gemm --a a.npy --b b.npy …`
  [[nodiscard]] ProcessResult run_bare(std::vector<std::string> more,
                                       ProcessInput input = {}) const {
    std::vector<std::string> arguments{"gemm", "--a", file("a.npy"), "--b", file("b.npy")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_jute(arguments, std::move(input));
  }
  /// The same with `-o d.npy --device emulator`.
  [[nodiscard]] ProcessResult run(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{"-o", file("d.npy"), "--device", "emulator"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_bare(arguments);
  }

 private:
  TemporaryFolder folder_;
};

/// D as doubles in C order.
std::vector<double> decoded(NpyArray array, DType type) {
  std::vector<double> values = decode(type, std::span<const std::byte>(array.bytes));
  if (!array.fortran_order) return values;
  const Index rows = array.shape[0], columns = array.shape[1];
  std::vector<double> turned(values.size());
  for (Index row = 0; row < rows; ++row)
    for (Index column = 0; column < columns; ++column)
      turned[static_cast<size_t>(row * columns + column)] =
          values[static_cast<size_t>(row + rows * column)];
  return turned;
}

std::vector<double> expected(const MatrixFile& a, const MatrixFile& b, Index batches) {
  const Index m = a.shape[a.shape.size() - 2], k = a.shape.back(), n = b.shape.back();
  std::vector<double> result;
  for (Index batch = 0; batch < batches; ++batch)
    for (Index i = 0; i < m; ++i)
      for (Index j = 0; j < n; ++j) {
        double sum = 0;
        for (Index l = 0; l < k; ++l) sum += value_at(a, batch, i, l) * value_at(b, batch, l, j);
        result.push_back(sum);
      }
  return result;
}

}  // namespace

TEST_CASE("a product of files is exact, whatever order they have", "[cli][gemm]") {
  for (const bool fortran_a : {false, true})
    for (const bool fortran_b : {false, true}) {
      const GemmFolder folder;
      const MatrixFile a{.shape = {37, 21}, .fortran_order = fortran_a};
      const MatrixFile b{.shape = {21, 19}, .fortran_order = fortran_b, .seed = 2};
      folder.write("a.npy", a);
      folder.write("b.npy", b);
      const ProcessResult result = folder.run({"--verify", "--order-c", fortran_a ? "col" : "row"});
      INFO(result.err << result.out);
      REQUIRE(result.status == 0);
      CHECK(result.out.find("check    ok") != std::string::npos);
      const NpyArray d = read_npy(folder.file("d.npy"));
      CHECK(d.fortran_order == fortran_a);
      CHECK(d.shape == std::vector<Index>{37, 19});
      CHECK(decoded(d, DType::f32) == expected(a, b, 1));
    }
}

TEST_CASE("a batch multiplies matrix by matrix and repeats a single one", "[cli][gemm]") {
  const GemmFolder folder;
  const MatrixFile a{.shape = {3, 16, 8}, .fortran_order = true};
  const MatrixFile b{.shape = {8, 12}, .seed = 2};
  folder.write("a.npy", a);
  folder.write("b.npy", b);
  const ProcessResult result = folder.run({"--verify", "--json"});
  INFO(result.err << result.out);
  REQUIRE(result.status == 0);
  CHECK(result.out.find("\"check\":{\"ok\":true,\"elements\":576") != std::string::npos);
  const NpyArray d = read_npy(folder.file("d.npy"));
  CHECK(d.shape == std::vector<Index>{3, 16, 12});
  CHECK(decoded(d, DType::f32) == expected(a, b, 3));
}

TEST_CASE("types without a numpy type travel as bits", "[cli][gemm]") {
  const GemmFolder folder;
  const MatrixFile a{.shape = {16, 16}, .type = DType::bf16};
  const MatrixFile b{.shape = {16, 16}, .type = DType::bf16, .seed = 2};
  folder.write("a.npy", a);
  folder.write("b.npy", b);
  require_refusal(folder.run(), 2, "--type bf16");
  const ProcessResult result = folder.run({"--type", "bf16", "--out-type", "f32"});
  INFO(result.err);
  REQUIRE(result.status == 0);
  CHECK(decoded(read_npy(folder.file("d.npy")), DType::f32) == expected(a, b, 1));
}

TEST_CASE("files of floats are multiplied in the type that is asked for", "[cli][gemm]") {
  const GemmFolder folder;
  const MatrixFile a{.shape = {9, 20}}, b{.shape = {20, 7}, .type = DType::f64, .seed = 2};
  folder.write("a.npy", a);
  folder.write("b.npy", b);
  const ProcessResult result = folder.run({"--type", "bf16", "--out-type", "f32", "--verify"});
  INFO(result.err << result.out);
  REQUIRE(result.status == 0);
  CHECK(decoded(read_npy(folder.file("d.npy")), DType::f32) == expected(a, b, 1));
}

TEST_CASE("f32 files are multiplied by tf32 tensor cores within the bound that allows for it",
          "[cli][gemm][tf32]") {
  const GemmFolder folder;
  std::vector<std::byte> drawn[2];
  const std::vector<std::pair<std::string, std::vector<Index>>> files{{"a.npy", {40, 64}},
                                                                      {"b.npy", {64, 24}}};
  for (std::size_t i = 0; i < files.size(); ++i) {
    const auto& [name, shape] = files[i];
    drawn[i] = random_bytes(DType::f32, 4 * shape[0] * shape[1], 5 + i, RandomKind::normal);
    command::OutputFile file(folder.file(name));
    write_npy(file, NpyArray{.descr = "<f4", .shape = shape, .bytes = drawn[i]});
    file.commit();
  }
  const ProcessResult result = folder.run({"--precision", "tf32", "--verify", "--arch", "sm_90a"});
  INFO(result.err << result.out);
  REQUIRE(result.status == 0);
  CHECK(result.out.find("_tf32") != std::string::npos);
  CHECK(result.out.find("check    ok") != std::string::npos);
  // Bits were left out: the result is not that of f32, and within the bound is not within f32's.
  const std::vector<double> found = decoded(read_npy(folder.file("d.npy")), DType::f32);
  REQUIRE(folder.run({"--verify", "--arch", "sm_90a"}).status == 0);
  const std::vector<double> exact = decoded(read_npy(folder.file("d.npy")), DType::f32);
  double most = 0;
  for (std::size_t i = 0; i < found.size(); ++i)
    most = std::max(most, std::abs(found[i] - exact[i]));
  CHECK(most > 1e-4);
  CHECK(most < 0.1);
  require_refusal(folder.run({"--precision", "tf32", "--type", "bf16"}), 2,
                  "A and B must be f32, and accumulated in f32, to be multiplied as tf32");
}

TEST_CASE("alpha, beta and C take part", "[cli][gemm]") {
  const GemmFolder folder;
  const MatrixFile a{.shape = {8, 8}}, b{.shape = {8, 8}, .seed = 2}, c{.shape = {8, 8}, .seed = 3};
  folder.write("a.npy", a);
  folder.write("b.npy", b);
  const std::string c_file = folder.write("c.npy", c);
  const ProcessResult result = folder.run({"--alpha", "-2", "--beta", "3", "--c", c_file});
  INFO(result.err);
  REQUIRE(result.status == 0);
  std::vector<double> want = expected(a, b, 1);
  for (Index i = 0; i < 64; ++i) {
    double& value = want[static_cast<size_t>(i)];
    value = -2 * value + 3 * element(c.seed, i);
  }
  CHECK(decoded(read_npy(folder.file("d.npy")), DType::f32) == want);
}

TEST_CASE("random operands are the same for the same seed and judged", "[cli][gemm]") {
  const TemporaryFolder folder;
  const auto run = [&](const std::string& seed, const std::string& name) {
    const ProcessResult result =
        run_jute({"gemm",     "--m",     "33",       "--n",      "20",
                  "--k",      "17",      "--random", seed,       "--lda",
                  "24",       "--ldd",   "28",       "--verify", "--device",
                  "emulator", "--check", "full",     "-o",       folder.file(name)});
    INFO(result.err);
    CHECK(result.status == 0);
    return read_npy(folder.file(name));
  };
  const NpyArray first = run("1", "first.npy");
  CHECK(first.shape == std::vector<Index>{33, 20});
  CHECK(run("1", "again.npy") == first);
  CHECK_FALSE(run("2", "other.npy") == first);
}

TEST_CASE("operands that do not fit are refused before anything is written",
          "[cli][gemm][refusal]") {
  const GemmFolder folder;
  const auto refused = [&](const MatrixFile& a, const MatrixFile& b, const std::string& part,
                           const std::vector<std::string>& more = {}) {
    folder.write("a.npy", a);
    folder.write("b.npy", b);
    require_refusal(folder.run(more), 2, part);
    CHECK_FALSE(folder.has("d.npy"));
  };
  const MatrixFile a{.shape = {4, 8}}, b{.shape = {8, 4}};
  refused({.shape = {4, 7}}, b, "K = 7 and 8");
  refused({.shape = {8}}, b, "rank 1");
  refused({.shape = {1, 2, 4, 8}}, b, "rank 4");
  refused({.shape = {2, 4, 8}}, {.shape = {3, 8, 4}}, "batch 3");
  refused(a, {.shape = {8, 4}, .type = DType::f64}, "f64");
  refused({.shape = {4, 8}, .type = DType::s8}, b, "bf16 must travel as <u2", {"--type", "bf16"});
  refused(a, b, "unknown_name", {"--type", "f31"});
  refused(a, b, "--m", {"--m", "5"});
  refused(a, b, "--lda", {"--lda", "16"});
  refused(a, b, "--beta", {"--beta", "1"});
  refused(a, b, "--tile", {"--tile", "128by128"});
  refused(a, b, "tile", {"--tile", "100x100x3"});
  refused(a, b, "--smem-a", {"--smem-a", "(4,"});
  refused(a, b, "usage", {"--random", "1"});
  refused(a, b, "usage", {"--integers"});
  refused(a, b, "SM80_16x8x16", {"--mma", "SM80_16x8x16_F32F61F61F32_TN"});
  const std::string c = folder.write("c.npy", {.shape = {4, 5}});
  refused(a, b, "4x5", {"--beta", "1", "--c", c});
}

TEST_CASE("files that are missing, cut short or lying are refused", "[cli][gemm][refusal]") {
  const GemmFolder folder;
  require_refusal(folder.run(), 2, "a.npy: there must be such a file");
  folder.write("a.npy", {.shape = {4, 8}});
  folder.write("b.npy", {.shape = {8, 4}});
  std::filesystem::resize_file(folder.file("b.npy"), 200);
  require_refusal(folder.run(), 2, "needs 128 bytes, but 72 follow");
  std::filesystem::resize_file(folder.file("b.npy"), 20);
  require_refusal(folder.run(), 2, "cut short");
  CHECK_FALSE(folder.has("d.npy"));
  CHECK(run_jute({"gemm", "--a", folder.file("a.npy")}).status == 2);
  CHECK(run_jute({"gemm"}).status == 2);
}

TEST_CASE("what the machine lacks is said with status 3", "[cli][gemm][refusal]") {
  const GemmFolder folder;
  folder.write("a.npy", {.shape = {4, 8}});
  folder.write("b.npy", {.shape = {8, 4}});
  const ProcessInput no_nvrtc{
      .environment = {{"JUTE_NVRTC", "/nonexistent"}, {"JUTE_CACHE", "off"}}};
  require_refusal(folder.run_bare({"-o", folder.file("d.npy"), "--device", "emulator"}, no_nvrtc),
                  3, "no_nvrtc");
  CHECK_FALSE(folder.has("d.npy"));
  require_refusal(folder.run_bare({"-o", folder.file("none/d.npy")}), 3, "unwritable");
  if (run_jute({"doctor", "--require", "gpu"}).status == 0) return;
  require_refusal(folder.run_bare({"-o", folder.file("d.npy"), "--device", "cuda"}), 3, "no_gpu");
  CHECK_FALSE(folder.has("d.npy"));
}
