// `jute pack-weights`: files of one format to another's, and checkpoints' weights through to a
// product.
#include <jute/packing/weight_formats.hpp>

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <random>

#include "cli/command.hpp"
#include "files/npy_file.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::test;

namespace {

constexpr int kNibble = 4;
constexpr Index kOfWord = 8;

class WeightFolder {
 public:
  void write(const std::string& name, NpyArray array) const {
    command::OutputFile file(folder_.file(name));
    command::write_npy(file, array);
    file.commit();
  }
  template <class Number>
  void write(const std::string& name, const char* descr, std::vector<Index> shape,
             const std::vector<Number>& numbers) const {
    NpyArray array{.descr = descr, .shape = std::move(shape), .bytes = {}};
    array.bytes.resize(numbers.size() * sizeof(Number));
    std::memcpy(array.bytes.data(), numbers.data(), array.bytes.size());
    write(name, std::move(array));
  }
  [[nodiscard]] NpyArray read(const std::string& name) const {
    return command::read_npy(folder_.file(name));
  }
  [[nodiscard]] bool has(const std::string& name) const {
    return std::filesystem::exists(folder_.file(name));
  }
  [[nodiscard]] ProcessResult run(const std::string& line) const {
    return run_jute(command_words(line), {.folder = folder_.path().string()});
  }
  void require_done(const std::string& line) const {
    const ProcessResult result = run(line);
    INFO(line << '\n' << result.err);
    REQUIRE(result.status == 0);
  }

 private:
  TemporaryFolder folder_;
};

/// A quantised weight as numbers: element (k,n) counts as (q - zero) * scale.
struct QuantisedWeight {
  Index n, k, groups;
  std::vector<std::uint32_t> q, zero;  // (K,N), (groups,N)
  std::vector<double> scale;           // (groups,N), powers of two
  [[nodiscard]] double operator()(Index row, Index column) const {
    const Index group = row / (k / groups);
    const auto at = static_cast<std::size_t>(group * n + column);
    return (static_cast<double>(q[static_cast<std::size_t>(row * n + column)]) -
            static_cast<double>(zero[at])) *
           scale[at];
  }
};

QuantisedWeight random_weight(Index n, Index k, Index groups) {
  std::mt19937 random(67);
  const auto below = [&](std::uint32_t most) {
    return static_cast<std::uint32_t>(random() % most);
  };
  QuantisedWeight weight{n, k, groups, {}, {}, {}};
  for (Index i = 0; i < n * k; ++i) weight.q.push_back(below(16));
  for (Index i = 0; i < n * groups; ++i) {
    weight.zero.push_back(1 + below(15));
    weight.scale.push_back(std::ldexp(1.0, static_cast<int>(below(5)) - 4));
  }
  return weight;
}

/// Words as GPTQ's checkpoints have them, by a loop.
void write_gptq(const WeightFolder& folder, const QuantisedWeight& weight) {
  const Index n = weight.n, k = weight.k, groups = weight.groups;
  std::vector<std::uint32_t> q(static_cast<std::size_t>(k / kOfWord * n)),
      zeros(static_cast<std::size_t>(groups * n / kOfWord));
  for (Index i = 0; i < k * n; ++i)
    q[static_cast<std::size_t>(i / n / kOfWord * n + i % n)] |=
        weight.q[static_cast<std::size_t>(i)] << (kNibble * (i / n % kOfWord));
  for (Index i = 0; i < groups * n; ++i)
    zeros[static_cast<std::size_t>(i / kOfWord)] |= (weight.zero[static_cast<std::size_t>(i)] - 1)
                                                    << (kNibble * (i % kOfWord));
  folder.write("qweight.npy", "<i4", {k / kOfWord, n}, q);
  folder.write("qzeros.npy", "<i4", {groups, n / kOfWord}, zeros);
}
/// And AWQ's.
void write_awq(const WeightFolder& folder, const QuantisedWeight& weight) {
  const Index n = weight.n, k = weight.k, groups = weight.groups;
  constexpr int kPlaces[] = {0, 4, 1, 5, 2, 6, 3, 7};
  const auto words = [&](const std::vector<std::uint32_t>& numbers) {
    std::vector<std::uint32_t> packed(numbers.size() / kOfWord);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      packed[i / kOfWord] |= numbers[i] << (kNibble * kPlaces[i % kOfWord]);
    return packed;
  };
  folder.write("qweight.npy", "<i4", {k, n / kOfWord}, words(weight.q));
  folder.write("qzeros.npy", "<i4", {groups, n / kOfWord}, words(weight.zero));
}

void write_scales_and_a(const WeightFolder& folder, const QuantisedWeight& weight, Index m) {
  folder.write("scales.npy", {.descr = "<f2",
                              .shape = {weight.groups, weight.n},
                              .bytes = encode(DType::f16, weight.scale)});
  std::vector<double> a;
  for (Index i = 0; i < m * weight.k; ++i) a.push_back(static_cast<double>(i * 5 % 9) - 4);
  folder.write("x.npy", {.descr = "<f2", .shape = {m, weight.k}, .bytes = encode(DType::f16, a)});
}

/// Every element of d.npy, held to sums in f64 that are exact: small numbers, powers of two.
void require_product(const WeightFolder& folder, const QuantisedWeight& weight, Index m) {
  const NpyArray d = folder.read("d.npy");
  REQUIRE(d.shape == std::vector<Index>{m, weight.n});
  const std::vector<double> found = decode(DType::f32, d.bytes);
  Index wrong = 0;
  for (Index i = 0; i < m; ++i)
    for (Index n = 0; n < weight.n; ++n) {
      double sum = 0;
      for (Index k = 0; k < weight.k; ++k)
        sum += (static_cast<double>((i * weight.k + k) * 5 % 9) - 4) * weight(k, n);
      wrong += found[static_cast<std::size_t>(i * weight.n + n)] == sum ? 0 : 1;
    }
  CHECK(wrong == 0);
}

const std::string kAll =
    "qweight.npy --scales scales.npy --zeros qzeros.npy -o w.npy --scales-output s.npy "
    "--zeros-output z.npy ";

}  // namespace

