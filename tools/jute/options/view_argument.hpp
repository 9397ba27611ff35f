#pragma once
// Layouts and Views as arguments, in words of jute's or of others.
#include <jute/draw/picture.hpp>
#include <jute/expr/value.hpp>
#include <jute/plan/ask/view.hpp>

#include <optional>
#include <string>

namespace jute::command {

/// The View of `view[…]`, or of a text with `;box=` and the like behind its layout; none of others.
///   throws  what parse_view throws
[[nodiscard]] std::optional<View> view_in(const std::string& text);

/// jute's words for a shape and strides as torch prints them: `torch.Size([2, 3]), (3, 1)` or
/// `size=(2, 3) stride=(3, 1)` is `(2,3):(3,1)`. Others stay as they are.
[[nodiscard]] std::string in_own_words(const std::string& text);

/// The meaning of a View, a sentence a line.
[[nodiscard]] std::string explained(const View& view);
/// The elements of its first matrix; `.` where zero stands for one.
///   throws  out_of_range: more than kMostPictureCells of them
[[nodiscard]] Picture view_picture(const View& view);

/// Offers, for a swizzle alone, a layout behind it.
///   throws  wrong_type
[[noreturn]] void refuse_kind(const std::string& text, const Value& value, const std::string& rule);

}  // namespace jute::command
