#pragma once
// What ranks do when, and who holds what, as pictures.
#include <jute/dist/distributed_plan.hpp>
#include <jute/draw/picture.hpp>

#include <string>

namespace jute::command {

/// A bar for each step on its lane, as the plan expects them; an axis in us.
[[nodiscard]] std::string lanes_svg(const DistributedPlan& plan);
/// A line for each step: lane, begin and end in us, a bar of characters, name.
[[nodiscard]] std::string lanes_text(const DistributedPlan& plan);

/// The ranks as threads T, their elements as values V, over a matrix of so many rows and columns;
/// rounded up where parts are uneven.
///   throws  what distribution throws; wrong_type: the placement is not of one matrix
[[nodiscard]] Picture placement_picture(const std::string& mesh, const std::string& placement,
                                        int rows, int columns);

}  // namespace jute::command
