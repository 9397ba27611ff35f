// The kept problems, number by number, and the files of what is kept of them.
#include "support/kept_problems.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "support/catch.hpp"
#include "support/stable_draws.hpp"

namespace jute::test {
namespace {

std::map<std::string, std::string> lines_by_name(const std::string& text) {
  std::map<std::string, std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    lines[line.substr(0, line.rfind(": "))] = line.substr(line.rfind(": ") + 2);
  return lines;
}

}  // namespace

Problem kept_problem(int index, DType type) {
  StableDraws draws(static_cast<std::uint64_t>(index));
  Problem problem;
  constexpr Index kMostBits = 14;
  problem.m = draws.extent(kMostBits);
  problem.n = draws.extent(kMostBits);
  problem.k = draws.extent(kMostBits);
  if (draws.one_in(6)) problem.batch = draws.extent(6);
  problem.a.type = problem.b.type = type;
  problem.a.order = draws.order();
  problem.b.order = draws.order();
  problem.d.order = draws.one_in(5) ? Order::col : Order::row;
  problem.c.order = problem.d.order;
  const bool wide = draws.one_in(3);
  problem.d.type = wide && width_bits(type) == 16 ? DType::f32 : usual_output_type(type);
  problem.c.type = problem.d.type;
  problem.beta = draws.one_in(3) ? Factor::run_time : Factor::zero;
  problem.alpha = draws.one_in(3) ? Factor::run_time : Factor::one;
  if (draws.one_in(4)) problem.a.ld_elems = std::max(problem.m, problem.k) + draws.below(9);
  if (draws.one_in(4)) problem.b.ld_elems = std::max(problem.n, problem.k) + draws.below(9);
  return problem;
}

std::string Hash::text() const {
  std::ostringstream out;
  out.width(16);
  out.fill('0');
  out << std::hex << value_;
  return out.str();
}

void check_kept_lines(const std::string& file, const std::string& now, KeptPart part) {
  const std::string path = std::string(JUTE_SOURCE_DIR) + "/tests/golden/plans/" + file;
  if (part == KeptPart::all && std::getenv("JUTE_UPDATE_GOLDEN") != nullptr)
    std::ofstream(path) << now;
  std::ifstream in(path);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const auto kept = lines_by_name(text), made = lines_by_name(now);
  if (part == KeptPart::all) CHECK(kept.size() == made.size());
  for (const auto& [name, hash] : made) {
    INFO(name << " of " << file << "; JUTE_UPDATE_GOLDEN=1 writes all of it anew");
    REQUIRE(kept.contains(name));
    CHECK(kept.at(name) == hash);
  }
}

}  // namespace jute::test
