// No kernel has branches that no launch takes, terms that are zero, names that hide others, or
// values that nobody reads.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "support/catch.hpp"
#include "support/held_sources.hpp"
#include "support/kernel_reader.hpp"

using namespace jute;
using namespace jute::test;

namespace {

std::string joined_faults(const std::string& kernel) {
  std::string text;
  for (const std::string& fault : text_faults(kernel)) text += fault + "\n";
  return text;
}

/// Products of nothing: their loops over K have no round.
bool is_without_k(const std::string& kernel) {
  return kernel.find("constexpr int k = 0;") != std::string::npos;
}

/// What the reader says of a kernel with these statements.
std::string faults_in(const std::string& statements) {
  return joined_faults(
      "constexpr int kTileM = 64;\nextern \"C\" __global__ void kernel(int m) {\n" + statements +
      "\n}\n");
}

}  // namespace

TEST_CASE("the reader of kernels tells faults from what looks like them", "[codegen][text]") {
  CHECK(faults_in("const int loaded = 0;\nif (loaded > 0) m = 1;\nout(m);") ==
        "4 branch: if loaded > 0\n");
  CHECK(faults_in("bool by_rows = false;\nif (!by_rows) out(m);") == "4 branch: if ! by_rows\n");
  CHECK(faults_in("out(kTileM > 64 ? m : 0);") == "3 branch: kTileM > 64 ?\n");
  CHECK(faults_in("constexpr int kHalf = kTileM > 64 ? 32 : 16;\nout(kHalf);").empty());
  CHECK(faults_in("if (m > kTileM || kTileM > 64) out(m);").empty());
  CHECK(faults_in("constexpr long long stride = 0;\nout(m * stride + 1);") ==
        "4 zero: m * stride\n");
  CHECK(faults_in("const auto put = [&](int m) { out(m); };\nput(1);") == "3 shadowed: m\n");
  CHECK(faults_in("for (int i = 0; i < m; ++i) out(i);\nfor (int i = 0; i < m; ++i) out(i);")
            .empty());
  CHECK(faults_in("int turn = 0;\nout(turn);\nturn = 1;") == "5 unread: turn\n");
  CHECK(
      faults_in("int turn = 0;\nfor (int i = 0; i < m; ++i) {\n  out(turn);\n  turn = 1 - turn;\n}")
          .empty());
  CHECK(faults_in("const int tiles = 1;\nint k_tile = 2;\nfor (int i = 0; i < tiles; ++i) {\n"
                  "  out(k_tile);\n  k_tile = 0;\n}") == "7 unread: k_tile\n");
  CHECK(faults_in("int left = m;\nconst auto load = [&] {\n  out(left);\n  left -= kTileM;\n};\n"
                  "load();")
            .empty());
}

TEST_CASE("kept kernels have no branch, term, name or value for nothing", "[codegen][text]") {
  int count = 0;
  for (const auto& file :
       std::filesystem::directory_iterator(JUTE_SOURCE_DIR "/tests/golden/kernels")) {
    std::ifstream in(file.path());
    INFO(file.path());
    CHECK(joined_faults({std::istreambuf_iterator<char>(in), {}}).empty());
    ++count;
  }
  CHECK(count >= 16);
}

TEST_CASE("kernels of drawn problems have no branch, term, name or value for nothing",
          "[codegen][text]") {
  constexpr int kOfKind = 12;
  int count = 0;
  for (const HeldKind& kind : held_kinds())
    for (int i = 0; i < kOfKind; ++i) {
      const HeldProblem held = held_problem(kind, (5 + i * (kind.count / kOfKind)) % kind.count);
      for (const Source& source : held_sources(held)) {
        if (is_without_k(source.text)) continue;
        const std::string faults = joined_faults(source.text);
        INFO(to_string(held) << "\n" << faults);
        CHECK(faults.empty());
        ++count;
      }
    }
  CHECK(count >= 300);
}
