// `jute emulate`: kernels in hand-written PTX, arguments in files.
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

#include "cli/command.hpp"
#include "files/npy_file.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::command;
using namespace jute::test;

namespace {

void write_file(const std::string& path, std::string_view text) {
  std::ofstream(path, std::ios::binary) << text;
}

// out[i] = in[i] + bias for i < count, one thread each.
constexpr const char* kAddBias = R"(.version 7.0
.target sm_80
.address_size 64
.visible .entry add_bias(
  .param .u64 p_in, .param .u64 p_out, .param .u32 p_count, .param .f32 p_bias)
{
  .reg .pred %p;
  .reg .b32 %r<6>;
  .reg .f32 %f<4>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [p_in];
  ld.param.u64 %rd2, [p_out];
  ld.param.u32 %r1, [p_count];
  ld.param.f32 %f1, [p_bias];
  mov.u32 %r2, %tid.x;
  mov.u32 %r3, %ctaid.x;
  mov.u32 %r4, %ntid.x;
  mad.lo.s32 %r5, %r3, %r4, %r2;
  setp.ge.u32 %p, %r5, %r1;
  @%p bra DONE;
  mul.wide.u32 %rd3, %r5, 4;
  add.s64 %rd4, %rd1, %rd3;
  add.s64 %rd5, %rd2, %rd3;
  ld.global.f32 %f2, [%rd4];
  add.f32 %f3, %f2, %f1;
  st.global.f32 [%rd5], %f3;
DONE:
  ret;
}
)";

/// A folder with a kernel, its input 0, 1, … 99 and a launch of 128 threads.
struct Bench {
  TemporaryFolder folder;

  explicit Bench(int count = 100) {
    write_file(folder.file("kernel.ptx"), kAddBias);
    NpyArray input{.descr = "<f4", .shape = {100}, .bytes = std::vector<std::byte>(400)};
    for (int i = 0; i < 100; ++i) {
      const auto value = static_cast<float>(i);
      std::memcpy(input.bytes.data() + 4 * i, &value, 4);
    }
    OutputFile file(folder.file("in.npy"));
    write_npy(file, input);
    file.commit();
    write_launch(launch(count));
  }

  static std::string launch(int count, const std::string& more = "") {
    return R"({"kernel": "add_bias", "grid": [2,1,1], "block": [64,1,1], "dynamic_smem_bytes": 0,
 "args": [{"kind":"in", "npy":"in.npy"},
          {"kind":"out", "dtype":"f32", "shape":[10,10], "save":"out.npy"},
          {"kind":"scalar", "dtype":"u32", "value":)" +
           std::to_string(count) + R"(},
          {"kind":"scalar", "dtype":"f32", "value":0.5}])" +
           more + "}";
  }
  void write_launch(const std::string& text) const { write_file(folder.file("launch.json"), text); }

  [[nodiscard]] ProcessResult run(std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments{"emulate", folder.file("kernel.ptx"), "--launch",
                                       folder.file("launch.json")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_jute(arguments);
  }
  [[nodiscard]] bool has(const std::string& name) const {
    return std::filesystem::exists(folder.file(name));
  }
};

}  // namespace

TEST_CASE("a kernel runs from files to files", "[cli][emulate]") {
  const Bench bench;
  const ProcessResult result = bench.run();
  INFO(result.err);
  CHECK(result.status == 0);
  CHECK(result.out == "clean\n");
  const NpyArray out = read_npy(bench.folder.file("out.npy"));
  CHECK(out.descr == "<f4");
  CHECK(out.shape == std::vector<Index>{10, 10});
  for (int i = 0; i < 100; ++i) {
    float value = 0;
    std::memcpy(&value, out.bytes.data() + 4 * i, 4);
    CHECK(value == static_cast<float>(i) + 0.5f);
  }
}

TEST_CASE("a kernel that leaves its memory is reported and fails", "[cli][emulate]") {
  const Bench bench(101);
  const ProcessResult result = bench.run({"--report", bench.folder.file("report.json")});
  CHECK(result.status == 1);
  CHECK(result.out.find("M1") != std::string::npos);
  CHECK(result.out.find("\n2 findings; ") != std::string::npos);
  const std::string report = read_text(bench.folder.file("report.json"));
  CHECK(report.find("\"clean\": false") != std::string::npos);
  CHECK(report.find("\"code\": \"M1\"") != std::string::npos);
  CHECK(report.find("\"thread\": ") != std::string::npos);
}

TEST_CASE("one finding is counted as one", "[cli][emulate]") {
  const ProcessResult result =
      run_jute({"emulate", JUTE_SOURCE_DIR "/examples/emulate/iota.ptx", "--grid", "1", "--block",
                "9", "--arg", "f32[8]", "--arg", "9", "--arg", "0.5"});
  CHECK(result.status == 1);
  CHECK(result.out.find("\n1 finding; ") != std::string::npos);
}

