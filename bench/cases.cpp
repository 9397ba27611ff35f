// The suite of problems: its file and its types.
#include "cases.hpp"

#include <array>
#include <fstream>
#include <sstream>

namespace jute::bench {
namespace {

// clang-format off
constexpr std::array<TypeFacts, 7> kTypes{{
  // dtype    input        output       accumulate   sigma  TFLOP/s  u_acc
  {"bf16",    DType::bf16, DType::bf16, DType::f32,   1,     700,    0x1p-23},
  {"f16",     DType::f16,  DType::f16,  DType::f32,   1,     700,    0x1p-23},
  {"tf32",    DType::tf32, DType::f32,  DType::f32,   1,     350,    0x1p-23},
  {"f32",     DType::f32,  DType::f32,  DType::f32,   1,      45,    0x1p-24},
  {"f64",     DType::f64,  DType::f64,  DType::f64,   1,      55,    0x1p-53},
  {"f8e4m3",  DType::e4m3, DType::bf16, DType::f32,   1,    1300,    0x1p-13},
  {"s8",      DType::s8,   DType::s32,  DType::s32,  32,    1300,    0},
}};
// clang-format on

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
  cells.resize(10);
  return cells;
}

Order parse_order(const std::string& text) { return text == "col" ? Order::col : Order::row; }

Case parse_case(const std::string& line) {
  const std::vector<std::string> cells = split(line);
  Case result;
  result.id = cells[0];
  result.family = cells[1];
  result.m = std::stoll(cells[2]);
  result.n = std::stoll(cells[3]);
  result.k = std::stoll(cells[4]);
  result.batch = std::stoll(cells[5]);
  result.dtype = cells[6];
  result.order_a = parse_order(cells[7]);
  result.order_b = parse_order(cells[8]);
  result.note = cells[9];
  return result;
}

}  // namespace

const TypeFacts& facts(const std::string& dtype) {
  for (const TypeFacts& row : kTypes)
    if (row.dtype == dtype) return row;
  throw Exception({.code = ErrorCode::unknown_name,
                   .operand = "dtype",
                   .value = dtype,
                   .violated_rules = {"the suite has bf16, f16, tf32, f32, f64, f8e4m3 and s8"}});
}

Problem problem_of(const Case& bench_case) {
  const TypeFacts& types = facts(bench_case.dtype);
  Problem problem;
  problem.m = bench_case.m;
  problem.n = bench_case.n;
  problem.k = bench_case.k;
  problem.batch = bench_case.batch;
  problem.a.type = problem.b.type = types.input;
  problem.a.order = bench_case.order_a;
  problem.b.order = bench_case.order_b;
  problem.c.type = problem.d.type = types.output;
  problem.accumulate = types.accumulate;
  problem.alpha = Scale::one;
  problem.beta = Scale::zero;
  return problem;
}

std::vector<Case> read_cases(const std::string& path) {
  std::ifstream file(path);
  if (!file)
    throw Exception({.code = ErrorCode::file_not_found, .operand = "cases", .value = path});
  std::vector<Case> cases;
  std::string line;
  std::getline(file, line);  // the columns' names
  while (std::getline(file, line)) {
    if (line.empty() || line.front() == '#') continue;
    try {
      cases.push_back(parse_case(line));
    } catch (const std::exception&) {
      throw Exception({.code = ErrorCode::bad_file, .operand = path, .value = line});
    }
  }
  return cases;
}

}  // namespace jute::bench
