// A problem as its canonical line, which parse_problem reads.
#include <jute/plan/ask/epilogue.hpp>
#include <jute/plan/ask/problem.hpp>

#include <ostream>

#include "base/format.hpp"
#include "plan/ask/epilogue_operands.hpp"

namespace jute {

std::string to_string(const Problem& problem) {
  std::string text =
      base::format("M={} N={} K={} batch={}", problem.m, problem.n, problem.k, problem.batch);
  text += plan::text_of("A", problem.a) + plan::text_of("B", problem.b) + plan::scale_text(problem);
  if (c_read(problem) != CRead::never) text += plan::text_of("C", problem.c);
  text += plan::text_of("D", problem.d);
  if (problem.accumulate) text += base::format(" accumulate={}", name(*problem.accumulate));
  if (problem.precision != Precision::f32)
    text += base::format(" precision={}", name(problem.precision));
  text += base::format(" alpha={} beta={}", name(problem.alpha), name(problem.beta));
  if (problem.gate) text += base::format(" gate={}", name(*problem.gate));
  if (problem.m_range) text += " m_range=" + to_string(*problem.m_range);
  if (problem.groups) text += " groups=" + to_string(*problem.groups);
  return problem.epilogue ? text + plan::text_of(*problem.epilogue) : text;
}

std::ostream& operator<<(std::ostream& out, const Problem& problem) {
  return out << to_string(problem);
}

}  // namespace jute
