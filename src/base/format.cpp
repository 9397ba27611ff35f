// The one file that holds {fmt}'s formatting code.
#define FMT_HEADER_ONLY
#include <fmt/format.h>

#include "base/format.hpp"

namespace jute::base {

std::string vformat(fmt::string_view text, fmt::format_args values) {
  return fmt::vformat(text, values);
}

}  // namespace jute::base
