#pragma once
// Numbers of host code, and what its operators and functions make of them.
#include <jute/program/number_type.hpp>

#include <optional>
#include <string_view>
#include <vector>

#include "program/host_value.hpp"

namespace jute::program {

[[nodiscard]] std::optional<double> as_double(const HostValue& value);
/// `1'024`, `0x10u`, `1e-3f`.
[[nodiscard]] HostValue number_of(std::string_view text);
/// `left MARK right`.
[[nodiscard]] HostValue operated(std::string_view mark, const HostValue& left,
                                 const HostValue& right);
/// A number as an integer or a floating-point type holds it; an address stays one.
[[nodiscard]] HostValue converted(const HostValue& value, const NumberType& type);
/// `ceil`, `min`, … of the standard library.
[[nodiscard]] HostValue known_function(std::string_view name,
                                       const std::vector<HostValue>& arguments);

}  // namespace jute::program
