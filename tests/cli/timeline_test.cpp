// A kernel in time: nobody reads a stage before it is there, nobody fills one that is read.
#include "pictures/timeline.hpp"

#include <jute/launch/device_presets.hpp>
#include <jute/plan/ask/config.hpp>
#include <jute/plan/values/plan.hpp>

#include <algorithm>
#include <string>

#include "support/catch.hpp"

using namespace jute;
using namespace jute::command;

namespace {

GemmStep step_of(Index m, Index n, Index k, DType type, const char* device,
                 const char* config = "") {
  Problem problem;
  problem.m = m, problem.n = n, problem.k = k;
  for (Matrix* each : {&problem.a, &problem.b, &problem.c, &problem.d}) each->type = type;
  const Plan plan = make_plan(problem, device_preset(device), parse_config(config));
  return std::get<GemmStep>(plan.steps.back());
}

size_t occurrences(const std::string& text, const std::string& part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

/// What holds for every schedule.
void check_order(const Timeline& line) {
  REQUIRE_FALSE(line.spans.empty());
  for (const TimelineSpan& span : line.spans) {
    CHECK(span.begin >= 0.0);
    CHECK(span.end > span.begin);
    CHECK(span.end <= line.end);
    REQUIRE(span.row < static_cast<int>(line.rows.size()));
  }
  for (const TimelineSpan& one : line.spans)
    for (const TimelineSpan& other : line.spans) {
      const bool apart = &one == &other || one.row != other.row || one.end <= other.begin + 1e-9 ||
                         other.end <= one.begin + 1e-9;
      CHECK(apart);
      // Products run while their stage is read, all of them at once.
      if (one.activity == Activity::read && other.activity == Activity::multiply &&
          one.tile == other.tile && one.k_tile == other.k_tile) {
        CHECK(one.begin == other.begin);
        CHECK(one.end == other.end);
      }
      // Bytes are there before they are read.
      if (one.activity == Activity::on_its_way && other.activity == Activity::read &&
          one.tile == other.tile && one.k_tile == other.k_tile)
        CHECK(one.begin < other.begin);
    }
}

}  // namespace

TEST_CASE("a producer fills stages, consumers read them and then drain", "[cli][view][timeline]") {
  const GemmStep step = step_of(4096, 4096, 4096, DType::bf16, "h200");
  REQUIRE(step.schedule.main_loop == MainLoop::warp_specialised);
  const Timeline line = timeline(step);
  check_order(line);
  CHECK(line.rows.front() == "producer");
  CHECK(std::ranges::count(line.rows, "stage 0") == 1);
  CHECK(line.rows.size() == static_cast<size_t>(step.schedule.stages) + 1 +
                                static_cast<size_t>(step.schedule.ping_pong));
  CHECK(std::ranges::any_of(line.spans, [](const TimelineSpan& span) {
    return span.activity == Activity::drain && span.tile == 1;
  }));
}

TEST_CASE("a timeline shows enough k-tiles to use every stage", "[cli][view][timeline]") {
  for (const char* stages : {"stages=2", "stages=4", "stages=7", "stages=8"}) {
    const GemmStep step = step_of(4096, 4096, 4096, DType::bf16, "h200",
                                  (std::string("tile=64x128x64 ") + stages).c_str());
    const Timeline line = timeline(step);
    check_order(line);
    for (size_t row = 0; row < line.rows.size(); ++row) {
      INFO(stages << ": " << line.rows[row]);
      CHECK(std::ranges::count(line.spans, static_cast<int>(row), &TimelineSpan::row) > 0);
    }
  }
}

TEST_CASE("teams take turns: one drains while the next multiplies", "[cli][view][timeline]") {
  const GemmStep step = step_of(4096, 4096, 4096, DType::bf16, "h200", "ping_pong=2");
  REQUIRE(step.schedule.ping_pong == 2);
  const Timeline line = timeline(step);
  check_order(line);
  bool overlaps = false;
  for (const TimelineSpan& drain : line.spans)
    for (const TimelineSpan& products : line.spans)
      overlaps =
          overlaps ||
          (drain.activity == Activity::drain && products.activity == Activity::multiply &&
           drain.row != products.row && products.begin < drain.end && drain.begin < products.end);
  CHECK(overlaps);
}

TEST_CASE("without roles all threads load ahead and multiply", "[cli][view][timeline]") {
  const GemmStep multistage = step_of(1024, 1024, 1024, DType::f16, "a100");
  REQUIRE(multistage.schedule.main_loop == MainLoop::multistage);
  const Timeline several = timeline(multistage);
  check_order(several);
  CHECK(several.rows.back() == "all threads");
  const GemmStep staged = step_of(2048, 2048, 2048, DType::f32, "v100");
  REQUIRE(staged.schedule.main_loop == MainLoop::register_staged);
  const Timeline registers = timeline(staged);
  check_order(registers);
  CHECK(registers.rows.front() == "registers");
}

TEST_CASE("a timeline is a document of its own, with a box for each span",
          "[cli][view][timeline]") {
  const Timeline line = timeline(step_of(4096, 4096, 4096, DType::bf16, "h200"));
  const std::string svg = to_svg(line);
  CHECK(svg.starts_with("<svg xmlns="));
  CHECK(svg.ends_with("</svg>\n"));
  CHECK(occurrences(svg, "<g>") == line.spans.size());
  CHECK(occurrences(svg, "</title></rect>") == line.spans.size());
  CHECK(svg.find("prefers-color-scheme:dark") != std::string::npos);
  CHECK(occurrences(svg, "http") == 1);
}
