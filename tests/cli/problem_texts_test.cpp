// A problem's text as jute prints it, whole by plans and short by runs: every command that takes
// one reads it, or says by which rule it does not.
#include <jute/plan/ask/problem.hpp>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.hpp"
#include "cli/workplace.hpp"

using namespace jute;
using namespace jute::test;

namespace {

struct KindOfProblem {
  std::string_view name, words;
};
constexpr KindOfProblem kKinds[] = {
    {"plain", "--m 40 --n 24 --k 36 --type f16"},
    {"batch", "--m 40 --n 24 --k 32 --batch 2 --order-b col --type bf16 --out-type f32"},
    {"range", "--m-range 1:64 --n 24 --k 32 --type bf16"},
    {"rows", "--groups rows --count 3 --bound 40 --n 24 --k 32 --type bf16"},
    {"each", "--groups each --count 3 --m 40 --n 24 --k 32 --type bf16"},
    {"k", "--groups k --count 3 --bound 96 --m 40 --n 24 --type bf16"},
    {"scaled", "--m 40 --n 24 --k 64 --type-a bf16 --type-b s4 --scale-b f32 --block-b 1x32"},
    {"epilogue",
     "--m 40 --n 24 --k 32 --type f16 "
     "--epilogue y:=relu(acc+bias[n])*s;d=y;r=row_sum[m](y)"},
    {"gate", "--m 40 --n 24 --k 32 --type f16 --epilogue silu(gate)*acc --gate pairs"},
    {"view", "--m 40 --n 24 --k 32 --type f16 --layout-a ((8,5),32):((32,1024),1)"},
    {"table", "--m 40 --n 24 --k 32 --type f16 --rows-a 64"},
    {"precision", "--m 40 --n 24 --k 32 --precision tf32x3"},
    {"tf32", "--m 40 --n 24 --k 32 --precision tf32"},
    {"quantised", "--m 32 --n 128 --k 32 --type bf16 --out-type e4m3 --quantise-d 1x128"},
    {"mesh", "--m 40 --n 24 --k 36 --type bf16 --mesh tp=2 --place A=K@tp,B=K@tp,D=M@tp"},
};

struct Reader {
  std::string_view command, rest;
};
constexpr Reader kReaders[] = {
    {"plan", ""}, {"source", ""}, {"gemm", "--random 1 --device emulator --verify"},
    {"tune", ""}, {"bench", ""},
};

/// What a command does not read, and its rule.
struct Refused {
  std::string_view kind, command, rule;
};
constexpr Refused kRefused[] = {
    {"each", "gemm", "each must be run by a program"},
    {"each", "tune", "each must be run by a program"},
    {"each", "bench", "each must be run by a program"},
    {"mesh", "source", "a problem must be one rank's here"},
    {"mesh", "tune", "a problem must be one rank's here"},
};

/// The line that begins so, behind that; empty where there is none.
std::string line_behind(const std::string& text, const std::string& word) {
  const std::string whole = "\n" + text;
  const size_t at = whole.find("\n" + word);
  if (at == std::string::npos) return {};
  const size_t begin = at + 1 + word.size();
  return whole.substr(begin, whole.find('\n', begin) - begin);
}

ProcessResult read_by(const Reader& reader, const std::string& text) {
  std::vector<std::string> words{std::string(reader.command), "--problem", text};
  for (const std::string& word : words_of(std::string(reader.rest))) words.push_back(word);
  return run_jute(words);
}

}  // namespace

TEST_CASE("what jute prints of a problem every command reads, or refuses by a true rule",
          "[cli][problem]") {
  // Without a GPU a race ends with that, once the problem is read.
  constexpr int kLacking = 3, kWrongUsage = 2;
  for (const KindOfProblem& kind : kKinds) {
    const ProcessResult planned = run_jute(words_of("plan " + std::string(kind.words)));
    INFO(kind.name << " " << planned.err);
    REQUIRE(planned.status == 0);
    const std::string whole = line_behind(planned.out, "problem ");
    REQUIRE_FALSE(whole.empty());
    for (const Reader& reader : kReaders) {
      const ProcessResult result = read_by(reader, whole);
      INFO(reader.command << " " << whole << "\n" << result.err);
      const auto refused = std::ranges::find_if(kRefused, [&](const Refused& row) {
        return row.kind == kind.name && row.command == reader.command;
      });
      if (refused != std::end(kRefused)) {
        CHECK(result.status == kWrongUsage);
        CHECK(result.err.find(refused->rule) != std::string::npos);
        continue;
      }
      CHECK((result.status == 0 || (result.status == kLacking && reader.rest.empty())));
      if (reader.command != "gemm") continue;
      const std::string text = line_behind(result.out, "problem  ");
      REQUIRE(text.size() < whole.size());
      const ProcessResult again = run_jute({"plan", "--problem", text});
      INFO(text << "\n" << again.err);
      REQUIRE(again.status == 0);
      if (kind.name == "mesh") continue;  // beta is 0 there
      CHECK(line_behind(again.out, "problem ") == whole);
    }
  }
}

TEST_CASE("a run's line has only the words that are not usual", "[cli][problem]") {
  const ProcessResult result =
      run_jute(words_of("gemm --m 192 --n 96 --k 128 --type f16 --random 1 --device emulator "
                        "--verify"));
  CHECK(line_behind(result.out, "problem  ") == "M=192 N=96 K=128 A=f16");
  const std::string check = line_behind(result.out, "check    ");
  CHECK(check.starts_with("ok: error "));
  CHECK(check.find(" by rounding to f16, where ") != std::string::npos);
}

TEST_CASE("a text with a mesh stands for the flags that say one", "[cli][problem][ranks]") {
  const std::string text = "M=40 N=24 K=36 A=bf16 mesh=tp=2 place=A=K@tp,B=K@tp,D=M@tp";
  const auto with = [&](const char* command, const char* rest) {
    return read_by({command, rest}, text);
  };
  const ProcessResult limited =
      with("gemm", "--random 1 --device emulator --verify --timeout 5 --transport host");
  INFO(limited.err);
  CHECK(limited.status == 0);
  for (const auto& [rest, flag] :
       {std::pair("--mesh tp=2", "--mesh"), std::pair("--ranks 2", "--ranks"),
        std::pair("--wire bf16", "--wire"), std::pair("--overlap none", "--overlap")})
    require_refusal(with("plan", rest), 2, std::string(flag) + ": it must be left out: --problem");
  for (const auto& [rest, flag] :
       {std::pair("--explain", "--explain"), std::pair("--step 0", "--step"),
        std::pair("--chips all", "--chips"), std::pair("--deal d.svg", "--deal")})
    require_refusal(with("plan", rest), 2,
                    std::string(flag) + ": it must be left out: --problem says --mesh");
  require_refusal(run_jute({"plan", "--problem", "M=8 N=8 K=8", "--wire", "bf16"}), 2,
                  "it would do nothing");
}
