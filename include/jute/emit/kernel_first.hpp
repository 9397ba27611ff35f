#pragma once
// A kernel's text in the order in which one reads it.
#include <jute/base/export.hpp>

#include <string>

namespace JUTE_API jute {

/// The text of one kernel with its parts in this order: types and numbers; the functions that the
/// kernel calls, by their signatures alone; the kernel; all functions. What the kernel does not
/// reach is left out, comments of groups with their last member. Pieces are chosen one by one, and
/// nobody but the whole text knows what of them is called.
///   gives  the text as it is where its parts cannot be told apart: it has no kernel, or several
[[nodiscard]] std::string kernel_first(const std::string& text);

}  // namespace jute
