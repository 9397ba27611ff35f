// Texts, expressions and layouts of the C interface.
#include <jute/base/refuse.hpp>
#include <jute/expr/eval.hpp>

#include <utility>
#include <variant>

#include "c/objects.hpp"

namespace jute::c {
namespace {

ComposedLayout layout_of(std::string_view text) {
  const Value value = eval(text);
  if (const auto* plain = std::get_if<Layout>(&value)) return *plain;
  if (const auto* composed = std::get_if<ComposedLayout>(&value)) return *composed;
  if (const auto* shape = std::get_if<IntTuple>(&value)) return Layout(*shape);
  jute::refuse(
      ErrorCode::wrong_type, "layout", std::string(text),
      "it must be a layout, plain or behind a swizzle, and not " + std::string(kind_name(value)));
}

template <class Fact>
int32_t layout_fact(const jute_layout* layout, int64_t* place, const char* name, Fact fact) {
  return guarded([&] {
    require(place, name);
    *place = fact(object_of(layout).layout);
  });
}

Index offset_at(const ComposedLayout& layout, Index index) {
  if (0 <= index && index < size(layout)) return layout(index);
  jute::refuse(ErrorCode::out_of_range, "index", std::to_string(index),
               "it must be from 0 to less than the layout's size, " + std::to_string(size(layout)));
}

}  // namespace
}  // namespace jute::c

using namespace jute;
using namespace jute::c;

const char* jute_text_data(const jute_text* text) {
  return guarded_text([&] { return object_of(text).text.c_str(); });
}
size_t jute_text_size(const jute_text* text) {
  size_t bytes = 0;
  (void)guarded([&] { bytes = object_of(text).text.size(); });
  return bytes;
}
int32_t jute_text_free(jute_text* text) {
  return guarded([&] { free_handle(text); });
}

int32_t jute_eval(const char* expression, jute_text** value) {
  return guarded([&] {
    expect(value, "value");
    const std::string_view text = required_text(expression, "expression");
    give(value, std::make_shared<TextObject>(TextObject{to_string(eval(text))}));
  });
}

int32_t jute_layout_create(const char* text, jute_layout** layout) {
  return guarded([&] {
    expect(layout, "layout");
    ComposedLayout made = layout_of(required_text(text, "text"));
    std::string canonical = to_string(made);
    give(layout,
         std::make_shared<LayoutObject>(LayoutObject{std::move(made), std::move(canonical)}));
  });
}
int32_t jute_layout_free(jute_layout* layout) {
  return guarded([&] { free_handle(layout); });
}
const char* jute_layout_text(const jute_layout* layout) {
  return guarded_text([&] { return object_of(layout).text.c_str(); });
}

int32_t jute_layout_size(const jute_layout* layout, int64_t* elements) {
  return layout_fact(layout, elements, "size", [](const auto& of) { return size(of); });
}
int32_t jute_layout_cosize(const jute_layout* layout, int64_t* reach) {
  return layout_fact(layout, reach, "cosize", [](const auto& of) { return cosize(of); });
}
int32_t jute_layout_rank(const jute_layout* layout, int64_t* modes) {
  return layout_fact(layout, modes, "rank", [](const auto& of) { return Index{of.rank()}; });
}
int32_t jute_layout_offset(const jute_layout* layout, int64_t index, int64_t* offset) {
  return layout_fact(layout, offset, "offset",
                     [&](const auto& of) { return offset_at(of, index); });
}

int32_t jute_layout_offsets(const jute_layout* layout, int64_t* offsets, size_t count) {
  return guarded([&] {
    const ComposedLayout& of = object_of(layout).layout;
    require_list(offsets, count, "offsets");
    if (count > 0) (void)offset_at(of, static_cast<Index>(count - 1));
    for (size_t i = 0; i < count; ++i) offsets[i] = of(static_cast<Index>(i));
  });
}
