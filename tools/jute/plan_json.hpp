#pragma once
// A plan as JSON.
#include <jute/plan/values/fields.hpp>

#include "json_writer.hpp"

namespace jute::command {

/// An object of all fields; the items of a list lose their names.
[[nodiscard]] Json to_json(const Fields& fields);

}  // namespace jute::command
