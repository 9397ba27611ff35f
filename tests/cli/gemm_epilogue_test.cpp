// `jute gemm --epilogue`: inputs from files and from the line, outputs into files.
#include "cli/command.hpp"
#include "files/npy_file.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

#include <algorithm>

using namespace jute;
using namespace jute::test;

namespace {

ProcessResult gemm(const std::vector<std::string>& more) {
  std::vector<std::string> words =
      command_words("gemm --m 20 --n 12 --k 8 --random 1 --type f32 --device emulator --verify");
  words.insert(words.end(), more.begin(), more.end());
  return run_jute(words);
}

}  // namespace

TEST_CASE("inputs of an epilogue come from files, outputs go into files", "[cli][gemm][epilogue]") {
  const TemporaryFolder folder;
  const std::string d = folder.file("d.npy"), g = folder.file("g.npy"), r = folder.file("r.npy");
  REQUIRE(gemm({"-o", d}).status == 0);
  const ProcessResult result =
      gemm({"--epilogue", "d = acc + x[m,n]*s; g = relu(acc); r = row_sum[m](acc)", "--input",
            "x=" + d, "--input", "s=-1", "--output", "g=" + g, "--output-type", "g=bf16",
            "--output", folder.file("zeros.npy"), "--output", "r=" + r});
  INFO(result.err);
  CHECK(result.status == 0);
  CHECK(result.out.find("check    g ok") != std::string::npos);
  CHECK(result.out.find("check    r ok") != std::string::npos);
  // The same product less itself.
  const NpyArray zeros = command::read_npy(folder.file("zeros.npy"));
  CHECK(zeros.shape == std::vector<Index>{20, 12});
  for (const double value : decode(DType::f32, zeros.bytes)) CHECK(value == 0);
  CHECK(command::read_npy(g).descr == npy_descr(DType::bf16));
  CHECK(command::read_npy(r).shape == std::vector<Index>{20});
}

namespace {

/// The numbers of a file of f32, or the bytes of one of bits, in C order.
std::vector<double> in_c_order(const NpyArray& array, DType type) {
  std::vector<double> values = decode(type, array.bytes);
  if (!array.fortran_order) return values;
  const auto rows = static_cast<size_t>(array.shape.at(0)), cols = values.size() / rows;
  std::vector<double> result(values.size());
  for (size_t i = 0; i < values.size(); ++i) result[i % rows * cols + i / rows] = values[i];
  return result;
}

/// Writes every kind of output of a problem, holds each file against D's, and reads the bits back.
void check_files_of_outputs(const std::string& order, const std::vector<std::string>& batch) {
  const TemporaryFolder folder;
  const auto file = [&](const char* name) { return folder.file(std::string(name) + ".npy"); };
  const bool by_columns = order == "col";
  std::vector<std::string> words{"--integers", "--order-c", order, "-o", file("d")};
  words.insert(words.end(), batch.begin(), batch.end());
  const std::vector<std::string> problem = words;
  words.insert(words.end(),
               {"--epilogue",
                "d = acc; k = bit(acc > 0); ra = a_sum[m]; ca = b_sum[n]; e = 0*acc + a_sum[m] + "
                "1000*b_sum[n]; s = sum(acc); r = row_sum[m](acc); t = 2*b_sum[n] + 1"});
  for (const char* name : {"k", "ra", "ca", "e", "s", "r", "t"})
    words.insert(words.end(), {"-o", std::string(name) + "=" + file(name)});
  const ProcessResult written = gemm(words);
  INFO(order << " " << written.err << written.out);
  REQUIRE(written.status == 0);
  const auto read = [&](const char* name) { return command::read_npy(file(name)); };
  const auto values = [&](const char* name) { return in_c_order(read(name), DType::f32); };
  std::vector<Index> first;
  if (!batch.empty()) first.push_back(std::stoll(batch.back()));
  const auto shape = [&](std::vector<Index> one) {
    one.insert(one.begin(), first.begin(), first.end());
    return one;
  };
  const Index m = 20, n = 12, matrices = first.empty() ? 1 : first[0];
  CHECK(read("k").shape == shape(by_columns ? std::vector<Index>{3, n} : std::vector<Index>{m, 2}));
  CHECK(read("ra").shape == shape({m}));
  CHECK(read("ca").shape == shape({n}));
  CHECK(read("r").shape == shape({m}));
  CHECK(read("s").shape == shape({}));
  REQUIRE(read("e").shape == shape({m, n}));
  const std::vector<double> d = values("d"), e = values("e"), ra = values("ra"), ca = values("ca"),
                            t = values("t"), r = values("r"), k = in_c_order(read("k"), DType::u8);
  int wrong = 0;
  for (Index one = 0; one < matrices; ++one)
    for (Index row = 0; row < m; ++row) {
      double sum = 0;
      for (Index col = 0; col < n; ++col) {
        const double value = d[static_cast<size_t>((one * m + row) * n + col)];
        const Index byte =
            by_columns ? (one * 3 + row / 8) * n + col : (one * m + row) * 2 + col / 8;
        const auto bits = static_cast<unsigned>(k.at(static_cast<size_t>(byte)));
        wrong += (bits >> (by_columns ? row : col) % 8 & 1) != (value > 0 ? 1u : 0u);
        const double of_a = ra.at(static_cast<size_t>(one * m + row)),
                     of_b = ca.at(static_cast<size_t>(one * n + col));
        wrong += e[static_cast<size_t>((one * m + row) * n + col)] != of_a + 1000 * of_b;
        wrong += t.at(static_cast<size_t>(one * n + col)) != 2 * of_b + 1;
        sum += value;
      }
      wrong += r.at(static_cast<size_t>(one * m + row)) != sum;
    }
  CHECK(wrong == 0);
  // The mask as an input, of the same problem and of one whose D lies the other way.
  for (const std::string& other : {order, std::string(by_columns ? "row" : "col")}) {
    words = problem;
    words[2] = other;
    words[4] = file("masked");
    words.insert(words.end(),
                 {"--epilogue", "select(k[m,n], acc, 0)", "--input", "k=" + file("k")});
    const ProcessResult masked = gemm(words);
    INFO(other << " " << masked.err);
    REQUIRE(masked.status == 0);
    std::vector<double> expected = d;
    for (double& value : expected) value = std::max(value, 0.0);
    CHECK(values("masked") == expected);
  }
}

}  // namespace

