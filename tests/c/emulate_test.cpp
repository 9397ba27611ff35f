// Any PTX through the C interface.
#include "c/c_support.hpp"

using namespace jute::test;

namespace {

// Doubles the first `count` floats; without the guard it reads beyond them.
std::string doubling(bool is_guarded) {
  const std::string guard = is_guarded ? "setp.ge.u32 %p, %r, %n;\n@%p bra DONE;\n" : std::string();
  return ".version 8.0\n.target sm_80\n.address_size 64\n"
         ".visible .entry doubled(.param .u64 x, .param .u32 count) {\n"
         ".reg .pred %p;\n.reg .b32 %r, %n;\n.reg .b64 %a, %o;\n.reg .f32 %f;\n"
         "ld.param.u64 %a, [x];\nld.param.u32 %n, [count];\nmov.u32 %r, %tid.x;\n" +
         guard +
         "mul.wide.u32 %o, %r, 4;\nadd.s64 %a, %a, %o;\nld.global.f32 %f, [%a];\n"
         "add.f32 %f, %f, %f;\nst.global.f32 [%a], %f;\nDONE:\nret;\n}\n";
}

struct Doubling {
  explicit Doubling(const std::string& text) : ptx(text) {
    arguments[0].is_memory = 1;
    arguments[0].data = values.data();
    arguments[0].bytes = 4 * values.size();
    arguments[1].data = &count;
    arguments[1].bytes = sizeof count;
    launch.size = sizeof launch;
    launch.ptx = ptx.c_str();
    launch.block[0] = 32;
    launch.arguments = arguments;
    launch.argument_count = 2;
  }
  std::string ptx;
  std::vector<float> values{1, 2, 3, 4, 5};
  uint32_t count = 5;
  jute_argument arguments[2] = {};
  jute_launch launch{};
};

}  // namespace

TEST_CASE("a kernel runs, and leaves what it wrote", "[c][emulate]") {
  Doubling doubling(::doubling(true));
  jute_text* report = nullptr;
  REQUIRE(jute_emulate(&doubling.launch, &report) == JUTE_OK);
  const Owned<jute_text> owned(report);
  CHECK(std::string(jute_text_data(report)).starts_with("{\"clean\":true,\"findings\":[]"));
  CHECK(doubling.values == std::vector<float>{2, 4, 6, 8, 10});
}

TEST_CASE("findings are the answer, with who did what where", "[c][emulate]") {
  Doubling doubling(::doubling(false));
  jute_text* report = nullptr;
  CHECK(jute_emulate(&doubling.launch, &report) == JUTE_CHECK_FAILED);
  const Owned<jute_text> owned(report);
  REQUIRE(report != nullptr);
  const std::string text = jute_text_data(report);
  INFO(text);
  CHECK(text.find("\"code\":\"M1\"") != std::string::npos);
  CHECK(text.find("\"kernel\":\"doubled\"") != std::string::npos);
  CHECK(last_error_says({"check_failed"}));
}

TEST_CASE("arguments that do not fit their parameters are refused", "[c][emulate][refusal]") {
  Doubling doubling(::doubling(true));
  jute_text* report = nullptr;
  doubling.launch.argument_count = 1;
  CHECK(jute_emulate(&doubling.launch, &report) == JUTE_REFUSED);
  CHECK(last_error_says({"signature_mismatch"}));
  doubling.launch.argument_count = 2;
  doubling.arguments[1].bytes = 8;
  CHECK(jute_emulate(&doubling.launch, &report) == JUTE_REFUSED);
  doubling.arguments[1].bytes = 4;
  doubling.launch.dynamic_smem_bytes = -1;
  CHECK(jute_emulate(&doubling.launch, &report) == JUTE_REFUSED);
  doubling.launch.dynamic_smem_bytes = 0;
  doubling.launch.ptx = "no PTX";
  CHECK(jute_emulate(&doubling.launch, &report) == JUTE_REFUSED);
  doubling.launch.ptx = nullptr;
  CHECK(jute_emulate(&doubling.launch, &report) == JUTE_REFUSED);
  doubling.launch.size = 16;
  CHECK(jute_emulate(&doubling.launch, &report) == JUTE_REFUSED);
  CHECK(report == nullptr);
}
