// The whole product of what epilogues read and store, and what they are computed in.
#include "support/catch.hpp"
#include "support/every_type.hpp"

using namespace jute;

TEST_CASE("every type of D beside every other compiles for every architecture",
          "[soak][epilogue]") {
  std::string faults;
  for (const Arch arch : test::compiled_arches())
    for (const DType ab : {DType::f16, DType::f64, DType::s8})
      for (int turn = 0; turn < 6 * kDTypeCount; ++turn)
        faults += test::faults_of({ab, static_cast<DType>(turn / 6), turn % 6}, arch);
  CHECK(faults == "");
}