TEST_CASE("every kind of output is written as it was judged, and bits are read back",
          "[cli][gemm][epilogue]") {
  for (const char* order : {"row", "col"})
    for (const std::vector<std::string>& batch :
         {std::vector<std::string>{}, {"--batch", "1"}, {"--batch", "3"}})
      check_files_of_outputs(order, batch);
}

TEST_CASE("bits of a D that is narrower than a byte are right", "[cli][gemm][epilogue]") {
  for (const char* order : {"row", "col"})
    for (const char* shape : {"--m 1 --n 33", "--m 33 --n 1", "--m 5 --n 20"}) {
      const ProcessResult result = run_jute(
          command_words("gemm --k 16 --random 1 --type f32 --device emulator --verify --epilogue "
                        "'d = relu(acc); k = bit(acc > 0)' --order-c " +
                        std::string(order) + " " + shape));
      INFO(order << " " << shape << ": " << result.err);
      CHECK(result.status == 0);
      CHECK(result.out.find("check    k ok") != std::string::npos);
    }
}

TEST_CASE("the command gives C to an epilogue that reads it", "[cli][gemm][epilogue]") {
  const TemporaryFolder folder;
  const auto written = [&](const std::string& epilogue, const std::vector<std::string>& more) {
    const std::string file = folder.file("x.npy");
    std::vector<std::string> words{"--epilogue", epilogue, "-o", file};
    words.insert(words.end(), more.begin(), more.end());
    const ProcessResult result = gemm(words);
    INFO(epilogue << ": " << result.err);
    REQUIRE(result.status == 0);
    return decode(DType::f32, command::read_npy(file).bytes);
  };
  const std::vector<double> c = written("beta*c + 0*acc", {"--beta", "1"});
  CHECK(c != std::vector<double>(c.size()));
  for (const char* text : {"c + beta + 0*acc", "max(c, -inf)*1 + beta*acc", "c*beta + c + 0*acc"})
    CHECK(written(text, {}) == c);
  CHECK(written("c*beta + 0*acc", {}) == std::vector<double>(c.size()));
  CHECK(written("beta + 0*acc", {"--beta", "3"}) == std::vector<double>(c.size(), 3));
  const std::string d = folder.file("d.npy");
  REQUIRE(run_jute(command_words(
                       "gemm --m 4 --n 4 --k 4 --type f32 --device emulator --random 1 -o " + d))
              .status == 0);
  const auto refused = [&](const std::string& line) {
    return run_jute(command_words("gemm --device emulator --a " + d + " --b " + d + " --epilogue " +
                                  line))
        .err;
  };
  CHECK(refused("acc+c+beta").find("it needs --c C.npy") != std::string::npos);
  CHECK(refused("acc+beta*c+c").find("it needs --c C.npy") != std::string::npos);
  CHECK(refused("acc+beta*c").empty());
  CHECK(refused("acc+beta --beta 2").empty());
}

