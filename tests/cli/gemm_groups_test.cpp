// `jute gemm` on files whose rows say themselves to which group they belong.
#include "cli/command.hpp"
#include "files/npy_file.hpp"
#include "support/temporary_folder.hpp"

#include <span>
#include <utility>

using namespace jute;
using namespace jute::test;

namespace {

constexpr Index kRows = 7, kN = 8, kK = 16, kGroups = 3;

/// Small integers: every order of summation gives the same bits.
double number_at(Index row, Index column) {
  return static_cast<double>((row * 7 + column * 5) % 9) - 4.0;
}

void write_array(const TemporaryFolder& folder, const std::string& name, const NpyArray& array) {
  command::OutputFile file(folder.file(name));
  command::write_npy(file, array);
  file.commit();
}

/// A, and a B for each group: that of group g is g + 1 times the first one.
void write_operands(const TemporaryFolder& folder) {
  std::vector<double> a, b;
  for (Index i = 0; i < kRows * kK; ++i) a.push_back(number_at(i / kK, i % kK));
  for (Index i = 0; i < kGroups * kK * kN; ++i)
    b.push_back(static_cast<double>(i / (kK * kN) + 1) * number_at(i / kN % kK, i % kN));
  write_array(folder, "a.npy",
              {.descr = "<f4", .shape = {kRows, kK}, .bytes = encode(DType::f32, a)});
  write_array(folder, "b.npy",
              {.descr = "<f4", .shape = {kGroups, kK, kN}, .bytes = encode(DType::f32, b)});
}

enum class Integers : std::uint8_t { i32, i64 };

void write_row_groups(const TemporaryFolder& folder, const std::vector<Index>& list,
                      Integers integers) {
  const size_t bytes = integers == Integers::i32 ? 4 : 8;
  NpyArray array{.descr = integers == Integers::i32 ? "<i4" : "<i8", .shape = {kRows}, .bytes = {}};
  for (const Index& one : list) {
    const auto all = std::as_bytes(std::span(&one, 1)).first(bytes);
    array.bytes.insert(array.bytes.end(), all.begin(), all.end());
  }
  write_array(folder, "groups.npy", array);
}

ProcessResult multiplied(const TemporaryFolder& folder) {
  return run_jute(command_words("gemm --device emulator --a a.npy --b b.npy -o d.npy --verify "
                                "--groups rows --row-groups groups.npy"),
                  {.folder = folder.path().string()});
}

}  // namespace

TEST_CASE("rows from files go by their own groups, and those of none are 0",
          "[cli][gemm][groups]") {
  const TemporaryFolder folder;
  write_operands(folder);
  const std::vector<Index> groups{2, 2, -1, 0, 0, 0, -1};
  std::vector<double> wanted;
  for (Index row = 0; row < kRows; ++row)
    for (Index column = 0; column < kN; ++column) {
      double sum = 0;
      for (Index l = 0; l < kK; ++l) sum += number_at(row, l) * number_at(l, column);
      wanted.push_back(sum * static_cast<double>(groups[static_cast<size_t>(row)] + 1));
    }
  for (const Integers integers : {Integers::i32, Integers::i64}) {
    write_row_groups(folder, groups, integers);
    const ProcessResult result = multiplied(folder);
    INFO(result.err);
    REQUIRE(result.status == 0);
    const NpyArray d = command::read_npy(folder.file("d.npy"));
    CHECK(d.shape == std::vector<Index>{kRows, kN});
    CHECK(decode(DType::f32, d.bytes) == wanted);
  }
}

TEST_CASE("rows' groups in a file that come back, or are none, are refused by the row",
          "[cli][gemm][groups][refusal]") {
  const TemporaryFolder folder;
  write_operands(folder);
  for (const auto& [list, entry] :
       {std::pair{std::vector<Index>{2, 0, 2, 0, 0, 0, 0}, "entry 2"},
        std::pair{std::vector<Index>{0, 0, 0, 1, 3, 0, 0}, "entry 4"}}) {
    write_row_groups(folder, list, Integers::i32);
    const ProcessResult refused = multiplied(folder);
    CHECK(refused.status == 2);
    CHECK(refused.err.find(entry) != std::string::npos);
  }
}
