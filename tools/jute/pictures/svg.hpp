#pragma once
// The few shapes that charts are made of.
#include <cstdint>
#include <string>

namespace jute::bench {

struct Point {
  double x = 0, y = 0;
};

/// Where a text stands relative to its point.
enum class Anchor : std::uint8_t { start, middle, end };

/// A self-contained SVG document in the making; lengths are pixels.
class Svg {
 public:
  Svg(double width, double height);

  void rectangle(Point corner, double width, double height, const std::string& fill);
  /// With a thin edge; resting on it shows its title.
  void box(Point corner, double width, double height, const std::string& fill,
           const std::string& title);
  void line(Point from, Point to, const std::string& stroke, const std::string& dashes = "");
  /// A dot; a ring where `fill` is "none". Resting on it shows its title.
  void dot(Point center, const std::string& fill, const std::string& stroke,
           const std::string& title);
  void text(Point at, const std::string& words, Anchor anchor = Anchor::start,
            const std::string& fill = "#222222", int size = 12);
  [[nodiscard]] std::string document() const;

 private:
  std::string body_;
};

}  // namespace jute::bench
