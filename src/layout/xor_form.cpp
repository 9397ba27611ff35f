// Layouts over power-of-two domains as matrices over bits.
#include <jute/layout/algebra.hpp>
#include <jute/layout/detail/refusal.hpp>
#include <jute/layout/xor_form.hpp>

#include <bit>
#include <cstdio>
#include <cstdlib>

#include "layout/flat_modes.hpp"

namespace jute {

namespace {

constexpr Index kLimit = Index{1} << 62;

int width_of(Index value) { return 64 - std::countl_zero(static_cast<std::uint64_t>(value)); }

int offset_bits(const XorForm& form) {
  Index all = form.constant;
  for (const Index column : form.columns) all |= column;
  return width_of(all);
}

/// A column that elimination has reduced to its own leading bit, and the columns that make it up.
struct Pivot {
  Index vector = 0;
  int bit = 0;
  Index made_of = 0;
};

/// Gauss-Jordan elimination of the columns over bits: no pivot's bit occurs in another's vector.
std::vector<Pivot> eliminate(const XorForm& form) {
  std::vector<Pivot> pivots;
  for (int b = 0; b < form.bits(); ++b) {
    Pivot next{form.columns[static_cast<std::size_t>(b)], 0, Index{1} << b};
    for (const Pivot& pivot : pivots) {
      if ((next.vector >> pivot.bit & 1) == 0) continue;
      next.vector ^= pivot.vector;
      next.made_of ^= pivot.made_of;
    }
    if (next.vector == 0) continue;
    next.bit = width_of(next.vector) - 1;
    for (Pivot& pivot : pivots) {
      if ((pivot.vector >> next.bit & 1) == 0) continue;
      pivot.vector ^= next.vector;
      pivot.made_of ^= next.made_of;
    }
    pivots.push_back(next);
  }
  return pivots;
}

/// The map that sends each pivot's bit to the columns that make it up, and other bits to 0.
XorForm inverse_from(const XorForm& form, const std::vector<Pivot>& pivots) {
  XorForm inverse;
  inverse.columns.assign(static_cast<std::size_t>(offset_bits(form)), 0);
  for (const Pivot& pivot : pivots) {
    inverse.columns[static_cast<std::size_t>(pivot.bit)] = pivot.made_of;
  }
  inverse.constant = inverse(form.constant);
  return inverse;
}

/// The columns and the constant before the swizzle; nothing where digits carry.
std::optional<XorForm> digit_form(const ComposedLayout& layout) {
  const layout::LayoutView view = layout.layout().view();
  if (view.paths != nullptr) return std::nullopt;
  XorForm form;
  form.constant = layout.offset();
  Index flipped = 0;  // XOR of the columns of modes that run backwards
  Index occupied = 0;
  for (int i = 0; i < view.leaves; ++i) {
    const Index extent = view.shape[i];
    const Index stride = std::abs(view.stride[i]);
    if (!std::has_single_bit(static_cast<std::uint64_t>(extent))) return std::nullopt;
    if (stride != 0 && (extent > kLimit / stride || view.stride[i] < -kLimit)) return std::nullopt;
    // A backward mode counts down from its far end: start there and flip its bits.
    if (view.stride[i] < 0) form.constant -= stride * (extent - 1);
    for (Index digit = 1; digit < extent; digit *= 2) {
      const Index column = digit * stride;
      if ((occupied & column) != 0) return std::nullopt;
      occupied |= column;
      if (view.stride[i] < 0) flipped ^= column;
      form.columns.push_back(column);
    }
  }
  if (form.constant < 0 || form.constant > kLimit || (form.constant & occupied) != 0) {
    return std::nullopt;
  }
  form.constant ^= flipped;
  return form;
}

XorForm required_form(const ComposedLayout& layout, const char* operand) {
  std::optional<XorForm> form = xor_form(layout);
  if (!form) {
    layout::refuse(
        ErrorCode::not_compatible, operand, to_string(layout),
        "the layout must be linear over bits: extents are powers of two and the offsets of "
        "its digits share no bit");
  }
  return *std::move(form);
}

/// The layout offset ∘ (2,2,…) behind a swizzle, if no two columns share a bit before it. A column
/// that the offset already holds is taken away from it by a negative stride.
std::optional<ComposedLayout> behind(const Swizzle& swizzle, const XorForm& form) {
  const Index offset = swizzle(form.constant);
  Index occupied = 0;
  LayoutBuilder builder;
  builder.open();
  for (const Index image : form.columns) {
    const Index column = swizzle(image);
    const Index held = offset & column;
    if (column < 0 || (occupied & column) != 0 || (held != 0 && held != column)) {
      return std::nullopt;
    }
    occupied |= column;
    builder.leaf(2, held != 0 ? -column : column);
  }
  builder.close();
  return ComposedLayout(swizzle, offset, coalesce(builder.take()));
}

}  // namespace

Index XorForm::operator()(Index coordinate) const {
  Index offset = constant;
  for (auto bits = static_cast<std::uint64_t>(coordinate); bits != 0; bits &= bits - 1) {
    offset ^= columns[static_cast<std::size_t>(std::countr_zero(bits))];
  }
  return offset;
}

std::optional<XorForm> xor_form(const ComposedLayout& layout) {
  std::optional<XorForm> form = digit_form(layout);
  if (!form) return std::nullopt;
  const Swizzle& swizzle = layout.swizzle();
  form->constant = swizzle(form->constant);
  for (Index& column : form->columns) column = swizzle(column);
  return form;
}

XorForm composition(const XorForm& outer, const XorForm& inner) {
  if (offset_bits(inner) > outer.bits()) {
    layout::refuse(ErrorCode::out_of_range, "inner", std::to_string(offset_bits(inner)) + " bits",
                   "its offsets must have at most the " + std::to_string(outer.bits()) +
                       " bits that the outer form takes",
                   std::to_string(outer.bits()) + " bits");
  }
  XorForm result;
  result.constant = outer(inner.constant);
  for (const Index column : inner.columns) {
    result.columns.push_back(outer(column) ^ outer.constant);
  }
  return result;
}

int dimension(const XorForm& form) { return static_cast<int>(eliminate(form).size()); }

bool is_injective(const XorForm& form) { return dimension(form) == form.bits(); }

XorForm left_inverse(const XorForm& form) {
  const std::vector<Pivot> pivots = eliminate(form);
  if (static_cast<int>(pivots.size()) != form.bits()) {
    layout::refuse(ErrorCode::not_injective, "form", std::to_string(pivots.size()),
                   "all " + std::to_string(form.bits()) + " columns must be linearly independent",
                   std::to_string(form.bits()));
  }
  return inverse_from(form, pivots);
}

XorForm right_inverse(const XorForm& form) {
  const std::vector<Pivot> pivots = eliminate(form);
  if (static_cast<int>(pivots.size()) != offset_bits(form)) {
    layout::refuse(
        ErrorCode::not_compatible, "form", std::to_string(pivots.size()),
        "the columns must reach all " + std::to_string(offset_bits(form)) + " bits of the offsets",
        std::to_string(offset_bits(form)));
  }
  return inverse_from(form, pivots);
}

XorForm conversion(const ComposedLayout& from, const ComposedLayout& to) {
  const XorForm source = required_form(from, "from");
  const XorForm target = required_form(to, "to");
  if (source.bits() != target.bits()) {
    layout::refuse(ErrorCode::not_compatible, "to", to_string(to),
                   "both layouts must have one size, here " + std::to_string(size(from)),
                   std::to_string(size(from)));
  }
  if (!is_injective(source)) {
    layout::refuse(
        ErrorCode::not_injective, "from", to_string(from),
        "every coordinate must have an offset of its own, so that it tells where an element lies");
  }
  return composition(target, left_inverse(source));
}

std::optional<ComposedLayout> to_layout(const XorForm& form) {
  if (auto plain = behind(Swizzle(), form)) return plain;
  const int width = offset_bits(form);
  for (int bits = 1; 2 * bits <= width; ++bits) {
    for (int base = 0; base + 2 * bits <= width; ++base) {
      for (int shift = bits; base + bits + shift <= width; ++shift) {
        for (const int sign : {1, -1}) {
          if (auto found = behind(Swizzle(bits, base, sign * shift), form)) return found;
        }
      }
    }
  }
  return std::nullopt;
}

std::string to_string(const XorForm& form) {
  const auto hex = [](Index value) {
    char digits[24];
    std::snprintf(digits, sizeof(digits), "0x%llx", static_cast<unsigned long long>(value));
    return std::string(digits);
  };
  std::string text = "constant -> " + hex(form.constant) + "\n";
  for (int b = 0; b < form.bits(); ++b) {
    text +=
        "bit " + std::to_string(b) + " -> " + hex(form.columns[static_cast<std::size_t>(b)]) + "\n";
  }
  return text;
}

}  // namespace jute
