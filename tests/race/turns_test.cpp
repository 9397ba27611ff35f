// Turns of contestants, and what is made of their times.
#include <jute/race/tune.hpp>
#include <jute/race/turns.hpp>

#include "support/catch.hpp"

using namespace jute;

TEST_CASE("each takes three launches at least, or as many as take 2 ms", "[race]") {
  const std::vector<double> ms{0.01, 0.5, 0.02, 5};
  std::vector<int> launches(ms.size()), turns(ms.size());
  const std::vector<double> us = raced_us(ms.size(), [&](std::size_t each, int count) {
    launches[each] += count;
    ++turns[each];
    return ms[each] * count;
  });
  CHECK(us[0] == Approx(10));
  CHECK(us[2] == Approx(20));
  CHECK(launches[0] == 1 + 201);
  CHECK(launches[2] == 1 + 102);
  // Far behind in the first turn: what was timed then is all that is known.
  CHECK(turns[1] == 1);
  CHECK(us[3] == Approx(5000));
  CHECK(raced_us(1, [&](std::size_t, int count) { return 5.0 * count; }) ==
        std::vector<double>{5000});
  CHECK(raced_us(0, [](std::size_t, int) { return 1.0; }).empty());
}

TEST_CASE("one slow turn does not decide", "[race]") {
  int turn = 0;
  const std::vector<double> us = raced_us(2, [&](std::size_t each, int count) {
    const bool is_disturbed = ++turn == 3;
    return (each == 0 ? 1.0 : 1.1) * count * (is_disturbed ? 9 : 1);
  });
  CHECK(fastest_of(us) == 0);
}

TEST_CASE("who has no time does not win, and the planned one does unless another is faster",
          "[race]") {
  CHECK(fastest_of(std::vector<double>{0, 12, 11}) == 2);
  CHECK(fastest_of(std::vector<double>{10, 9.95, 0}) == 0);
  CHECK(fastest_of(std::vector<double>{10, 9.8, 9.85}) == 1);
  const RankedChoice third{3, parse_config("stages=4")};
  CHECK(race_text(third, 10, 12, 5) ==
        "10.00 us, 20.0 % faster than planned, the best of 5: stages=4");
  CHECK(race_text(third, 10, 0, 5) == "10.00 us, planned was not timed, the best of 5: stages=4");
  CHECK(race_text({1, {}}, 10, 10, 1) == "10.00 us, as planned, the best of 1: ");
}
