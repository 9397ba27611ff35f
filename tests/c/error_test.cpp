// What the C interface refuses, and what it says of it.
#include <cstring>
#include <thread>

#include "c/c_support.hpp"
#include "support/temporary_folder.hpp"

using namespace jute::test;

TEST_CASE("an error has code, operand, value, rules and what is near", "[c][refusal]") {
  jute_problem* problem = nullptr;
  CHECK(jute_problem_create("M=4 N=5 K=6 A=bf61", &problem) == JUTE_REFUSED);
  CHECK(problem == nullptr);
  CHECK(last_error_says({"\"code\":\"unknown_name\"", "\"operand\":\"A\"", "\"value\":\"bf61\"",
                         "\"violated_rules\":[\"", "\"nearest_legal\":\"bf16\"",
                         "\"position\":{\"line\":1,\"column\":15}"}));
  CHECK(std::string(jute_last_error_text()).starts_with("column 15: A = bf61"));
  CHECK(jute_problem_create("M=4 N=5 K=6 A=f32:ld3", &problem) == JUTE_REFUSED);
  CHECK(last_error_says({"\"illegal_problem\"", "\"A.ld\"", "\"nearest_legal\":\"6\""}));
}

TEST_CASE("errors belong to the thread whose call failed", "[c][threads]") {
  CHECK(jute_layout_free(reinterpret_cast<jute_layout*>(8)) == JUTE_REFUSED);
  const std::string here = jute_last_error();
  std::thread([] {
    CHECK(jute_last_error() == nullptr);
    CHECK(jute_last_error_text() == nullptr);
    jute_text* text = nullptr;
    CHECK(jute_eval("4:1 +", &text) == JUTE_REFUSED);
  }).join();
  CHECK(here == jute_last_error());
}

TEST_CASE("a null is refused by the name of its parameter", "[c][refusal]") {
  jute_text* text = nullptr;
  CHECK(jute_eval(nullptr, &text) == JUTE_REFUSED);
  CHECK(last_error_says({"\"operand\":\"expression\"", "\"value\":\"NULL\""}));
  CHECK(jute_eval("4:1", nullptr) == JUTE_REFUSED);
  CHECK(last_error_says({"\"operand\":\"value\""}));
  CHECK(jute_text_data(nullptr) == nullptr);
  CHECK(last_error_says({"\"operand\":\"jute_text\""}));
  CHECK(jute_text_size(nullptr) == 0);
}

TEST_CASE("null may be freed, as free() has it", "[c]") {
  CHECK(jute_text_free(nullptr) == JUTE_OK);
  CHECK(jute_layout_free(nullptr) == JUTE_OK);
  CHECK(jute_context_free(nullptr) == JUTE_OK);
  CHECK(jute_problem_free(nullptr) == JUTE_OK);
  CHECK(jute_plan_free(nullptr) == JUTE_OK);
  CHECK(jute_gemm_free(nullptr) == JUTE_OK);
  CHECK(jute_workspace_free(nullptr) == JUTE_OK);
}

TEST_CASE("a handle that was freed is refused, also where another took its place", "[c][refusal]") {
  jute_layout* first = nullptr;
  REQUIRE(jute_layout_create("(4,8):(8,1)", &first) == JUTE_OK);
  REQUIRE(jute_layout_free(first) == JUTE_OK);
  int64_t size = 0;
  for (int i = 0; i < 3000; ++i) {
    jute_layout* other = nullptr;
    REQUIRE(jute_layout_create("8:1", &other) == JUTE_OK);
    REQUIRE(other != first);
    REQUIRE(jute_layout_size(first, &size) == JUTE_REFUSED);
    REQUIRE(jute_layout_free(other) == JUTE_OK);
  }
  CHECK(jute_layout_free(first) == JUTE_REFUSED);
  CHECK(last_error_says({"\"wrong_type\"", "jute_layout", "not freed"}));
}

TEST_CASE("a handle of another kind is refused", "[c][refusal]") {
  const auto problem = problem_from("M=4 N=5 K=6");
  auto* const layout = reinterpret_cast<jute_layout*>(problem.get());
  int64_t size = 0;
  CHECK(jute_layout_size(layout, &size) == JUTE_REFUSED);
  CHECK(jute_layout_free(layout) == JUTE_REFUSED);
  CHECK(jute_problem_text(problem.get()) != nullptr);
}