TEST_CASE("checkpoints' weights are packed for jute and multiplied", "[cli][packing][gemm]") {
  const Index m = 3;
  const QuantisedWeight weight = random_weight(64, 128, 4);
  for (const std::string format : {"gptq", "awq"}) {
    const WeightFolder folder;
    format == "gptq" ? write_gptq(folder, weight) : write_awq(folder, weight);
    write_scales_and_a(folder, weight, m);
    folder.require_done("pack-weights " + kAll + "--from " + format + " --to jute");
    CHECK(folder.read("w.npy").shape == std::vector<Index>{64, 64});
    CHECK(folder.read("z.npy").descr == "|u1");
    folder.require_done(
        "gemm --a x.npy --b w.npy --transpose-b --type-a f16 --type-b u4 --scale-b s.npy --zero-b "
        "z.npy "
        "--out-type f32 -o d.npy --device emulator --verify");
    require_product(folder, weight, m);
    // The same as a file of (K,N).
    folder.require_done("pack-weights " + kAll + "--from " + format + " --to jute-kn");
    folder.require_done(
        "gemm --a x.npy --b w.npy --type-a f16 --type-b u4 --scale-b s.npy --zero-b z.npy "
        "--out-type f32 -o d.npy --device emulator --verify");
    require_product(folder, weight, m);
  }
}

TEST_CASE("a checkpoint's own words are multiplied by way of their layout",
          "[cli][packing][gemm][view]") {
  const Index m = 3, n = 64, k = 128;
  const QuantisedWeight weight = random_weight(n, k, 4);
  for (const std::string format : {"gptq", "awq", "marlin"}) {
    const WeightFolder folder;
    write_gptq(folder, weight);
    write_scales_and_a(folder, weight, m);
    folder.require_done("pack-weights " + kAll + "--from gptq --to " + format);
    folder.require_done("pack-weights w.npy --zeros z.npy --zeros-output z8.npy -o w8.npy --from " +
                        format + " --to jute-kn");
    const std::string layout =
        to_string(packed_layout(packing_of(format, WeightPart::weights, 4), {n, k}));
    folder.require_done(
        "gemm --a x.npy --b w.npy --layout-b " + layout +
        " --type-a f16 --type-b u4 --scale-b scales.npy --zero-b z8.npy --out-type f32 -o d.npy "
        "--device emulator --verify");
    require_product(folder, weight, m);
  }
  const WeightFolder folder;
  write_gptq(folder, weight);
  write_scales_and_a(folder, weight, m);
  require_refusal(folder.run("gemm --a x.npy --b qweight.npy --layout-b (64,136):(136,1) --type-a "
                             "f16 --type-b u4 --device emulator"),
                  2, "is element 8192 of qweight.npy, which has 8192");
}

