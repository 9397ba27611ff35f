// The pictures of `jute bench`.
#include "bench/results/report.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>

using namespace jute;
using namespace jute::bench;

namespace {

const Machine kH200{.device = "NVIDIA H200",
                    .driver = "13.0",
                    .cublas = "cuBLASLt 13.1.0",
                    .arch = 90,
                    .sm_count = 132,
                    .peak_mhz = 1980,
                    .bytes_per_second = 4.8e12};

Result result(const std::string& id, Side side, double us, double ratio) {
  Result made;
  made.case_id = id;
  made.side = side;
  made.contestant = side == Side::jute ? "planned" : "cublasGemmEx";
  made.us = us;
  made.ratio = made.least = made.most = ratio;
  made.error = 0.1;
  made.flop = 2.0 * 4096 * 4096 * 4096;
  made.bytes = 3.0 * 2 * 4096 * 4096;
  return made;
}

size_t count(const std::string& text, const std::string& part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

/// Every element that is opened is closed, and no attribute lacks its quotes.
bool is_closed(const std::string& svg) {
  return svg.starts_with("<svg ") && svg.ends_with("</svg>\n") &&
         count(svg, "<text") == count(svg, "</text>") &&
         count(svg, "<rect") + count(svg, "<line") == count(svg, "/>") &&
         count(svg, "<circle") == count(svg, "</title></circle>") &&
         std::ranges::count(svg, '"') % 2 == 0;
}

constexpr const char* kBar = "height=\"14.0\" fill=\"#";

}  // namespace

TEST_CASE("a bar stands for each ratio of jute's, and for nothing else", "[cli][bench]") {
  std::vector<Result> results{result("a", Side::jute, 170, 1.01), result("a", Side::peer, 172, 1),
                              result("b<&>", Side::jute, 200, 0.5), result("c", Side::jute, 9, 0)};
  results.push_back(result("a", Side::jute, 1, 9));
  results.back().error = 2;  // wrong
  const std::string svg = ratio_chart(kH200, results);
  CHECK(is_closed(svg));
  CHECK(count(svg, kBar) == 2);
  CHECK(count(svg, ">1.010<") == 1);
  CHECK(count(svg, ">b&lt;&amp;&gt;<") == 1);
  CHECK(count(svg, "PDL") == 0);
  results[0].is_overlapped = true;
  CHECK(count(ratio_chart(kH200, results), "cuBLASLt cannot be given it") == 1);
  CHECK(is_closed(ratio_chart(kH200, {})));
}

TEST_CASE("bars of one case are told apart by contestant and mode", "[cli][bench]") {
  std::vector<Result> results(3, result("a", Side::jute, 170, 1.01));
  results[1].contestant = "tile=64x64x64";
  results[2].mode = Mode::sustained;
  const std::string svg = ratio_chart(kH200, results);
  CHECK(count(svg, ">a<") == 1);
  CHECK(count(svg, ">tile=64x64x64<") == 1);
  CHECK(count(svg, ">sustained<") == 1);
}

TEST_CASE("the best case comes first, and the letters in names are explained", "[cli][bench]") {
  const std::vector<Result> results{result("bf16_nt_1x1x1", Side::jute, 1, 0.5),
                                    result("bf16_nn_2x2x2", Side::jute, 1, 1.5),
                                    result("bf16_tn_3x3x3", Side::jute, 1, 1.0)};
  const std::string svg = ratio_chart(kH200, results);
  CHECK(svg.find("nn_2x2x2") < svg.find("tn_3x3x3"));
  CHECK(svg.find("tn_3x3x3") < svg.find("nt_1x1x1"));
  CHECK(count(svg, "n, t: rows or columns of A") == 1);
  CHECK(count(ratio_chart(kH200, {results.data(), 0}), "n, t:") == 0);
}

TEST_CASE("the roof of a chip follows from its units and its clock", "[cli][bench]") {
  CHECK(std::abs(peak_tflops(kH200, DType::bf16).value() - 4096 * 132 * 1980e6 * 1e-12) < 1e-6);
  CHECK(peak_tflops(kH200, DType::e4m3).value() == 2 * peak_tflops(kH200, DType::bf16).value());
  CHECK_FALSE(peak_tflops({.device = "?", .driver = "", .cublas = "", .arch = 75}, DType::f16));
}

TEST_CASE("the roofline shows jute's contestants and the fastest peer of each case",
          "[cli][bench]") {
  const std::vector<Result> results{result("a", Side::jute, 170, 1.01),
                                    result("a", Side::peer, 172, 1),
                                    result("a", Side::peer, 180, 0.9)};
  const std::vector<DType> types{DType::bf16, DType::f16, DType::bf16};
  const std::string svg = roofline_chart(kH200, results, types);
  CHECK(is_closed(svg));
  CHECK(count(svg, "<circle") == 2);
  CHECK(count(svg, "fill=\"none\"") == 1);
  CHECK(count(svg, "bf16, f16 1071") == 1);
  CHECK(count(svg, "4.80 TB/s") == 1);
  CHECK(is_closed(roofline_chart({}, {}, {})));
}
