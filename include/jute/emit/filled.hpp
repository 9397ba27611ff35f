#pragma once
// Texts with named holes, filled: what pieces of kernels and other generated files are made by.
#include <jute/base/export.hpp>

#include <map>
#include <string>
#include <string_view>

namespace JUTE_API jute {

/// A text and what messages call it.
struct TemplateText {
  std::string_view path, text;
};
using HoleValues = std::map<std::string, std::string, std::less<>>;

/// The text with a value in each `${name}`, and in the place of each line that holds only `$[name]`
/// lines indented to its column, or nothing.
///   throws  illegal_template: a hole that `values` has nothing for, or that is not closed
[[nodiscard]] std::string filled(const TemplateText& given, const HoleValues& values);

}  // namespace jute