TEST_CASE("files go to any format and back unchanged", "[cli][packing]") {
  const WeightFolder folder;
  const QuantisedWeight weight = random_weight(128, 64, 2);
  write_gptq(folder, weight);
  write_scales_and_a(folder, weight, 1);
  for (const WeightFormat& format : weight_formats()) {
    const std::string there(format.name);
    folder.require_done("pack-weights " + kAll + "--from gptq --to " + there);
    folder.require_done(
        "pack-weights w.npy --scales s.npy --zeros z.npy -o w2.npy --scales-output s2.npy "
        "--zeros-output z2.npy --to gptq --from " +
        there);
    CHECK(folder.read("w2.npy") == folder.read("qweight.npy"));
    CHECK(folder.read("s2.npy") == folder.read("scales.npy"));
    CHECK(folder.read("z2.npy") == folder.read("qzeros.npy"));
  }
}

TEST_CASE("files by columns hold the same weights", "[cli][packing]") {
  const WeightFolder folder;
  std::vector<std::uint8_t> rows(static_cast<size_t>(6 * 4)), columns(rows.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    rows[i] = static_cast<std::uint8_t>(i * 11 % 16);
    columns[i % 4 * 6 + i / 4] = rows[i];
  }
  folder.write("rows.npy", "|u1", {6, 4}, rows);
  NpyArray array{.descr = "|u1", .fortran_order = true, .shape = {6, 4}, .bytes = {}};
  array.bytes.resize(columns.size());
  std::memcpy(array.bytes.data(), columns.data(), columns.size());
  folder.write("columns.npy", std::move(array));
  for (const char* name : {"rows", "columns"})
    folder.require_done("pack-weights " + std::string(name) +
                        ".npy --from bytes --to jute-row -o " + name + "-packed.npy");
  CHECK(folder.read("rows-packed.npy").bytes == folder.read("columns-packed.npy").bytes);
}

TEST_CASE("signed bytes stay signed", "[cli][packing]") {
  const WeightFolder folder;
  folder.write("q.npy", "|i1", {2, 2}, std::vector<std::int8_t>{-1, 7, -8, 0});
  folder.require_done("pack-weights q.npy --from bytes --to jute -o w.npy");
  CHECK(folder.read("w.npy").bytes == std::vector{std::byte{0x7f}, std::byte{0x08}});
  folder.require_done("pack-weights w.npy --from jute --to bytes --type s4 -o b.npy");
  CHECK(folder.read("b.npy") == folder.read("q.npy"));
}

TEST_CASE("zero points of 4 bits come from files, two along K in a byte",
          "[cli][packing][gemm][scaled]") {
  const Index m = 2, n = 32, k = 96;
  for (const Index groups : {6, 3}) {
    const WeightFolder folder;
    const QuantisedWeight weight = random_weight(n, k, groups);
    write_gptq(folder, weight);
    write_scales_and_a(folder, weight, m);
    const auto zero = [&](Index row, Index group) {
      return group < groups ? weight.zero[static_cast<std::size_t>(group * n + row)] : 0;
    };
    std::vector<std::uint8_t> by_row, by_group(static_cast<std::size_t>((groups + 1) / 2 * n));
    for (Index row = 0; row < n; ++row)
      for (Index group = 0; group < groups; group += 2) {
        const auto pair =
            static_cast<std::uint8_t>(zero(row, group) | zero(row, group + 1) << kNibble);
        by_row.push_back(pair);
        by_group[static_cast<std::size_t>(group / 2 * n + row)] = pair;
      }
    folder.write("zr.npy", "|u1", {n, (groups + 1) / 2}, by_row);
    folder.write("zg.npy", "|u1", {(groups + 1) / 2, n}, by_group);
    const std::string block = " --block-b 1x" + std::to_string(k / groups);
    const std::string end =
        " --type-a f16 --type-b u4 --out-type f32 -o d.npy --device emulator --verify" + block;
    folder.require_done("pack-weights " + kAll + "--from gptq --to jute");
    folder.require_done(
        "gemm --a x.npy --b w.npy --transpose-b --scale-b s.npy --zero-b u4:zr.npy" + end);
    require_product(folder, weight, m);
    folder.require_done("pack-weights " + kAll + "--from gptq --to jute-kn");
    folder.require_done("gemm --a x.npy --b w.npy --scale-b s.npy --zero-b u4:zg.npy" + end);
    require_product(folder, weight, m);
  }
}

TEST_CASE("what was written is told", "[cli][packing]") {
  const WeightFolder folder;
  write_gptq(folder, random_weight(64, 32, 2));
  const ProcessResult told =
      folder.run("pack-weights qweight.npy --from gptq --to marlin -o w.npy --json");
  const auto json = nlohmann::json::parse(told.out);
  CHECK(json["n"] == 64);
  CHECK(json["k"] == 32);
  CHECK(json["files"][0]["shape"] == nlohmann::json{2, 128});
  const std::string text = folder.run("pack-weights qweight.npy --from gptq --to awq -o w.npy").out;
  CHECK(text == "N=64 K=32, gptq to awq\nweights (32,8) <i4: w.npy\n");
}

