#pragma once
// Problems that one kernel is the best for.
#include <jute/base/export.hpp>
#include <jute/plan/ask/problem.hpp>
#include <jute/plan/ask/schedule.hpp>

#include <string>

namespace JUTE_API jute {

/// Everything of a problem that measured choices depend on, in one line: all that to_string says,
/// but of strides and base addresses how they are aligned (to 128 and to 16 bytes at most), of a
/// range the prepared M alone; and that launches are alone, where they are.
///   throws  what completed() throws
[[nodiscard]] std::string problem_class(const Problem& problem,
                                        Launches launches = Launches::behind_others);

}  // namespace jute