TEST_CASE("every schedule and check gives the same result", "[cli][emulate]") {
  const Bench bench;
  for (const char* schedule : {"fixed", "early", "late", "random:7"})
    for (const char* check : {"none", "memory", "full"}) {
      const ProcessResult result = bench.run({"--schedule", schedule, "--check", check, "--json"});
      CHECK(result.status == 0);
      CHECK(result.out.starts_with("{\"clean\":true"));
    }
}

TEST_CASE("a LAUNCH.json that cannot be meant is refused at the place of the mistake",
          "[cli][emulate][refusal]") {
  const Bench bench;
  const auto refused = [&](const std::string& text, const std::string& part) {
    bench.write_launch(text);
    require_refusal(bench.run(), 2, part);
    CHECK_FALSE(bench.has("out.npy"));
  };
  const std::string good = Bench::launch(100);
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
  };
  refused("{", "line 1, column 2");
  refused("[]", "JSON object");
  refused("{}", "launches");
  refused(with("[2,1,1]", "[2,1,1,1]"), "grid");
  refused(with("[2,1,1]", "[0,1,1]"), "grid");
  refused(with("\"in\"", "\"into\""), "args[0].kind");
  refused(with("\"npy\"", "\"nyp\""), "args[0]");
  refused(with("in.npy", "missing.npy"), "missing.npy");
  refused(with("\"f32\", \"shape\"", "\"f31\", \"shape\""), "args[1].dtype");
  refused(with("[10,10]", "[-1,10]"), "args[1].shape");
  refused(with("[10,10]", "[4611686018427387904,10]"), "args[1].shape");
  refused(with("\"value\":100", "\"value\":-1"), "args[2].value");
  refused(with("\"value\":100", "\"value\":4294967296"), "args[2].value");
  refused(with("\"value\":100", "\"value\":1.5"), "args[2].value");
  refused(with("\"value\":0.5", "\"value\":\"half\""), "args[3].value");
  refused(Bench::launch(100, ", \"colour\": 3"), "colour");
  refused(with("add_bias", "no_such_kernel"), "no_such_kernel");
  refused(with("\"dtype\":\"u32\"", "\"dtype\":\"u64\""), "bad_file");
}

TEST_CASE("a launch beyond the chip's limits is refused", "[cli][emulate][refusal]") {
  const Bench bench;
  std::string text = Bench::launch(100);
  bench.write_launch(text.replace(text.find("[64,1,1]"), 8, "[2048,1,1]"));
  require_refusal(bench.run(), 2, "1024");
}

TEST_CASE("PTX that is no PTX is refused", "[cli][emulate][refusal]") {
  const Bench bench;
  write_file(bench.folder.file("kernel.ptx"), "int main() { return 0; }\n");
  require_refusal(bench.run(), 2, "bad_file");
  CHECK(run_jute({"emulate", "/none.ptx", "--launch", bench.folder.file("launch.json")}).status ==
        2);
}

TEST_CASE("an output that cannot be written stops the launch", "[cli][emulate][refusal]") {
  const Bench bench;
  std::string text = Bench::launch(100);
  bench.write_launch(text.replace(text.find("out.npy"), 7, "none/out.npy"));
  require_refusal(bench.run(), 3, "unwritable");
  bench.write_launch(Bench::launch(100));
  require_refusal(bench.run({"--report", bench.folder.file("none/report.json")}), 3, "unwritable");
  CHECK_FALSE(bench.has("out.npy"));
}

TEST_CASE("a report where memory is saved is refused before the launch",
          "[cli][emulate][refusal]") {
  const Bench bench;
  std::filesystem::create_symlink("out.npy", bench.folder.file("link"));
  require_refusal(bench.run({"--report", bench.folder.file("link")}), 2,
                  "args[1].save = " + bench.folder.file("out.npy") +
                      ": it must be another file than that of --report, ");
  CHECK_FALSE(bench.has("out.npy"));
  CHECK(bench.run({"--report", "/dev/null", "--sarif", "/dev/null"}).status == 0);
}

TEST_CASE("an inout buffer comes back changed, a hidden one is not passed", "[cli][emulate]") {
  const Bench bench;
  bench.write_launch(R"({"kernel": "add_bias", "grid": [2,1,1], "block": [64,1,1],
 "args": [{"kind":"out", "dtype":"u8", "shape":[64], "hidden":true},
          {"kind":"in", "npy":"in.npy"},
          {"kind":"inout", "npy":"in.npy", "save":"after.npy"},
          {"kind":"scalar", "dtype":"u32", "value":1},
          {"kind":"scalar", "dtype":"f32", "value":"inf"}]})");
  const ProcessResult result = bench.run();
  INFO(result.err);
  CHECK(result.status == 0);
  const NpyArray before = read_npy(bench.folder.file("in.npy"));
  NpyArray after = read_npy(bench.folder.file("after.npy"));
  const float infinity = std::numeric_limits<float>::infinity();
  CHECK(std::memcmp(after.bytes.data(), &infinity, 4) == 0);
  std::copy_n(before.bytes.begin(), 4, after.bytes.begin());
  CHECK(after == before);
}

