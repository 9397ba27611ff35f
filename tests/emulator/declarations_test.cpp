// Declarations of newer compilers: blocks that are clusters, managed variables, bytes of addresses.
#include <jute/emulator/emulated_gpu.hpp>

#include "emulator/run_ptx.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"

using namespace jute;
using namespace jute::test;

namespace {

std::string module_of(const std::string& declarations, const std::string& directives,
                      const std::string& body) {
  return ".version 9.0\n.target sm_90a\n.address_size 64\n" + declarations +
         ".visible .entry k(.param .u64 out)" + directives +
         "\n{\n.reg .b32 %r<8>;\n.reg .b64 %rd<8>;\nld.param.u64 %rd1, [out];\n" + body +
         "ret;\n}\n";
}

std::vector<std::uint32_t> run(const std::string& text, Dim3 grid, Dim3 block, size_t words) {
  Bench bench;
  const auto out = bench.upload(std::vector<std::uint32_t>(words, 99));
  bench.run(text, "k", grid, block, ArgumentBlock().pointer(out));
  CHECK(to_string(bench.backend->take_report().findings) == "");
  return bench.download<std::uint32_t>(out, words);
}

}  // namespace

TEST_CASE("where blocks are clusters, the grid of a launch counts clusters", "[emulator][ptx]") {
  // Each block writes the number of blocks at its own number.
  const std::string body =
      "mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %nctaid.x;\nmov.u32 %r3, %nclusterid.x;\n"
      "mad.lo.u32 %r2, %r2, 10, %r3;\nmul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
      "st.global.u32 [%rd3], %r2;\n";
  const auto directives = [](const std::string& cluster) {
    return ".blocksareclusters\n.reqntid 32, 1, 1\n.reqnctapercluster " + cluster + "\n";
  };
  CHECK(run(module_of("", directives("1, 1, 1"), body), {2, 1, 1}, {32, 1, 1}, 3) ==
        std::vector<std::uint32_t>{22, 22, 99});
  CHECK(run(module_of("", directives("2, 1, 1"), body), {2, 1, 1}, {32, 1, 1}, 5) ==
        std::vector<std::uint32_t>{42, 42, 42, 42, 99});
  // Without it the grid counts blocks.
  CHECK(run(module_of("", ".reqntid 32, 1, 1\n.reqnctapercluster 2, 1, 1\n", body), {2, 1, 1},
            {32, 1, 1}, 3) == std::vector<std::uint32_t>{21, 21, 99});
  const Error error =
      refusal_of([&] { (void)list_kernels(module_of("", ".blocksareclusters\n", body)); });
  CHECK(error.violated_rules.front().find(".reqntid and .reqnctapercluster") != std::string::npos);
  const Error huge = refusal_of([&] {
    (void)run(module_of("", directives("2, 1, 1"), body), {Index{1} << 62, 1, 1}, {32, 1, 1}, 1);
  });
  CHECK(huge.operand == "grid");
}

TEST_CASE("managed and unified variables are memory like any other", "[emulator][ptx]") {
  const std::string body =
      "mov.u64 %rd2, seen;\nld.global.u32 %r1, [%rd2];\nadd.u32 %r1, %r1, 4;\n"
      "st.global.u32 [%rd1], %r1;\n";
  for (const char* declared :
       {".visible .global .attribute(.managed) .align 4 .u32 seen = 3;\n",
        ".visible .global .attribute(.unified(19, 95)) .align 4 .u32 seen = 3;\n",
        ".global .attribute(.managed, .unified(19,95)) .align 4 .u32 seen[2] = {3, 1};\n"}) {
    INFO(declared);
    CHECK(run(module_of(declared, "", body), {1, 1, 1}, {1, 1, 1}, 1).front() == 7);
  }
  const auto rule = [&](const std::string& declared) {
    return refusal_of([&] { (void)list_kernels(module_of(declared, "", "")); })
        .violated_rules.front();
  };
  CHECK(rule(".global .attribute(.manged) .u32 x;\n").find(".managed or .unified") !=
        std::string::npos);
  CHECK(rule(".shared .attribute(.managed) .u32 x;\n").find(".global") != std::string::npos);
}

TEST_CASE("initial data may hold an address byte by byte", "[emulator][ptx]") {
  const auto entry = [](const std::string& symbol) {
    std::string bytes = "3";
    std::string mask = "0xFF";
    for (int i = 0; i < 8; ++i, mask += "00") bytes += ", " + mask + "(" + symbol + ")";
    return ".global .align 4 .u32 value[2] = {77, 78};\n.global .align 1 .u8 entry[9] = {" + bytes +
           "};\n";
  };
  std::string body = "mov.u64 %rd2, entry;\nmov.u64 %rd3, 0;\n";
  for (int i = 8; i > 0; --i)
    body += "ld.global.u8 %rd4, [%rd2+" + std::to_string(i) +
            "];\nshl.b64 %rd3, %rd3, 8;\nor.b64 %rd3, %rd3, %rd4;\n";
  body +=
      "ld.u32 %r1, [%rd3];\nld.global.u8 %r2, [%rd2];\nst.global.u32 [%rd1], %r1;\n"
      "st.global.u32 [%rd1+4], %r2;\n";
  const auto words = [&](const std::string& symbol) {
    return run(module_of(entry(symbol), "", body), {1, 1, 1}, {1, 1, 1}, 2);
  };
  CHECK(words("generic(value)") == std::vector<std::uint32_t>{77, 3});
  CHECK(words("generic(value)+4") == std::vector<std::uint32_t>{78, 3});
  CHECK(words("value") == std::vector<std::uint32_t>{77, 3});
  const Error error = refusal_of(
      [&] { (void)list_kernels(module_of(".global .u8 x[1] = {0x1FF(x)};\n", "", "")); });
  CHECK(error.violated_rules.front().find("one of its bytes") != std::string::npos);
}

TEST_CASE("a stream that nobody made is refused", "[emulator][refusal]") {
  Bench bench;
  const auto memory = bench.alloc(64);
  EmulatorBackend& backend = *bench.backend;
  const auto kernel = backend.load(binary_from_ptx(module_of("", "", "")));
  const LaunchSpec spec{.arguments = ArgumentBlock().pointer(memory)};
  std::vector<std::byte> bytes(64);
  const Stream unknown{99}, made = backend.create_stream();
  CHECK_NOTHROW(backend.launch(kernel, spec, made));
  CHECK_NOTHROW(backend.fill(memory, 0, 64, made));
  const auto refused = [&](Stream stream) {
    for (int call = 0; call < 5; ++call) {
      const Error error = refusal_of([&] {
        if (call == 0) backend.launch(kernel, spec, stream);
        if (call == 1) backend.copy_in(memory, bytes, stream);
        if (call == 2) backend.copy_out(bytes, memory, stream);
        if (call == 3) backend.fill(memory, 0, 64, stream);
        if (call == 4) (void)backend.record(stream);
      });
      CHECK(error.code == ErrorCode::unknown_name);
      CHECK(error.operand == "stream");
    }
  };
  refused(unknown);
  backend.destroy_stream(made);
  refused(made);
  CHECK_NOTHROW(backend.launch(kernel, spec));
}
