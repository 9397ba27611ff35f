// What a plan accepts compiles, and for its architecture: every type in every place.
#include "support/every_type.hpp"
#include "support/catch.hpp"

using namespace jute;

namespace {

/// Each architecture with every type of D in some kernel; the soak tests have every one in each.
std::string faults_of_type(DType ab) {
  std::string faults;
  int turn = 0;
  for (const Arch arch : test::compiled_arches())
    for (int half = 0; half < 2; ++half, ++turn)
      faults += test::faults_of({ab, static_cast<DType>(turn * 3 % kDTypeCount), half}, arch);
  return faults;
}

}  // namespace

TEST_CASE("epilogues in f32 compile for every architecture, whatever they read and store",
          "[codegen][compile]") {
  CHECK(faults_of_type(DType::f16) == "");
}
TEST_CASE("epilogues in f64 compile for every architecture, whatever they read and store",
          "[codegen][compile]") {
  CHECK(faults_of_type(DType::f64) == "");
}
TEST_CASE("epilogues in s32 compile for every architecture, whatever they read and store",
          "[codegen][compile]") {
  CHECK(faults_of_type(DType::s8) == "");
}