TEST_CASE("the instructions that are executed are listed, as text and as data", "[cli][emulate]") {
  const ProcessResult text = run_jute({"emulate", "--list", "ldmatrix"});
  CHECK(text.status == 0);
  CHECK(text.out ==
        "sm_75   ldmatrix.sync.aligned.m8n8.{x1,x2,x4}[.trans][.shared[::cta]].b16  d, [a]\n");
  const ProcessResult rows = run_jute({"emulate", "--list", "fma.rn.f32"});
  CHECK(rows.out == "any     fma.rn.f32  d, a, b, c\n");
  const auto data = nlohmann::json::parse(run_jute({"emulate", "--list", "--json"}).out);
  CHECK(data["opcodes"].size() > 90);
  CHECK(data["opcodes"].front()["head"] == "abs");
  CHECK(run_jute({"emulate", "--list", "ldmat"}).out == text.out);
  CHECK(run_jute({"emulate", "--list", "ld"}).out.find("ldmatrix") == std::string::npos);
  require_refusal(run_jute({"emulate", "--list", "ldmatrx"}), 2, "ldmatrix");
  require_refusal(run_jute({"emulate"}), 2, "FILE");
}

TEST_CASE("a missing barrier is named without asking for it, and help tells the defaults",
          "[cli][emulate]") {
  const TemporaryFolder folder;
  std::ofstream(folder.file("swap.ptx")) << R"(.version 7.0
.target sm_80
.address_size 64
.visible .entry swap(.param .u64 out)
{
  .reg .b32 %r<6>;
  .reg .b64 %rd<3>;
  .shared .align 4 .b8 sm[512];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, sm;
  mad.lo.u32 %r3, %r1, 4, %r2;
  st.shared.u32 [%r3], %r1;
  xor.b32 %r4, %r1, 64;
  mad.lo.u32 %r4, %r4, 4, %r2;
  st.shared.u32 [%r4], %r1;
  ld.shared.u32 %r5, [%r3];
  ld.param.u64 %rd1, [out];
  mad.wide.u32 %rd2, %r1, 4, %rd1;
  st.global.u32 [%rd2], %r5;
  ret;
}
)";
  const auto run = [&](const std::vector<std::string>& more) {
    std::vector<std::string> line{"emulate", folder.file("swap.ptx"), "--block", "128", "--arg",
                                  "u32[128]"};
    line.insert(line.end(), more.begin(), more.end());
    return run_jute(line);
  };
  CHECK(run({}).out.find("R1") != std::string::npos);
  CHECK(run({"--check", "memory"}).status == 0);
  const auto help_of = [](const char* command) { return run_jute({command, "--help-all"}).out; };
  CHECK(help_of("emulate").find("--check TEXT=full") != std::string::npos);
  CHECK(help_of("gemm").find("--check TEXT=memory") != std::string::npos);
}

TEST_CASE("a launch may name the arguments of a template", "[cli][emulate][nvrtc]") {
  const TemporaryFolder folder;
  std::ofstream(folder.file("put.cu"))
      << "namespace net {\ntemplate <class T, int N> __global__ void put(T* x) {\n"
         "  x[threadIdx.x] = N;\n}\n}\n";
  const auto put = [&](const std::string& kernel, const std::string& memory) {
    return run_jute({"emulate", folder.file("put.cu"), "--kernel", kernel, "--grid", "1", "--block",
                     "4", "--arg", memory, "-o", folder.file("out.npy")});
  };
  const ProcessResult result = put("net::put<float, 3>", "f32[4]");
  INFO(result.out << result.err);
  CHECK(result.status == 0);
  const NpyArray out = read_npy(folder.file("out.npy"));
  std::vector<float> values(4);
  std::memcpy(values.data(), out.bytes.data(), sizeof(float) * values.size());
  CHECK(values == std::vector<float>(4, 3.0F));
  CHECK(put("net::put<short, 7>", "i16[4]").status == 0);
  require_refusal(put("net::put<nothing>", "f32[4]"), 2, "\"nothing\" is undefined");
}

TEST_CASE("memory that the chip has not is refused before it is filled",
          "[cli][emulate][refusal]") {
  const ProcessResult result = run_jute(
      {"emulate", JUTE_SOURCE_DIR "/examples/emulate/iota.ptx", "--grid", "4", "--block", "128",
       "--arg", "f32[500000000000]=zeros", "--arg", "500", "--arg", "0.5", "--max-memory", "1000"});
  require_refusal(result, 3, "all memory of a chip must have at most 1000 bytes");
}
