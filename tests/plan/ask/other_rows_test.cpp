// A problem for other rows: what lies by M has room for them, and is aligned as it was.
#include <jute/plan/ask/other_rows.hpp>

#include <numeric>

#include "support/catch.hpp"

using namespace jute;

namespace {

Problem for_other_rows(const char* text, Index m, ShortStrides strides = ShortStrides::aligned) {
  return for_rows(completed(parse_problem(text)), m, strides);
}

}  // namespace

TEST_CASE("strides that are too short for other rows grow, as aligned as they were",
          "[plan][problem]") {
  for (const Index m : {1, 2, 3, 4, 6, 12, 40, 64})
    for (const Index last : {64, 65, 100, 1000}) {
      Problem given;
      given.m = m, given.n = 24, given.k = 10, given.batch = 3;
      given.a.order = given.d.order = Order::col;
      given = completed(given);
      const Problem problem = for_rows(given, last);
      INFO(problem);
      CHECK(problem.m == last);
      CHECK(completed(problem) == problem);
      for (const auto& [own, wide, least] :
           {std::tuple(given.a.ld_elems, problem.a.ld_elems, last),
            std::tuple(given.d.ld_elems, problem.d.ld_elems, last),
            std::tuple(given.a.batch_stride_elems, problem.a.batch_stride_elems, 10 * last),
            std::tuple(given.d.batch_stride_elems, problem.d.batch_stride_elems, 24 * last)}) {
        CHECK(wide >= least);
        CHECK(std::gcd(wide, Index{256}) == std::gcd(own, Index{256}));
      }
      CHECK(problem.b == given.b);
    }
}

TEST_CASE("strides that have room for other rows, and what is no stride of rows, stay",
          "[plan][problem]") {
  const char* const roomy =
      "M=8 N=16 K=4 batch=2 A=f32:col:ld100:batch500 D=f32:row:ld20:batch4000";
  const Problem own = completed(parse_problem(roomy)), problem = for_other_rows(roomy, 100);
  CHECK(problem.a == own.a);
  CHECK(problem.d == own.d);
  const Problem interleaved = for_other_rows("M=8 N=16 K=4 batch=3 D=f32:row:ld48:batch16", 100);
  CHECK(interleaved.d.ld_elems == 48);
  CHECK(interleaved.d.batch_stride_elems == 16);
}

TEST_CASE("what is packed can stay packed, for fewer rows too", "[plan][problem]") {
  for (const Index m : {1, 33, 4096}) {
    const Problem problem =
        for_other_rows("M=16 N=32 K=8 batch=2 A=f16:col B=f16 scale_a=f32:col:block1x4 D=f16:col",
                       m, ShortStrides::packed);
    CHECK(problem == completed([&] {
            Problem packed = parse_problem(
                "M=16 N=32 K=8 batch=2 A=f16:col B=f16 scale_a=f32:col:block1x4 D=f16:col");
            packed.m = m;
            return packed;
          }()));
  }
}
