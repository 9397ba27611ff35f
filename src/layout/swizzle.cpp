// Swizzles and composed layouts: construction, reading, printing.
#include <jute/layout/detail/refusal.hpp>
#include <jute/layout/detail/text.hpp>
#include <jute/layout/swizzle.hpp>

#include <array>
#include <cstdlib>
#include <ostream>
#include <string>

namespace jute {

Swizzle::Swizzle(int bits, int base, int shift) : bits_(bits), base_(base), shift_(shift) {
  const auto broken = [&](const char* rule, std::optional<std::string> nearest) {
    layout::refuse(ErrorCode::out_of_range, "swizzle", to_string(*this), rule, std::move(nearest));
  };
  if (bits < 0) broken("the number of bits must not be negative", "Sw<0,0,0>");
  if (base < 0) broken("the base must not be negative", "Sw<0,0,0>");
  if (shift < -62 || shift > 62 || bits > 62 || base > 62 || bits + base + std::abs(shift) > 62) {
    broken("base + bits + |shift| must be at most 62", std::nullopt);
  }
  if (std::abs(shift) < bits) {
    broken("|shift| must be at least the number of bits",
           "Sw<" + std::to_string(bits) + "," + std::to_string(base) + "," +
               std::to_string(shift < 0 ? -bits : bits) + ">");
  }
}

namespace layout {

Swizzle read_swizzle_value(Cursor& cursor, std::string_view what) {
  const std::size_t start = cursor.at;
  std::array<Index, 3> numbers{};
  Fault fault{ErrorCode::syntax, "a swizzle must be written Sw<bits,base,shift>", start};
  cursor.skip_spaces();
  // As CuTe prints it in C++ and in Python, and as its type is written.
  for (const std::string_view name : {"Sw<", "S<", "Swizzle<"}) {
    if (!cursor.text.substr(cursor.at).starts_with(name)) continue;
    cursor.at += name.size() - 1;
    fault = read_swizzle(cursor, numbers);
    break;
  }
  for (const Index number : numbers) {
    if (number < -1000 || number > 1000) {
      fault = {ErrorCode::out_of_range, "the numbers of a swizzle must be small", start};
    }
  }
  if (fault.rule != nullptr) refuse_text(fault, what, cursor.text);
  return Swizzle(static_cast<int>(numbers[0]), static_cast<int>(numbers[1]),
                 static_cast<int>(numbers[2]));
}

}  // namespace layout

Swizzle::Swizzle(std::string_view text) {
  layout::Cursor cursor{text};
  *this = layout::read_swizzle_value(cursor, "swizzle");
  layout::expect_end(cursor, "swizzle");
}

ComposedLayout::ComposedLayout(std::string_view text) {
  layout::Cursor cursor{text};
  cursor.skip_spaces();
  if (cursor.peek() == 'S') {
    swizzle_ = layout::read_swizzle_value(cursor, "composed layout");
    layout::Fault fault{ErrorCode::syntax, "'o', an offset, 'o' and a layout follow the swizzle",
                        0};
    bool good = cursor.take('o');
    cursor.skip_spaces();
    if (cursor.peek() == '_') ++cursor.at;
    good = good && layout::read_integer(cursor, offset_).rule == nullptr && cursor.take('o');
    fault.column = cursor.at;
    if (!good) layout::refuse_text(fault, "composed layout", text);
  }
  layout_ = layout::read_layout(cursor, "composed layout");
  layout::expect_end(cursor, "composed layout");
}

Index size(const ComposedLayout& layout) { return size(layout.layout()); }
Index cosize(const ComposedLayout& layout) { return cosize(layout.layout()); }

std::string to_string(const Swizzle& swizzle) {
  std::string text = "Sw<";
  layout::write(swizzle.bits(), text);
  text += ',';
  layout::write(swizzle.base(), text);
  text += ',';
  layout::write(swizzle.shift(), text);
  return text += '>';
}

std::string to_string(const ComposedLayout& layout) {
  std::string text;
  if (layout.swizzle() != Swizzle() || layout.offset() != 0) {
    text = to_string(layout.swizzle()) + 'o';
    layout::write(layout.offset(), text);
    text += 'o';
  }
  layout::write(layout.layout().view(), text);
  return text;
}

std::ostream& operator<<(std::ostream& out, const Swizzle& swizzle) {
  return out << to_string(swizzle);
}
std::ostream& operator<<(std::ostream& out, const ComposedLayout& layout) {
  return out << to_string(layout);
}

}  // namespace jute

std::size_t std::hash<jute::Swizzle>::operator()(const jute::Swizzle& swizzle) const noexcept {
  return static_cast<std::size_t>((swizzle.bits() * 64 + swizzle.base()) * 128 + swizzle.shift());
}

std::size_t std::hash<jute::ComposedLayout>::operator()(
    const jute::ComposedLayout& layout) const noexcept {
  return std::hash<jute::Layout>{}(layout.layout()) * 31 +
         std::hash<jute::Swizzle>{}(layout.swizzle()) * 7 +
         static_cast<std::size_t>(layout.offset());
}
