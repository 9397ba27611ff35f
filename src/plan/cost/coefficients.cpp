// Coefficients of the law, by family and bytes of an element. Written by bench/fit.py from
// bench/works_h200.csv, 2026-11-30, NVIDIA H200; behind each row how many times it was fitted to,
// and the standard deviation of the logarithm of predicted by measured clocks.
#include "plan/cost/law.hpp"

namespace jute::plan {
namespace {

// clang-format off
const std::vector<Coefficients> kCoefficients{
  {.family = LawFamily::warps_async, .width = 8,
   .launch = 1.22, .product = 0.869, .read = 0.142, .copy = 0.0812, .turn = 113, .end = 0.277, .store = 49.3, .sum = 12.1},  // 551, 0.120
  {.family = LawFamily::warps_async, .width = 4,
   .launch = 1.17, .product = 1, .read = 0.887, .copy = 1.08, .turn = 233, .end = 0.248, .store = 22.8, .sum = 10.4},  // 174, 0.169
  {.family = LawFamily::warps_async, .width = 2,
   .launch = 1.26, .product = 0.998, .read = 0.107, .copy = 4.57, .turn = 313, .end = 0.208, .store = 19.8, .sum = 7.97},  // 115, 0.149
  {.family = LawFamily::warps_async, .width = 1,
   .launch = 0.869, .product = 1.03, .read = 0.101, .copy = 14, .turn = 383, .end = 0.988, .store = 18.6, .sum = 8.42},  // 308, 0.209
  {.family = LawFamily::warps_registers, .width = 4,
   .launch = 1.06, .product = 1, .read = 1.91, .copy = 0.317, .turn = 44.8, .end = 0.0163, .store = 15.1, .sum = 1},  // 45, 0.105
  {.family = LawFamily::warps_registers, .width = 2,
   .launch = 0.846, .product = 1.01, .read = 0.745, .copy = 3.93, .turn = 1370, .end = 0.00478, .store = 22, .sum = 7.76},  // 206, 0.134
  {.family = LawFamily::warps_registers, .width = 1,
   .launch = 1.01, .product = 4.65, .read = 0.413, .copy = 3.42, .turn = 974, .end = 0.00323, .store = 14.2, .sum = 7.13},  // 304, 0.241
  {.family = LawFamily::warp_groups, .width = 8,
   .launch = 0.584, .product = 0.895, .read = 0.00495, .copy = 0.026, .turn = 566, .end = 0.0188, .store = 49.3, .sum = 4.06},  // 155, 0.180
  {.family = LawFamily::warp_groups, .width = 4,
   .launch = 0.0114, .product = 0.967, .read = 0.912, .copy = 0.0697, .turn = 175, .end = 1.67, .store = 67.9, .sum = 8.3},  // 31, 0.129
  {.family = LawFamily::threads_async, .width = 4,
   .launch = 1.17, .product = 1.09, .read = 0.138, .copy = 1.86, .turn = 206, .end = 0.0337, .store = 23.2, .sum = 10.7},  // 513, 0.137
  {.family = LawFamily::thread_groups, .width = 4,
   .launch = 0.72, .product = 0.98, .read = 0.445, .copy = 0.557, .turn = 360, .end = 0.0922, .store = 24, .sum = 6.27},  // 254, 0.101
  {.family = LawFamily::lane_tiles, .width = 4,
   .launch = 0.407, .product = 3.13, .read = 0.15, .copy = 1.3, .turn = 760, .end = 0.323, .store = 21.2, .sum = 1},  // 169, 0.149
  {.family = LawFamily::dot_products, .width = 4,
   .launch = 0.471, .product = 3.75, .read = 0.559, .copy = 0.318, .turn = 994, .end = 0.0861, .store = 10.2, .sum = 1},  // 28, 0.211
  {.family = LawFamily::dot_products, .width = 2,
   .launch = 0.58, .product = 1.71, .read = 0.181, .copy = 2.51, .turn = 851, .end = 0.138, .store = 13.3, .sum = 1},  // 368, 0.132
  {.family = LawFamily::straight_tiles, .width = 8,
   .launch = 0.00267, .product = 1, .read = 0.216, .copy = 0.0275, .turn = 379, .end = 0.001, .store = 64.9, .sum = 1},  // 38, 0.293
  {.family = LawFamily::straight_tiles, .width = 4,
   .launch = 0.00168, .product = 1, .read = 0.303, .copy = 0.021, .turn = 973, .end = 0.77, .store = 36.4, .sum = 1},  // 43, 0.288
  {.family = LawFamily::straight_tiles, .width = 2,
   .launch = 0.568, .product = 1.01, .read = 0.413, .copy = 2.02, .turn = 203, .end = 0.256, .store = 22.6, .sum = 1},  // 4038, 0.153
  {.family = LawFamily::straight_tiles, .width = 1,
   .launch = 0.001, .product = 0.869, .read = 0.00175, .copy = 8.72, .turn = 242, .end = 0.894, .store = 0.0386, .sum = 1},  // 200, 0.419
  {.family = LawFamily::line_warps, .width = 4,
   .launch = 0.569, .product = 1, .read = 0.907, .copy = 1.51, .turn = 885, .end = 0.352, .store = 14.1, .sum = 1},  // 80, 0.062
  {.family = LawFamily::line_warps, .width = 2,
   .launch = 0.58, .product = 1.03, .read = 2.1, .copy = 0.0957, .turn = 1200, .end = 0.852, .store = 4.96, .sum = 1},  // 145, 0.135
  {.family = LawFamily::line_threads, .width = 4,
   .launch = 0.426, .product = 0.868, .read = 2.54, .copy = 0.192, .turn = 1420, .end = 0.871, .store = 3.03, .sum = 1},  // 74, 0.144
  {.family = LawFamily::line_threads, .width = 2,
   .launch = 0.569, .product = 0.868, .read = 0.382, .copy = 3.5, .turn = 1150, .end = 0.403, .store = 1.42, .sum = 1},  // 60, 0.055
};
// clang-format on

}  // namespace

const std::vector<Coefficients>& coefficients() { return kCoefficients; }

}  // namespace jute::plan
