// What the command prints for programs, and the files that it reads and writes, follow
// docs/schemas.
#include "cli/json_schema.hpp"

#include <filesystem>
#include <fstream>

#include "bench/results/report.hpp"
#include "cli/command.hpp"
#include "files/files.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::test;

namespace {

JsonSchema schema_of(const std::string& name) {
  return JsonSchema(command::read_text(JUTE_SOURCE_DIR "/docs/schemas/" + name + ".schema.json"));
}

/// A text as one value, else its lines as one each.
std::vector<nlohmann::json> values_of(const std::string& text) {
  if (auto whole = nlohmann::json::parse(text, nullptr, false); !whole.is_discarded())
    return {std::move(whole)};
  std::vector<nlohmann::json> values;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    values.push_back(nlohmann::json::parse(line, nullptr, false));
  return values;
}

void check(const std::string& schema, const std::string& text) {
  const JsonSchema rules = schema_of(schema);
  const auto values = values_of(text);
  CHECK_FALSE(values.empty());
  for (const nlohmann::json& value : values) {
    INFO(schema << ": " << value.dump().substr(0, 2000));
    CHECK((!value.is_discarded() && rules.accepts(value)));
  }
}

struct Answer {
  const char* schema;
  const char* line;  ///< behind `jute`; --json is added
  int status = 0;
};

// clang-format off
constexpr Answer kAnswers[] = {
    {"eval", "eval (4,8)"},
    {"eval", "eval 'a = 8:1'"},
    {"functions", "eval --functions"},
    {"explain", "explain (4,8):(8,1)"},
    {"explain", "explain Sw<3,3,3>o0o(8,64):(64,1) --type f16"},
    {"explain", "explain (4,(2,2)):(0,(1,9)) --threads 4"},
    {"epilogue", "epilogue alpha*acc"},
    {"epilogue", "epilogue 'y := silu(acc*v[batch,n]); d = select(k[m,n], y, 0); a = amax(y)' --accuracy half"},
    {"epilogue", "epilogue 'd = acc; p = bit(acc > s)' --acc s32"},
    {"atom-list", "atom list"},
    {"atom-show", "atom show SM80_16x8x16_F32F16F16F32_TN"},
    {"atom-show", "atom show SM75_U32x4_LDSM_N"},
    {"atom-show", "atom show SM90_64x64x16_F32F16F16_SS"},
    {"atom-show", "atom show 'SM90_TMA_LOAD_2D<half_t,64,128,SW128>'"},
    {"atom-verify", "atom verify SM80_16x8x16_F32F16F16F32_TN SM100_TMEM_LOAD_16dp256b1x --device emulator"},
    {"plan", "plan --m 64 --n 64 --k 64"},
    {"plan", "plan --m 4097 --n 4095 --k 4096 --type bf16 --explain"},
    {"plan", "plan --m 64 --n 64 --k 65536 --type bf16"},
    {"plan", "plan --m 64 --n 64 --k 64 --type bf16 --order-b col --explain --m-range 1:64"},
    {"plan", "plan --conv 'x=1x8x8x2 w=8x3x3 stride=2 padding=1' --gradient x --explain"},
    {"plan", "plan --problem 'M=16 N=8 K=16 ; M=16 N=8 K=32 D=f32:view[(16,8):(8,1);origin=(128)]'"},
    {"plan", "plan --groups rows:by_row --count 4 --bound 300 --n 128 --k 64 --type bf16"},
    {"plan", "plan --m 100 --n 64 --k 64 --rows-a 300 --rows-d 250 --epilogue silu(gate)*acc"},
    {"plan", "plan --m 4 --n 64 --k 256 --type bf16 --type-b u4 --scale-b bf16 --block-b 1x128 --zero-b 8"},
    {"kernel", "source --m 64 --n 64 --k 64"},
    {"kernel", "source --m 4097 --n 4095 --k 4096 --type bf16"},
    {"kernel", "source --m-range 1:512 --n 512 --k 512 --type bf16 --order-b col"},
    {"kernel", "ptx --m 64 --n 64 --k 64"},
    {"gemm", "gemm --m 64 --n 64 --k 64 --random 1 --device emulator"},
    {"gemm", "gemm --m 64 --n 64 --k 64 --random 1 --device emulator --verify"},
    {"plan-chips", "plan --m 64 --n 64 --k 64 --type bf16 --chips all"},
    {"chips", "chips"},
    {"chips", "chips b200"},
    {"pack-weights", "pack-weights"},
    {"pack-weights", "pack-weights --from marlin"},
    {"doctor", "doctor"},
    {"cache", "cache path"},
    {"cache", "cache list"},
    {"cache", "cache verify"},
    {"cache", "cache warm --problem 'M=1:8 N=16 K=16' --device emulator"},
    {"emulate", "emulate " JUTE_SOURCE_DIR "/examples/emulate/launches.json --check full"},
    {"emulate-offers", "emulate " JUTE_SOURCE_DIR "/tests/emulator/ptx/texture.ptx"},
    {"emulate-list", "emulate --list ldmatrix"},
    {"error", "evla 8:1", 2},
    {"error", "eval size(", 2},
    {"error", "plan --m 64 --n 64 --k 64 --type half", 2},
    {"error", "emulate none.ptx --launch none.json", 2},
};
// clang-format on

}  // namespace