TEST_CASE("what is no handle is not followed", "[c][refusal]") {
  const std::string memory(4096, 'J');
  for (const void* const wrong :
       {static_cast<const void*>(memory.data()), reinterpret_cast<const void*>(1),
        reinterpret_cast<const void*>(~std::uintptr_t{0}),
        reinterpret_cast<const void*>(std::uintptr_t{0x4A55000000000002})}) {
    int64_t number = 0;
    CHECK(jute_layout_rank(static_cast<const jute_layout*>(wrong), &number) == JUTE_REFUSED);
    CHECK(jute_gemm_workspace_bytes(static_cast<const jute_gemm*>(wrong), &number) == JUTE_REFUSED);
    CHECK(jute_plan_text(static_cast<const jute_plan*>(wrong)) == nullptr);
  }
}

TEST_CASE("a struct that is shorter than its first version is refused, a longer one is understood",
          "[c][refusal]") {
  const TemporaryFolder folder;
  struct Longer {
    jute_context_options options;
    uint64_t unknown;
  } longer{};
  jute_context* context = nullptr;
  longer.options.device = JUTE_DEVICE_EMULATOR;
  longer.options.size = 8;
  CHECK(jute_context_create(&longer.options, &context) == JUTE_REFUSED);
  CHECK(last_error_says({"\"context_options.size\"", "\"value\":\"8\""}));
  longer.options.size = sizeof longer;
  longer.unknown = 1;
  CHECK(jute_context_create(&longer.options, &context) == JUTE_REFUSED);
  CHECK(last_error_says({"all must be zero"}));
  longer.unknown = 0;
  CHECK(jute_context_create(&longer.options, &context) == JUTE_OK);
  CHECK(jute_context_free(context) == JUTE_OK);
}

TEST_CASE("settings are words of the environment, refused by the same rules", "[c][refusal]") {
  jute_context_options options{};
  options.size = sizeof options;
  options.device = JUTE_DEVICE_EMULATOR;
  options.setting_count = 1;
  jute_context* context = nullptr;
  struct Case {
    const char *setting, *says;
  };
  for (const Case& one : {Case{"JUTE_CACHE=onn", "\"nearest_legal\":\"on\""},
                          Case{"JUTE_COMPIL=allowed", "\"nearest_legal\":\"JUTE_COMPILE\""},
                          Case{"JUTE_CACHE", "NAME=VALUE"}, Case{nullptr, "must not be NULL"}}) {
    options.settings = &one.setting;
    CHECK(jute_context_create(&options, &context) == JUTE_REFUSED);
    CHECK(last_error_says({one.says}));
  }
  options.settings = nullptr;
  CHECK(jute_context_create(&options, &context) == JUTE_REFUSED);
  options.setting_count = 0;
  options.device = 7;
  CHECK(jute_context_create(&options, &context) == JUTE_REFUSED);
  CHECK(last_error_says({"\"context_options.device\"", "\"nearest_legal\":\"2\""}));
}

TEST_CASE("counts of bytes and threads below 0 are refused", "[c][refusal]") {
  const TemporaryFolder folder;
  const auto context = emulated_context(folder.path().string());
  uint64_t address = 0;
  CHECK(jute_memory_allocate(context.get(), -1, &address) == JUTE_REFUSED);
  REQUIRE(jute_memory_allocate(context.get(), 64, &address) == JUTE_OK);
  CHECK(jute_memory_fill(context.get(), address, 0, -1) == JUTE_REFUSED);
  CHECK(last_error_says({"\"out_of_range\"", "\"bytes\"", "\"-1\"", "\"nearest_legal\":\"0\""}));
  CHECK(jute_memory_free(context.get(), address) == JUTE_OK);
  jute_prepare_options options{};
  options.size = sizeof options;
  options.threads = -3;
  CHECK(jute_gemm_prepare_many(context.get(), nullptr, 0, &options, nullptr) == JUTE_REFUSED);
  CHECK(last_error_says({"prepare_options.threads", "\"-3\""}));
}

TEST_CASE("memory is freed once, by its address, in its context", "[c][refusal]") {
  const TemporaryFolder folder;
  const auto context = emulated_context(folder.path().string()),
             other = emulated_context(folder.path().string());
  uint64_t address = 0;
  REQUIRE(jute_memory_allocate(context.get(), 64, &address) == JUTE_OK);
  CHECK(jute_memory_free(other.get(), address) == JUTE_REFUSED);
  CHECK(jute_memory_free(context.get(), address + 8) == JUTE_REFUSED);
  CHECK(last_error_says({"\"operand\":\"address\"", "jute_memory_allocate"}));
  CHECK(jute_memory_free(context.get(), address) == JUTE_OK);
  CHECK(jute_memory_free(context.get(), address) == JUTE_REFUSED);
  CHECK(jute_memory_free(context.get(), 0) == JUTE_OK);
}
