// Kernels found by the names that people give them.
#include <jute/emulator/kernel_name.hpp>

#include "support/catch.hpp"
#include "support/refusal.hpp"

using namespace jute;

namespace {

std::vector<PtxKernel> kernels_of(const std::vector<std::string>& symbols) {
  std::vector<PtxKernel> kernels;
  for (const std::string& symbol : symbols) {
    kernels.emplace_back();
    kernels.back().symbol = symbol;
  }
  return kernels;
}

}  // namespace

TEST_CASE("a kernel has its symbol, its C++ name and what is left of that", "[emulator][name]") {
  const auto kernels = kernels_of({"plain", "_ZN3net5scaleIfEEvPT_", "_ZN3net5scaleIdEEvPT_",
                                   "_Z4fillILi4EEvPii", "_ZN12_GLOBAL__N_16hiddenEv"});
  const auto named = [&](const char* name) { return find_kernel(kernels, name).symbol; };
  CHECK(named("plain") == "plain");
  CHECK(named("_ZN3net5scaleIfEEvPT_") == "_ZN3net5scaleIfEEvPT_");
  for (const char* name :
       {"void net::scale<float>(float*)", "net::scale<float>", "scale<float>", "scale< float >"})
    CHECK(named(name) == "_ZN3net5scaleIfEEvPT_");
  for (const char* name : {"fill", "fill<4>", "void fill<4>(int*, int)"})
    CHECK(named(name) == "_Z4fillILi4EEvPii");
  CHECK(named("hidden") == "_ZN12_GLOBAL__N_16hiddenEv");
}

TEST_CASE("a name that several kernels have is refused with all of them", "[emulator][refusal]") {
  const auto kernels = kernels_of({"_ZN3net5scaleIfEEvPT_", "_ZN3net5scaleIdEEvPT_"});
  const Error error = test::refusal_of([&] { (void)find_kernel(kernels, "scale"); });
  CHECK(error.code == ErrorCode::unknown_name);
  CHECK(error.violated_rules.front().find("void net::scale<double>(double*)") != std::string::npos);
  CHECK(test::refusal_of([&] { (void)find_kernel(kernels, "scael<float>"); }).nearest_legal ==
        "scale<float>");
  CHECK(test::refusal_of([&] { (void)find_kernel(kernels, ""); }).code == ErrorCode::unknown_name);
  CHECK(find_kernel(kernels_of({"only"}), "").symbol == "only");
}

TEST_CASE("symbols that are no C++ names stay what they are", "[emulator][name]") {
  CHECK(demangled("_Z5scalePff") == "scale(float*, float)");
  for (const char* symbol : {"plain", "_Z", "_ZN", "", "_Z5sca", "_Z9999999999x"})
    CHECK(demangled(symbol) == symbol);
  CHECK(demangled("_Z" + std::string(1 << 20, 'P')).size() == (1u << 20) + 2);
}
