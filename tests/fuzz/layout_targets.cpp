// The laws that fuzzed inputs are held to.
#include "fuzz/targets.hpp"

#include "fuzz/input_bytes.hpp"

#include <jute/expr/eval.hpp>
#include <jute/layout/algebra.hpp>
#include <jute/layout/cast.hpp>
#include <jute/layout/chained_layout.hpp>
#include <jute/layout/coordinates.hpp>
#include <jute/layout/equivalent.hpp>
#include <jute/layout/modes.hpp>

#include <stdexcept>
#include <string>
#include <variant>

namespace jute::test {

namespace {

Layout layout_of(InputBytes& bytes) {
  static constexpr Index kStrides[] = {0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 96, 128, -1, -4};
  LayoutBuilder builder;
  builder.open();
  int depth = 1;
  for (int leaves = 1 + bytes.below(5); leaves > 0; --leaves) {
    if (depth < 4 && bytes.below(4) == 0) {
      builder.open();
      ++depth;
    }
    builder.leaf(1 + bytes.below(8), kStrides[bytes.below(16)]);
    if (depth > 1 && bytes.below(3) == 0) {
      builder.close();
      --depth;
    }
  }
  for (; depth > 0; --depth) builder.close();
  return builder.take();
}

void check_composition(const Layout& a, const Layout& b) {
  const Layout r = composition(a, b);
  require_law(size(r) == size(b), "composition changes the size");
  bool inside = cosize(b) <= size(a);
  for (const Index stride : b.flat_stride()) inside = inside && stride >= 0;
  for (Index i = 0; inside && i < size(b); ++i) {
    require_law(r(i) == a(b(i)), to_string(a) + " o " + to_string(b) + " = " + to_string(r));
  }
}

void check_inverse(const Layout& a) {
  const Layout r = right_inverse(a);
  for (Index i = 0; i < size(r); ++i) {
    require_law(a(r(i)) == i, "right inverse of " + to_string(a) + " is " + to_string(r));
  }
}

/// A swizzle before a layout: composition, slices and inverses as functions.
void check_swizzled(const Layout& a, const Layout& b) {
  const int bits = 1 + static_cast<int>(size(b) % 3);
  const ComposedLayout swizzled(Swizzle(bits, static_cast<int>(cosize(b) % 3), bits), 0, a);
  const ComposedLayout composed = composition(swizzled, Tiler(b));
  bool inside = cosize(b) <= size(a);
  for (const Index stride : b.flat_stride()) inside = inside && stride >= 0;
  for (Index i = 0; inside && i < size(b); ++i) {
    require_law(composed(i) == swizzled(b(i)), to_string(swizzled) + " o " + to_string(b));
  }
  require_law(equivalent(coalesce(swizzled), swizzled), "coalescing " + to_string(swizzled));
  const InverseLayout inverse = left_inverse(swizzled);
  for (Index i = 0; i < size(a); ++i) {
    const Index back = std::visit([&](const auto& r) { return r(swizzled(i)); }, inverse);
    require_law(back == i, "left inverse of " + to_string(swizzled));
  }
}

void check_cast(const Layout& a) {
  require_law(equivalent(upcast(downcast(a, 2), 2), a), "halving and doubling " + to_string(a));
}

void check_division(const Layout& a, const Layout& b) {
  const Layout zipped = zipped_divide(a, Tiler(b));
  require_law(zipped == tile_unzip(logical_divide(a, Tiler(b)), Tiler(b)),
              to_string(a) + " zipped by " + to_string(b));
}

void check_text(const Layout& a) {
  require_law(Layout(to_string(a)) == a, to_string(a) + " does not parse back");
  require_law(equivalent(a, coalesce(a)), "coalescing changes " + to_string(a));
}

/// One operation on the layouts at hand; its result takes the place of the first.
Layout operate(int operation, const Layout& a, const Layout& b) {
  switch (operation) {
    case 0:
      check_composition(a, b);
      return composition(a, b);
    case 1:
      return complement(a, IntTuple(size(a) * 4));
    case 2:
      return logical_divide(a, Tiler(b));
    case 3:
      return zipped_divide(a, Tiler(b.shape()));
    case 4:
      return logical_product(a, b);
    case 5:
      return blocked_product(a, b);
    case 6:
      check_inverse(a);
      return right_inverse(a);
    case 7:
      return left_inverse(a);
    case 8:
      return flatten(a);
    case 9:
      return tile_to_shape(a, b.shape());
    case 10:
      return make_layout({a, b});
    case 11:
      check_swizzled(a, b);
      return a;
    case 12:
      check_cast(a);
      return downcast(a, 2);
    case 13:
      check_division(a, b);
      return zip(make_layout({a, b}));
    case 14:
      return group(a, 0, a.rank() / 2 + 1);
    case 15:
      return make_layout_like(a);
    default:
      return filter(a);
  }
}

}  // namespace

void fuzz_text(std::span<const std::uint8_t> bytes) {
  const std::string text(bytes.begin(), bytes.end());
  const LineResult result = eval_line(text);
  require_law(result.text.find('\n') == std::string::npos, "a result of more than one line");
  if (!result.ok || result.text.starts_with("0x")) return;
  const LineResult again = eval_line(result.text);
  const bool truth = result.text == "true" || result.text == "false";
  require_law(truth || again == result, result.text + " reads back as " + again.text);
}

void fuzz_operations(std::span<const std::uint8_t> input) {
  constexpr Index kLargest = 4096;
  InputBytes bytes(input);
  Layout a = layout_of(bytes);
  while (!bytes.done()) {
    const int operation = bytes.below(17);
    const Layout b = layout_of(bytes);
    try {
      Layout next = operate(operation, a, b);
      check_text(next);
      if (size(next) <= kLargest && next.view().leaves < 64) a = std::move(next);
    } catch (const Exception&) {
      continue;  // a refusal is an answer
    }
  }
}

}  // namespace jute::test
