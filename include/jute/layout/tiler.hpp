#pragma once
// What composition, division and product take on the right: an extent, a layout, or one a mode.
#include <jute/base/export.hpp>
#include <jute/layout/layout.hpp>

namespace JUTE_API jute {

/// A regular value. Extents select consecutive elements (`8` means `8:1`), a layout selects with a
/// stride, `_` leaves its mode alone, a tuple tiles mode by mode.
class Tiler {
 public:
  enum class Kind : std::uint8_t { extent, layout, wildcard, tuple };

  Tiler(Index extent);                         // NOLINT: an integer is a tiler
  Tiler(int extent) : Tiler(Index{extent}) {}  // NOLINT: likewise
  Tiler(Layout layout);                        // NOLINT: a layout is a tiler
  /// Integers and wildcards, nested.   throws  wrong_type: a unit vector; out_of_range: an extent <
  /// 1
  Tiler(const IntTuple& shape);  // NOLINT: a shape is a tiler
  explicit Tiler(std::vector<Tiler> modes);
  /// "8", "(4,8)", "(4:1,_,(2,2):(1,8))"; a text with a top-level colon is a layout.
  explicit Tiler(std::string_view text);
  explicit Tiler(const char* text) : Tiler(std::string_view(text)) {}
  [[nodiscard]] static Tiler wildcard();

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] Index extent() const { return extent_; }                    ///< of an extent
  [[nodiscard]] const Layout& layout() const { return layout_; }            ///< of a layout
  [[nodiscard]] const std::vector<Tiler>& modes() const { return modes_; }  ///< of a tuple
  bool operator==(const Tiler&) const = default;

 private:
  Kind kind_ = Kind::wildcard;
  Index extent_ = 0;
  Layout layout_;
  std::vector<Tiler> modes_;
};

[[nodiscard]] std::string to_string(const Tiler& tiler);
std::ostream& operator<<(std::ostream& out, const Tiler& tiler);

}  // namespace jute
