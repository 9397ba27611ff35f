// Coefficients of the law, by family and bytes of an element. Written by bench/fit.py from
// bench/works_h200.csv, 2026-11-29, NVIDIA H200; behind each row how many times it was fitted to,
// and the standard deviation of the logarithm of predicted by measured clocks.
#include "plan/cost/law.hpp"

namespace jute::plan {
namespace {

// clang-format off
const std::vector<Coefficients> kCoefficients{
  {.family = LawFamily::warps_async, .width = 8,
   .launch = 1.28, .product = 0.868, .read = 0.147, .copy = 0.0602, .turn = 121, .end = 0.254, .store = 48.3, .sum = 11.7},  // 525, 0.115
  {.family = LawFamily::warps_async, .width = 4,
   .launch = 1.31, .product = 0.868, .read = 1.13, .copy = 1.57, .turn = 160, .end = 0.174, .store = 16.3, .sum = 9.32},  // 120, 0.142
  {.family = LawFamily::warps_async, .width = 2,
   .launch = 1.02, .product = 0.869, .read = 1.25, .copy = 0.999, .turn = 32, .end = 1.24, .store = 17.1, .sum = 7.81},  // 26, 0.046
  {.family = LawFamily::warps_async, .width = 1,
   .launch = 0.86, .product = 1.15, .read = 0.105, .copy = 13.7, .turn = 383, .end = 1.01, .store = 17.8, .sum = 8.42},  // 305, 0.207
  {.family = LawFamily::warps_registers, .width = 4,
   .launch = 1.06, .product = 2.28, .read = 0.513, .copy = 0.436, .turn = 43.3, .end = 0.0331, .store = 16.2, .sum = 1},  // 39, 0.103
  {.family = LawFamily::warps_registers, .width = 2,
   .launch = 0.848, .product = 0.869, .read = 0.154, .copy = 4.87, .turn = 1030, .end = 0.00559, .store = 21.4, .sum = 7.88},  // 100, 0.128
  {.family = LawFamily::warps_registers, .width = 1,
   .launch = 0.985, .product = 4.88, .read = 0.168, .copy = 2.99, .turn = 1100, .end = 0.00375, .store = 15, .sum = 7.19},  // 277, 0.246
  {.family = LawFamily::warp_groups, .width = 8,
   .launch = 0.671, .product = 0.868, .read = 0.096, .copy = 0.00314, .turn = 529, .end = 0.00998, .store = 53.1, .sum = 5.69},  // 149, 0.190
  {.family = LawFamily::warp_groups, .width = 4,
   .launch = 0.0903, .product = 0.869, .read = 1, .copy = 0.057, .turn = 139, .end = 1.98, .store = 42, .sum = 7.79},  // 31, 0.129
  {.family = LawFamily::threads_async, .width = 4,
   .launch = 1.2, .product = 1.16, .read = 0.104, .copy = 1.47, .turn = 62.5, .end = 0.0611, .store = 17.2, .sum = 10.8},  // 337, 0.122
  {.family = LawFamily::thread_groups, .width = 4,
   .launch = 0.752, .product = 0.965, .read = 0.515, .copy = 0.572, .turn = 288, .end = 0.0902, .store = 22.3, .sum = 6.26},  // 246, 0.101
};
// clang-format on

}  // namespace

const std::vector<Coefficients>& coefficients() { return kCoefficients; }

}  // namespace jute::plan