TEST_CASE("formats are listed, and one is told with its layouts and its source", "[cli][packing]") {
  const std::string all = run_jute({"pack-weights"}).out;
  for (const WeightFormat& format : weight_formats())
    CHECK(all.find(std::string(format.name) + ": " + std::string(format.summary)) !=
          std::string::npos);
  const std::string marlin = run_jute({"pack-weights", "--from", "marlin"}).out;
  CHECK(marlin.find("((8,2,4),(2,4,2)):((128,2,8),(4,32,1))") != std::string::npos);
  CHECK(marlin.find("IST-DASLab/marlin") != std::string::npos);
  CHECK(marlin.find("scales of one group") != std::string::npos);
}

TEST_CASE("arrays of another shape or type are refused, and nothing is written",
          "[cli][packing][refusal]") {
  const WeightFolder folder;
  const QuantisedWeight weight = random_weight(72, 32, 2);
  write_gptq(folder, weight);
  write_scales_and_a(folder, weight, 1);
  const auto refused = [&](const std::string& line, const std::string& part) {
    require_refusal(folder.run("pack-weights " + line), 2, part);
    for (const char* output : {"w.npy", "s.npy", "z.npy"}) CHECK_FALSE(folder.has(output));
  };
  const std::string to_awq = " --to awq -o w.npy --from gptq ";
  refused("qweight.npy --from gtpq --to awq -o w.npy", "nearest legal: gptq");
  refused("qweight.npy --from gptq --to awqq -o w.npy", "nearest legal: awq");
  refused("qweight.npy --from gptq --to marlin -o w.npy", "N = 72: it must be a multiple of 64");
  refused("qweight.npy --from jute --to gptq -o w.npy", "must have numbers of 8 bits");
  refused("scales.npy" + to_awq, "scales.npy = <f2: of gptq it must have numbers of 32 bits");
  refused("none.npy" + to_awq, "none.npy");
  refused("qweight.npy --from gptq --to awq", "--output");
  refused("qweight.npy --scales scales.npy" + to_awq, "--scales-output");
  refused("qweight.npy --zeros qweight.npy --zeros-output z.npy" + to_awq, "72 rows of weights");
  refused("qweight.npy --scales scales.npy --scales-output w.npy" + to_awq, "w.npy");
  refused("--to awq", "weights");
  folder.write("three.npy", "<i4", {1, 4, 72}, std::vector<std::int32_t>(4 * 72));
  refused("three.npy" + to_awq, "two dimensions");
  folder.write("half.npy", "<f2", {1, 72}, std::vector<std::uint16_t>(72));
  refused(
      "qweight.npy --scales half.npy --scales-output s.npy --zeros qzeros.npy --zeros-output "
      "z.npy" +
          to_awq,
      "as many as of scales");
}

TEST_CASE("zero points that the other format has not are named", "[cli][packing][refusal]") {
  const WeightFolder folder;
  QuantisedWeight weight = random_weight(64, 32, 2);
  weight.zero[64 + 5] = 16;
  write_gptq(folder, weight);
  require_refusal(folder.run("pack-weights qweight.npy --zeros qzeros.npy --from gptq --to awq -o "
                             "w.npy --zeros-output z.npy"),
                  2, "element (5,1) of (N,K) = 16: it must be from 0 to 15");
  folder.require_done(
      "pack-weights qweight.npy --zeros qzeros.npy --from gptq --to jute -o w.npy --zeros-output "
      "z.npy");
  CHECK(folder.read("z.npy").bytes[5 * 2 + 1] == std::byte{16});
}

TEST_CASE("groups that do not count up are refused by name", "[cli][packing][refusal]") {
  const WeightFolder folder;
  const QuantisedWeight weight = random_weight(64, 32, 2);
  write_gptq(folder, weight);
  write_scales_and_a(folder, weight, 1);
  std::vector<std::int32_t> groups(32);
  for (std::size_t k = 16; k < 32; ++k) groups[k] = 1;
  folder.write("g.npy", "<i4", {32}, groups);
  const std::string line =
      "pack-weights qweight.npy --scales scales.npy --scales-output s.npy --from gptq --to jute -o "
      "w.npy --group-index ";
  folder.require_done(line + "g.npy");
  std::swap(groups[3], groups[20]);
  folder.write("ordered.npy", "<i4", {32}, groups);
  require_refusal(folder.run(line + "ordered.npy"), 2, "group 1 at k = 3");
  require_refusal(folder.run(line + "qweight.npy"), 2, "a group index must be");
}
