// Epilogues that a seed grows, in kernels of every kind, judged by their second reading.
#include "support/catch.hpp"
#include "support/draws.hpp"
#include "support/random_epilogue_run.hpp"

using namespace jute::test;

// Parts that run beside each other; the soak tests go on from here.
TEST_CASE("random epilogues are what their text says: first part", "[gemm][epilogue][random]") {
  CHECK(failures_of_random_epilogues(1, draws(17)) == "");
}
TEST_CASE("random epilogues are what their text says: second part", "[gemm][epilogue][random]") {
  CHECK(failures_of_random_epilogues(18, draws(17)) == "");
}
TEST_CASE("random epilogues are what their text says: third part", "[gemm][epilogue][random]") {
  CHECK(failures_of_random_epilogues(35, draws(16)) == "");
}