TEST_CASE("what is printed with --json follows its schema", "[cli][schema]") {
  const TemporaryFolder folder;
  const ProcessInput input{.environment = {{"JUTE_CACHE_DIR", folder.path().string()}}};
  for (const Answer& answer : kAnswers) {
    std::vector<std::string> words = command_words(answer.line);
    words.emplace_back("--json");
    const ProcessResult result = run_jute(words, input);
    INFO("jute " << answer.line << "\n" << result.err);
    CHECK(result.status == answer.status);
    check(answer.schema, answer.status == 0 ? result.out : result.err);
  }
}

TEST_CASE("a batch tells a mistake as its schema says", "[cli][schema]") {
  const ProcessResult result =
      run_jute({"eval", "--batch", "--json"}, {.text = "# a comment\nsize(\nb = 8:1\n"});
  CHECK(values_of(result.out).size() == 3);
  check("eval", result.out);
}

TEST_CASE("findings, profiles and records follow their schemas", "[cli][schema]") {
  const TemporaryFolder folder;
  std::ofstream(folder.file("racy.cu"))
      << "extern \"C\" __global__ void racy(const int* in, int* out) {\n"
         "  __shared__ int tile[128];\n"
         "  tile[threadIdx.x] = in[threadIdx.x];\n"
         "  out[threadIdx.x] = tile[(threadIdx.x + 1) % 128];\n"
         "}\n";
  const ProcessResult racy =
      run_jute({"emulate", folder.file("racy.cu"), "--kernel", "racy", "--grid", "1", "--block",
                "128", "--arg", "i32[128]=iota", "--arg", "i32[128]", "--check", "full", "--json",
                "--report", folder.file("report.json"), "--profile", folder.file("profile.json")});
  INFO(racy.err);
  CHECK(racy.status == 1);
  check("emulate", racy.out);
  check("emulate", command::read_text(folder.file("report.json")));
  check("profile", command::read_text(folder.file("profile.json")));
  CHECK(run_jute({"atom", "verify", "SM75_U32x4_LDSM_N", "--device", "emulator", "--record",
                  folder.file("record.json")})
            .status == 0);
  check("atom-record", command::read_text(folder.file("record.json")));
  for (const char* record : {"emulator", "h200"})
    check("atom-record",
          command::read_text(JUTE_SOURCE_DIR "/docs/atoms/" + std::string(record) + ".json"));
}

TEST_CASE("a row of one's own is what a shown atom is, without what follows from it",
          "[cli][schema]") {
  const ProcessResult shown = run_jute({"atom", "show", "SM80_16x8x16_F32F16F16F32_TN", "--json"});
  auto row = nlohmann::json::parse(shown.out);
  row["name"] = "MINE_16x8x16";
  const TemporaryFolder folder;
  std::ofstream(folder.file("rows.json")) << nlohmann::json::array({row}).dump();
  const ProcessResult mine =
      run_jute({"--atoms", folder.file("rows.json"), "atom", "show", "MINE_16x8x16", "--json"});
  INFO(mine.err);
  CHECK(mine.status == 0);
  check("atom-show", mine.out);
}

TEST_CASE("a race follows its schema", "[cli][schema][bench]") {
  bench::CaseReport report;
  report.id = "f32_nn_1x1x1";
  bench::Result paced, peer;
  paced.us = 3.5, paced.ratio = 1.25, paced.note = "a note";
  peer.side = bench::Side::peer;
  report.results = {paced, peer};
  report.note = "another";
  check("bench", bench::to_json(bench::Machine{}, {report}).text());
}

TEST_CASE("every schema is told of in the reference of files", "[cli][schema][docs]") {
  const std::string page = command::read_text(JUTE_SOURCE_DIR "/docs/reference/files.md");
  for (const auto& file : std::filesystem::directory_iterator(JUTE_SOURCE_DIR "/docs/schemas")) {
    INFO(file.path());
    CHECK(page.find("(../schemas/" + file.path().filename().string() + ")") != std::string::npos);
    const auto schema = nlohmann::json::parse(command::read_text(file.path().string()));
    CHECK(schema.contains("title"));
    CHECK(schema.contains("description"));
  }
}
