// What `jute bench` makes of measured times, and how it writes it down.
#include "bench/results/report.hpp"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "race/device/timer.hpp"
#include "race/results/statistics.hpp"
#include "race/results/wire.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"

using namespace jute;
using namespace jute::bench;
using jute::test::refusal_of;

namespace {

Result result(Side side, const std::string& contestant) {
  Result made;
  made.case_id = "bf16_nt_64x64x64";
  made.side = side;
  made.contestant = contestant;
  made.flop = 2e6;
  made.bytes = 24576;
  made.error = 0.25;
  return made;
}

Timed timed(Side side, const std::string& contestant, std::vector<double> us) {
  const std::vector<double> mhz(us.size(), 1980), watts(us.size(), 0);
  return {result(side, contestant), std::move(us), mhz, watts};
}

Machine h200() {
  return {.device = "NVIDIA H200",
          .driver = "13.0",
          .cublas = "cuBLASLt 13.1.0 (/x/libcublasLt.so.13)",
          .arch = 90,
          .sm_count = 132,
          .peak_mhz = 1980,
          .bytes_per_second = 4.8e12};
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("an epilogue is told as a part of the plain kernel's time", "[cli][bench][epilogue]") {
  const std::vector<Result> results =
      ranked({timed(Side::jute, "planned", {4, 6, 5}), timed(Side::plain, "plain", {4, 5, 4}),
              timed(Side::peer, "cublasLt 0", {8, 10, 8})});
  CHECK(results.at(0).of_plain == 1.2);
  CHECK(std::abs(results.at(0).ratio - 10.0 / 6) < 1e-9);
  CHECK(results.at(1).of_plain == 1);
  CHECK(results.at(1).ratio == 0);  // it leaves out what the peer computes
  CHECK(results.at(2).of_plain == 2);
}

TEST_CASE("the median of an even number of values lies between the middle two", "[cli][bench]") {
  CHECK(median(std::vector<double>{3, 1, 2}) == 2);
  CHECK(median(std::vector<double>{4, 1, 3, 2}) == 2.5);
  CHECK(std::isnan(median({})));
}

TEST_CASE("a ratio is made round by round, so that a slow round hits both", "[cli][bench]") {
  const std::vector<double> peer{10, 20, 10}, own{5, 10, 4};
  CHECK(quotient(peer, own) == Quotient{2, 2, 2.5});
  CHECK(quotient({}, own) == Quotient{});
}

TEST_CASE("screening replays what may win often, and gives up what cannot", "[cli][bench]") {
  const std::vector<double> speed{10, 12, 13, 30, 9.9};
  std::vector<int> replays(speed.size());
  const std::vector<double> medians = screen(speed.size(), 7, [&](size_t i) {
    return ++replays[i] == 1 ? 2 * speed[i] : speed[i];  // the first is slow
  });
  CHECK(replays == std::vector<int>{7, 7, 2, 2, 7});
  CHECK(least(medians, 3) == std::vector<size_t>{4, 0, 1});
  CHECK(least(medians, 9).size() == 5);
}

TEST_CASE("who is far behind in the first round takes no further turn, and keeps that time",
          "[cli][bench]") {
  const std::vector<double> speed{1.0, 1.4, 3.0};
  std::vector<int> turns_of(speed.size(), 0);
  const auto take = [&](size_t i) {
    ++turns_of[i];
    return Shot{.us = speed[i]};
  };
  const auto shots = in_turns(speed.size(), {.rounds = 4, .far_behind = 1.5}, take, [] {});
  CHECK(turns_of == std::vector<int>{5, 5, 1});
  CHECK(shots[0].size() == 4);
  REQUIRE(shots[2].size() == 1);
  CHECK(shots[2].front().us == 3.0);

  turns_of.assign(speed.size(), 0);
  (void)in_turns(speed.size(), {.rounds = 4}, take, [] {});
  CHECK(turns_of == std::vector<int>{5, 5, 5});
}

TEST_CASE("contestants take turns in every order, so that none follows the same one always",
          "[cli][bench]") {
  constexpr size_t kCount = 4;
  std::set<std::pair<size_t, size_t>> neighbours;
  for (int round = 0; round < 24; ++round) {
    const std::vector<size_t> order = turns(kCount, round);
    CHECK(std::set<size_t>(order.begin(), order.end()).size() == kCount);
    for (size_t i = 1; i < kCount; ++i) neighbours.emplace(order[i - 1], order[i]);
  }
  CHECK(neighbours.size() == kCount * (kCount - 1));
  CHECK(turns(kCount, 3) == turns(kCount, 3));
  CHECK(turns(0, 0).empty());
}

TEST_CASE("the fastest right peer of a mode is what the others are held against", "[cli][bench]") {
  Timed wrong = timed(Side::peer, "wrong", {1, 1, 1});
  wrong.result.error = 3;
  const std::vector<Result> results =
      ranked({timed(Side::jute, "planned", {4, 5, 4}), timed(Side::peer, "slow", {8, 8, 8}), wrong,
              timed(Side::peer, "fast", {6, 5, 6})});
  CHECK(results.at(0).us == 4);
  CHECK(results.at(0).ratio == 1.5);
  CHECK(results.at(0).least == 1.0);
  CHECK(results.at(0).most == 1.5);
  CHECK(results.at(0).mhz == 1980);
  CHECK(results.at(0).watts == 0);
  CHECK(results.at(1).ratio == 0.75);
  CHECK(results.at(3).ratio == 1.0);
  CHECK(std::abs(tflops(results.at(0)) - 0.5) < 1e-9);
  CHECK_FALSE(is_right(results.at(2)));
}

TEST_CASE("without a peer there are times and no ratios", "[cli][bench]") {
  const std::vector<Result> results = ranked({timed(Side::jute, "planned", {4, 5, 4})});
  CHECK(results.at(0).us == 4);
  CHECK(results.at(0).ratio == 0);
}

TEST_CASE("what is written as CSV is read back", "[cli][bench]") {
  Result whole = result(Side::peer, "cublasLt 3: algo 66");
  whole.mode = Mode::pdl_off;
  whole.us = 12.25;
  whole.ratio = 0.5;
  whole.least = 0.25;
  whole.most = 0.75;
  whole.mhz = 1755;
  whole.watts = 612.5;
  whole.registers = 168;
  whole.spill_bytes = 8;
  whole.is_overlapped = true;
  whole.error = std::numeric_limits<double>::infinity();
  const Result other = result(Side::jute, "planned");
  CHECK(result_of_csv(to_csv(whole)) == whole);
  CHECK(result_of_csv(to_csv(other)) == other);
  CHECK(csv_cells(csv_header()).size() == csv_cells(to_csv(other)).size());
  whole.contestant = "atom_layout=(2,4,1) \"quoted\"";
  CHECK(result_of_csv(to_csv(whole)) == whole);
  whole.note = "one, two\nthree";
  CHECK(result_of_csv(to_csv(whole)).note == "one, two three");
}

TEST_CASE("a CSV line with a wrong cell is refused", "[cli][bench][refusal]") {
  const auto error_of = [](const std::string& text) {
    return refusal_of([&] { (void)result_of_csv(text); });
  };
  CHECK(error_of("a,b").value == "a,b");
  std::string line = to_csv(result(Side::jute, "planned"));
  CHECK(error_of(line.replace(line.find("cool"), 4, "warm")).value == "warm");
  line = to_csv(result(Side::jute, "planned"));
  CHECK(error_of(line.replace(line.find("24576"), 5, "many")).value == "many");
}

TEST_CASE("cold launches take at least thirty turns, and short ones as many as fill 100 ms",
          "[cli][bench]") {
  CHECK(cold_rounds({}, 20.0) == 30);
  CHECK(cold_rounds({}, 100.0 / 30) == 30);
  CHECK(cold_rounds({}, 0.5) == 200);
  CHECK(cold_rounds({.least_rounds = 3, .least_ms = 10}, 3.0) == 4);
}

TEST_CASE("modes have names that tell them apart", "[cli][bench]") {
  for (int i = 0; i < kModeCount; ++i) {
    const auto mode = static_cast<Mode>(i);
    CHECK(find_mode(name(mode)) == mode);
  }
  CHECK_FALSE(find_mode("warm").has_value());
}

TEST_CASE("a worker's facts arrive as they were sent", "[cli][bench]") {
  CHECK(machine_of_wire(to_wire(h200())) == h200());
  CaseReport report;
  report.id = "x";
  report.problem = "M=1 N=2";
  report.note = "with\ta tab";
  report.launches = 36;
  report.sets = 4;
  const CaseReport same = report_of_wire(to_wire(report));
  CHECK(same.id == "x");
  CHECK(same.problem == "M=1 N=2");
  CHECK(same.note == "with\ta tab");
  CHECK(same.launches == 36);
  CHECK(same.sets == 4);
  CHECK(message_of("start\t7").word == "start");
  CHECK(message_of("start\t7").text == "7");
  CHECK(message_of("alive").text.empty());
}

TEST_CASE("the table shows each figure once, and marks a wrong result", "[cli][bench]") {
  CaseReport report;
  report.id = "bf16_nt_64x64x64";
  report.problem = "M=64 N=64 K=64";
  report.launches = 36;
  report.sets = 4;
  report.results = ranked(
      {timed(Side::jute, "planned", {4, 5, 4}), timed(Side::peer, "cublasGemmEx", {6, 5, 6})});
  const std::string text = to_table(report);
  CHECK(holds(text, "graphs of 36 launches over 4 operand sets"));
  CHECK(holds(text, "  cool      jute planned "));
  CHECK(holds(text, " 4.00 "));
  CHECK(holds(text, "1.500  (1.000-1.500)"));
  CHECK(holds(text, "  cool      cublasGemmEx "));
  CHECK_FALSE(holds(text, "WRONG"));
  CHECK_FALSE(holds(text, "programmatic"));
  report.results[0].error = 1.01;
  report.results[0].is_overlapped = true;
  CHECK(holds(to_table(report), "^ WRONG RESULT"));
  CHECK(holds(to_table(report), "which cuBLASLt cannot be given"));
  CHECK(holds(table_header(h200()), "NVIDIA H200, driver 13.0, cuBLASLt 13.1.0"));
  CHECK(holds(table_header({}), "nothing to race against"));
}

TEST_CASE("a contestant that was refused stands in the table with its reason", "[cli][bench]") {
  CaseReport report;
  report.results = {result(Side::jute, "tile=3x3x3")};
  report.results[0].note = "tile.m must be a multiple of 16";
  CHECK(holds(to_table(report), "jute tile=3x3x3"));
  CHECK(holds(to_table(report), "tile.m must be a multiple of 16"));
}

TEST_CASE("JSON says what the table says, and null where nothing is known", "[cli][bench]") {
  CaseReport report;
  report.id = "x";
  report.results = ranked({timed(Side::jute, "planned", {4, 5, 4})});
  const auto json = nlohmann::json::parse(to_json(h200(), {report}).text());
  CHECK(json["machine"]["device"] == "NVIDIA H200");
  const auto& row = json["cases"][0]["results"][0];
  CHECK(row["contestant"] == "planned");
  CHECK(row["side"] == "jute");
  CHECK(row["mode"] == "cool");
  CHECK(row["us"] == 4.0);
  CHECK(row["ratio"].is_null());
  CHECK(row["watts"].is_null());
  CHECK(row["right"] == true);
}
