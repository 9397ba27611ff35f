#pragma once
// Declarations as the heads of pieces and the text itself write them.
#include <jute/emit/interface.hpp>

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace jute::emit {

/// The names that typedefs have given to types so far.
using Aliases = std::map<std::string, std::string, std::less<>>;

/// `int kStages, kTileK; void wait_for(unsigned, int); type Pipe`
///   throws  illegal_template: `piece` cannot be read
[[nodiscard]] std::vector<Declaration> parse_declarations(std::string_view list,
                                                          const Aliases& aliases,
                                                          std::string_view piece);

/// The names that a line of code declares for lines behind it: constants, types, functions of the
/// device.
[[nodiscard]] std::vector<Declaration> declarations_of(std::string_view line,
                                                       const Aliases& aliases);
/// The names that a line of a kernel's parameter list declares.
[[nodiscard]] std::vector<Declaration> parameter_of(std::string_view line, const Aliases& aliases);

/// Takes the line in if it is a typedef.
void learn_alias(std::string_view line, Aliases& aliases);

[[nodiscard]] std::string_view trimmed(std::string_view text);

}  // namespace jute::emit
