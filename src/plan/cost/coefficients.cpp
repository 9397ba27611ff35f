// Coefficients of the law, by family and bytes of an element. Written by bench/fit.py from
// bench/works_h200.csv, 2026-11-30, NVIDIA H200; behind each row how many times it was fitted to,
// and the standard deviation of the logarithm of predicted by measured clocks.
#include "plan/cost/law.hpp"

namespace jute::plan {
namespace {

// clang-format off
const std::vector<Coefficients> kCoefficients{
  {.family = Family::warps_async, .width = 8,
   .launch = 1.22, .product = 0.869, .read = 0.142, .copy = 0.0812, .turn = 113, .end = 0.277, .store = 49.3, .sum = 12.1},  // 551, 0.120
  {.family = Family::warps_async, .width = 4,
   .launch = 1.05, .product = 1, .read = 0.442, .copy = 3.23, .turn = 882, .end = 0.308, .store = 25.9, .sum = 9.72},  // 185, 0.160
  {.family = Family::warps_async, .width = 2,
   .launch = 1.13, .product = 0.985, .read = 0.289, .copy = 2.52, .turn = 1100, .end = 0.532, .store = 21.2, .sum = 12.6},  // 351, 0.142
  {.family = Family::warps_async, .width = 1,
   .launch = 0.986, .product = 0.942, .read = 0.208, .copy = 14.9, .turn = 686, .end = 0.78, .store = 17.1, .sum = 7.84},  // 308, 0.215
  {.family = Family::warps_registers, .width = 4,
   .launch = 1.06, .product = 1, .read = 1.91, .copy = 0.317, .turn = 44.8, .end = 0.0163, .store = 15.1, .sum = 1},  // 45, 0.105
  {.family = Family::warps_registers, .width = 2,
   .launch = 0.89, .product = 1.01, .read = 0.939, .copy = 3.77, .turn = 1350, .end = 0.00474, .store = 22.4, .sum = 8.33},  // 217, 0.136
  {.family = Family::warps_registers, .width = 1,
   .launch = 1.01, .product = 4.65, .read = 0.413, .copy = 3.42, .turn = 974, .end = 0.00323, .store = 14.2, .sum = 7.13},  // 304, 0.241
  {.family = Family::warp_groups, .width = 8,
   .launch = 0.584, .product = 0.895, .read = 0.00495, .copy = 0.026, .turn = 566, .end = 0.0188, .store = 49.3, .sum = 4.06},  // 155, 0.180
  {.family = Family::warp_groups, .width = 4,
   .launch = 0.0114, .product = 0.967, .read = 0.912, .copy = 0.0697, .turn = 175, .end = 1.67, .store = 67.9, .sum = 8.3},  // 31, 0.129
  {.family = Family::threads_async, .width = 4,
   .launch = 1.17, .product = 1.09, .read = 0.138, .copy = 1.86, .turn = 206, .end = 0.0337, .store = 23.2, .sum = 10.7},  // 513, 0.137
  {.family = Family::thread_groups, .width = 4,
   .launch = 0.72, .product = 0.98, .read = 0.445, .copy = 0.557, .turn = 360, .end = 0.0922, .store = 24, .sum = 6.27},  // 254, 0.101
  {.family = Family::lane_tiles, .width = 4,
   .launch = 0.407, .product = 3.13, .read = 0.15, .copy = 1.3, .turn = 760, .end = 0.323, .store = 21.2, .sum = 1},  // 169, 0.149
  {.family = Family::dot_products, .width = 4,
   .launch = 0.518, .product = 3.16, .read = 0.619, .copy = 0.332, .turn = 932, .end = 0.0889, .store = 10.1, .sum = 1},  // 28, 0.200
  {.family = Family::dot_products, .width = 2,
   .launch = 0.593, .product = 1.69, .read = 0.166, .copy = 2.54, .turn = 842, .end = 0.131, .store = 13.6, .sum = 1},  // 386, 0.129
  {.family = Family::straight_tiles, .width = 8,
   .launch = 0.00267, .product = 1, .read = 0.216, .copy = 0.0275, .turn = 379, .end = 0.001, .store = 64.9, .sum = 1},  // 38, 0.293
  {.family = Family::straight_tiles, .width = 4,
   .launch = 0.00178, .product = 1, .read = 0.35, .copy = 0.0276, .turn = 1020, .end = 0.739, .store = 37.8, .sum = 1},  // 43, 0.273
  {.family = Family::straight_tiles, .width = 2,
   .launch = 0.552, .product = 0.955, .read = 0.434, .copy = 2.04, .turn = 257, .end = 0.35, .store = 15.7, .sum = 1},  // 4181, 0.145
  {.family = Family::straight_tiles, .width = 1,
   .launch = 0.001, .product = 0.869, .read = 0.0902, .copy = 8.06, .turn = 283, .end = 0.913, .store = 0.0571, .sum = 1},  // 200, 0.420
  {.family = Family::line_warps, .width = 4,
   .launch = 0.309, .product = 0.998, .read = 0.22, .copy = 3.7, .turn = 896, .end = 0.447, .store = 13.2, .sum = 1},  // 80, 0.112
  {.family = Family::line_warps, .width = 2,
   .launch = 0.538, .product = 1.01, .read = 1.86, .copy = 0.223, .turn = 1080, .end = 1.37, .store = 2.43, .sum = 1},  // 148, 0.133
  {.family = Family::line_threads, .width = 4,
   .launch = 0.355, .product = 0.869, .read = 2.48, .copy = 0.18, .turn = 1450, .end = 1.07, .store = 3.06, .sum = 1},  // 74, 0.140
  {.family = Family::line_threads, .width = 2,
   .launch = 0.548, .product = 0.868, .read = 0.639, .copy = 2.51, .turn = 1160, .end = 0.626, .store = 1.43, .sum = 1},  // 63, 0.076
};
// clang-format on

}  // namespace

const std::vector<Coefficients>& coefficients() { return kCoefficients; }

}  // namespace jute::plan
