// Views as text, and texts as Views.
#include <jute/base/nearest_name.hpp>
#include <jute/base/refuse.hpp>
#include <jute/plan/ask/view.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include "base/format.hpp"

namespace jute {
namespace plan {
namespace {

std::string tuple_text(const std::vector<Index>& numbers) {
  std::string text;
  for (const Index number : numbers) text += (text.empty() ? "" : ",") + std::to_string(number);
  return "(" + text + ")";
}

std::vector<Index> leaves_of(const layout::TupleView& tuple) {
  return {tuple.values, tuple.values + tuple.leaves};
}

void read_box(View& view, std::string_view text) {
  const Layout box(text);
  if (!box.is_plain())
    refuse(ErrorCode::wrong_type, "box", std::string(text),
           "strides of a box must be numbers of elements");
  const std::vector<Index> extents = box.flat_shape(), strides = box.flat_stride();
  view.box.clear();
  for (std::size_t i = 0; i < extents.size(); ++i) view.box.push_back({extents[i], strides[i]});
}

void read_origin(View& view, std::string_view text) {
  const IntTuple origin{std::string(text)};
  if (!origin.is_plain())
    refuse(ErrorCode::wrong_type, "origin", std::string(text), "an origin must be numbers");
  view.origin = leaves_of(origin.view());
}

void read_outside(View& view, std::string_view text) {
  if (text == "zero" || text == "inside") {
    view.outside = text == "zero" ? OutsideBox::zero : OutsideBox::promised_inside;
    return;
  }
  refuse(ErrorCode::unknown_name, "outside", std::string(text),
         "what lies outside the box must be zero, or inside: nothing", "zero");
}

void read_numbers(View& view, std::string_view text) {
  if (text == "run-time" || text == "literal") {
    view.numbers = text == "literal" ? ViewNumbers::literal : ViewNumbers::run_time;
    return;
  }
  refuse(ErrorCode::unknown_name, "numbers", std::string(text),
         "a View's numbers must be literal, or run-time: each run's", "run-time");
}

/// A word behind a semicolon of a View's text.
struct ViewWord {
  std::string_view name;
  void (*read)(View&, std::string_view);
};
constexpr std::array kViewWords{ViewWord{"box", read_box}, ViewWord{"origin", read_origin},
                                ViewWord{"outside", read_outside},
                                ViewWord{"numbers", read_numbers}};

void read_word(View& view, std::string_view word, std::size_t& value_at) {
  const std::size_t equals = std::min(word.find('='), word.size());
  const std::string_view name = word.substr(0, equals);
  const auto row = std::ranges::find(kViewWords, name, &ViewWord::name);
  static const std::vector<std::string> known{"box", "origin", "outside", "numbers"};
  if (row == kViewWords.end())
    refuse(ErrorCode::unknown_name, "view", std::string(name),
           "behind a View's layout must stand box=, origin=, outside= or numbers=",
           nearest_name(name, known));
  value_at += std::min(equals + 1, word.size());
  row->read(view, word.substr(std::min(equals + 1, word.size())));
}

/// The text without blanks, which mean nothing in it, and where each character stood.
struct Unspaced {
  std::string text;
  std::vector<std::size_t> at;
};
Unspaced unspaced(std::string_view text) {
  Unspaced result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ' ' || text[i] == '\t') continue;
    result.text.push_back(text[i]);
    result.at.push_back(i);
  }
  result.at.push_back(text.size());
  return result;
}

}  // namespace
}  // namespace plan

std::string to_string(const View& view) {
  std::string text = to_string(view.coordinates);
  if (!view.box.empty()) {
    std::vector<Index> extents, strides;
    for (const BoxMode& mode : view.box) {
      extents.push_back(mode.extent);
      strides.push_back(mode.stride);
    }
    text += ";box=" + plan::tuple_text(extents) + ":" + plan::tuple_text(strides);
  }
  if (!view.origin.empty()) text += ";origin=" + plan::tuple_text(view.origin);
  if (view.outside == OutsideBox::zero) text += ";outside=zero";
  return view.numbers == ViewNumbers::run_time ? text + ";numbers=run-time" : text;
}

View parse_view(std::string_view spaced) {
  const plan::Unspaced unspaced = plan::unspaced(spaced);
  const std::string_view text = unspaced.text;
  View view;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(';', at), text.size());
    std::size_t value_at = at;
    try {
      if (at == 0)
        view.coordinates = Layout(text.substr(0, end));
      else
        plan::read_word(view, text.substr(at, end - at), value_at);
    } catch (const Exception& exception) {
      Error error = exception.error();
      const std::size_t inside =
          error.position ? static_cast<std::size_t>(error.position->column - 1) : 0;
      const std::size_t column = unspaced.at[std::min(value_at + inside, text.size())];
      error.position = SourcePosition{1, static_cast<int>(column) + 1};
      throw Exception(std::move(error));
    }
    at = end + 1;
  }
  return view;
}

}  // namespace jute
