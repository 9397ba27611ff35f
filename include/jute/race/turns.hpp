#pragma once
// How long each of several runs takes, by turns.
#include <jute/base/export.hpp>

#include <cstddef>
#include <functional>
#include <vector>

namespace JUTE_API jute {

/// Milliseconds of so many launches of a contestant, one behind the other.
using TimeTurn = std::function<double(std::size_t contestant, int launches)>;
/// Microseconds a launch of each: the median of three turns of at least a launch each, which take
/// 2 ms together; all take turns, in another order each time. Who took three times as long as the
/// fastest in a turn of one launch ahead of them takes no other.
[[nodiscard]] std::vector<double> raced_us(std::size_t contestants, const TimeTurn& time);

}  // namespace jute