TEST_CASE("the columns of a gate come with B's file", "[cli][gemm][epilogue][gate]") {
  const TemporaryFolder folder;
  const std::string b = folder.file("b.npy"), d = folder.file("d.npy");
  NpyArray array{.descr = "<f4", .fortran_order = false, .shape = {1, 6}, .bytes = {}};
  for (const float value : {1.0F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F}) {
    const auto bytes = std::as_bytes(std::span(&value, 1));
    array.bytes.insert(array.bytes.end(), bytes.begin(), bytes.end());
  }
  const auto write = [&](const std::string& path) {
    command::OutputFile file(path);
    command::write_npy(file, array);
    file.commit();
  };
  write(b);
  array.shape = {1, 1};
  array.bytes.resize(4);
  write(folder.file("a.npy"));
  const auto run = [&](const std::string& more) {
    const std::string line = "gemm --device emulator --verify --a " + folder.file("a.npy") +
                             " --b " + b + " --epilogue 10*gate+acc -o " + d + more;
    const ProcessResult result = run_jute(command_words(line));
    INFO(result.err);
    CHECK(result.status == 0);
    return decode(DType::f32, command::read_npy(d).bytes);
  };
  CHECK(run("") == std::vector<double>{14, 25, 36});
  CHECK(run(" --gate halves") == std::vector<double>{14, 25, 36});
  CHECK(run(" --gate pairs") == std::vector<double>{12, 34, 56});
  const auto refused = [&](const std::string& line) {
    return run_jute(command_words("gemm --device emulator " + line)).err;
  };
  CHECK(refused("--random 1 --m 4 --n 4 --k 4 --epilogue acc --gate pairs").find("gate") !=
        std::string::npos);
  const std::string square = "--a " + folder.file("a.npy") + " --b " + folder.file("a.npy");
  CHECK(refused(square + " --epilogue gate*acc").find("two columns for each of D") !=
        std::string::npos);
}

TEST_CASE("a seed is said by itself, or as the input that it is", "[cli][gemm][epilogue]") {
  const TemporaryFolder folder;
  const auto rounded = [&](const char* name, const std::vector<std::string>& seed) {
    std::vector<std::string> words{"--out-type", "bf16", "--round-d",
                                   "stochastic", "-o",   folder.file(name)};
    words.insert(words.end(), seed.begin(), seed.end());
    const ProcessResult result = gemm(words);
    INFO(result.err);
    CHECK(result.status == 0);
    return command::read_npy(folder.file(name)).bytes;
  };
  const auto seven = rounded("7.npy", {"--seed", "7"});
  CHECK(seven == rounded("input.npy", {"--input", "seed=7"}));
  CHECK(seven != rounded("8.npy", {"--seed", "8"}));
  const ProcessResult lacking = gemm({"--seed", "7"});
  CHECK(lacking.status != 0);
  CHECK(lacking.err.find("seed") != std::string::npos);
}

TEST_CASE("what does not fit an epilogue is refused by its name",
          "[cli][gemm][epilogue][refusal]") {
  const TemporaryFolder folder;
  const std::string d = folder.file("d.npy");
  REQUIRE(gemm({"-o", d}).status == 0);
  const auto refused = [](const std::vector<std::string>& more) { return gemm(more).err; };
  CHECK(refused({"--epilogue", "acc + bias[n]", "--input", "bais=" + d})
            .find("nearest legal: bias") != std::string::npos);
  CHECK(refused({"--epilogue", "acc + bias[n]", "--input", "bias=" + d})
            .find("bias must have the shape (12)") != std::string::npos);
  CHECK(refused({"--epilogue", "acc + bias[n]", "--input", "bias=2"})
            .find("only a scalar must be passed by value") != std::string::npos);
  CHECK(refused({"--epilogue", "acc + bias[n]", "-o", "g=" + d}).find("it has d") !=
        std::string::npos);
  CHECK(refused({"--epilogue", "gleu(acc) + 1"}).find("--epilogue 'gelu(acc) + 1'") !=
        std::string::npos);
  CHECK(refused({"--epilogue", "d = acc; r = row_sum(acc)"})
            .find("--epilogue 'd = acc; r = row_sum[m](acc)'") != std::string::npos);
  CHECK(refused({"--input", "x=" + d}).find("it has none") != std::string::npos);
}
