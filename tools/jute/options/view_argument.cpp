// Views as words and tables.
#include "options/view_argument.hpp"

#include <jute/base/error.hpp>
#include <jute/base/nearest_name.hpp>
#include <jute/plan/ask/problem.hpp>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "tree/command_tree.hpp"

namespace jute::command {
namespace {

constexpr std::string_view kOpening = "view[";

Index count_of(const std::vector<ViewMode>& modes) {
  Index count = 1;
  for (const ViewMode& mode : modes) count *= mode.extent;
  return count;
}

/// `rows 32: 8 steps of 24; 4 steps of 1000`.
std::string steps_of(const char* name, const std::vector<ViewMode>& modes, bool has_box) {
  if (modes.empty()) return {};
  std::string text;
  for (const ViewMode& mode : modes) {
    text += (text.empty() ? "" : "; ") + std::to_string(mode.extent) + " steps of " +
            std::to_string(mode.stride);
    if (has_box) text += " along dimension " + std::to_string(mode.axis);
  }
  return std::string(name) + " " + std::to_string(count_of(modes)) + ": " + text + ".\n";
}

/// The operand A that lies so, in the fewest words.
Problem problem_of(const View& view, const ViewModes& modes) {
  Problem problem{.m = count_of(modes.rows),
                  .n = 1,
                  .k = count_of(modes.columns),
                  .batch = count_of(modes.batch)};
  problem.a.view = view;
  return completed(problem);
}

std::string box_of(const ViewModes& modes) {
  std::string text = "Its box has";
  for (std::size_t i = 0; i < modes.box.size(); ++i)
    text += (i == 0 ? " " : ", ") + std::to_string(modes.box[i].extent) + " places " +
            std::to_string(modes.box[i].stride) + " elements apart";
  return text + "; outside of it " +
         (modes.outside == OutsideBox::zero ? "are zeros" : "nothing lies") + ".\n";
}

/// Numbers of the bracketed list that begins at or behind the place, which is moved past it.
std::optional<std::vector<std::string>> list_at(const std::string& text, std::size_t& at) {
  const std::size_t open = text.find_first_of("([", at);
  const std::size_t close = open == text.npos ? open : text.find_first_of(")]", open);
  if (close == text.npos) return std::nullopt;
  std::vector<std::string> numbers(1);
  for (std::size_t i = open + 1; i < close; ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c == '(' || c == '[') {
      numbers.assign(1, "");
    } else if (std::isdigit(c) != 0) {
      numbers.back() += text[i];
    } else if (c == ',') {
      numbers.emplace_back();
    } else if (c != ' ') {
      return std::nullopt;
    }
  }
  if (numbers.size() > 1 && numbers.back().empty()) numbers.pop_back();  // (5,)
  at = close + 1;
  if (std::ranges::any_of(numbers, &std::string::empty)) return std::nullopt;
  return numbers;
}

}  // namespace

std::optional<View> view_in(const std::string& text) {
  if (text.starts_with(kOpening) && text.ends_with("]"))
    return parse_view(text.substr(kOpening.size(), text.size() - kOpening.size() - 1));
  if (text.find(';') == text.npos) return std::nullopt;
  return parse_view(text);
}

std::string in_own_words(const std::string& text) {
  const bool is_torch =
      text.starts_with("torch.Size") || text.starts_with("size=") || text.starts_with("shape=");
  if (!is_torch) return text;
  std::size_t at = 0;
  const auto extents = list_at(text, at);
  if (!extents) return text;
  if (text.find(')', at) != text.npos && text[at] == ')') ++at;  // of torch.Size([…])
  const auto strides = list_at(text, at);
  if (!strides || strides->size() != extents->size()) return text;
  return "(" + joined(*extents, ",") + "):(" + joined(*strides, ",") + ")";
}

std::string explained(const View& view) {
  const ViewModes modes = modes_of(view);
  const Problem problem = problem_of(view, modes);
  const bool has_box = !view.box.empty();
  std::string text = to_string(view) + "\n" + steps_of("rows", modes.rows, has_box) +
                     steps_of("columns", modes.columns, has_box) +
                     steps_of("matrices", modes.batch, has_box);
  if (has_box) text += box_of(modes);
  text += "It names elements 0…" + std::to_string(span_elems(view) - 1) + " of memory.\n";
  const Matrix& shortest = problem.a;
  if (shortest.view) return text + "In the fewest words it is " + to_string(*shortest.view) + ".\n";
  return text + "It is a matrix by " + (shortest.order == Order::row ? "rows" : "columns") + ", " +
         std::to_string(shortest.ld_elems) + " elements from one to the next.\n";
}

Picture view_picture(const View& view) {
  const ViewModes modes = modes_of(view);
  (void)problem_of(view, modes);  // is it one?
  const Index rows = count_of(modes.rows), columns = count_of(modes.columns);
  if (rows * columns > kMostPictureCells)
    refuse(
        ErrorCode::out_of_range, "view", std::to_string(rows) + "x" + std::to_string(columns),
        "a View must have at most " + std::to_string(kMostPictureCells) + " elements to be drawn");
  PicturePanel panel{.rows = static_cast<int>(rows), .columns = static_cast<int>(columns)};
  constexpr Index kColors = 32;
  const Index span = std::max(span_elems(view), kColors);
  for (Index row = 0; row < rows; ++row)
    for (Index column = 0; column < columns; ++column) {
      PictureCell& cell = panel.cells.emplace_back();
      cell.offset = modes.element(row, column, 0);
      cell.text = cell.offset ? std::to_string(*cell.offset) : ".";
      if (cell.offset) cell.color = static_cast<int>(*cell.offset * kColors / span);
    }
  return {.title = to_string(view), .panels = {std::move(panel)}};
}

namespace {

/// A swizzle over the offsets after which it repeats, where these are few.
std::optional<std::string> behind(const Swizzle& swizzle) {
  const int bits = swizzle.base() + swizzle.bits() + std::abs(swizzle.shift());
  if (bits > 16) return std::nullopt;
  return to_string(ComposedLayout(swizzle, 0, Layout(IntTuple(Index{1} << bits))));
}

}  // namespace

void refuse_kind(const std::string& text, const Value& value, const std::string& rule) {
  const auto* swizzle = std::get_if<Swizzle>(&value);
  refuse(ErrorCode::wrong_type, std::string(kind_name(value)), text, rule,
         swizzle == nullptr ? std::nullopt : behind(*swizzle));
}

}  // namespace jute::command
