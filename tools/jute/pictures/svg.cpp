// SVG text of a few shapes.
#include "pictures/svg.hpp"

#include "files/html_text.hpp"
#include "tree/numbers.hpp"

namespace jute::bench {
namespace {

std::string attribute(const std::string& name, const std::string& value) {
  return " " + name + "=\"" + value + "\"";
}
std::string attribute(const std::string& name, double value) {
  return attribute(name, fixed(value, 1));
}

const char* name(Anchor anchor) {
  if (anchor == Anchor::middle) return "middle";
  return anchor == Anchor::end ? "end" : "start";
}

}  // namespace

Svg::Svg(double width, double height) {
  body_ = "<svg xmlns=\"http://www.w3.org/2000/svg\"" + attribute("width", width) +
          attribute("height", height) +
          " font-family=\"sans-serif\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
}

void Svg::rectangle(Point corner, double width, double height, const std::string& fill) {
  body_ += "<rect" + attribute("x", corner.x) + attribute("y", corner.y) +
           attribute("width", width) + attribute("height", height) + attribute("fill", fill) +
           "/>\n";
}

void Svg::box(Point corner, double width, double height, const std::string& fill,
              const std::string& title) {
  body_ += "<rect" + attribute("x", corner.x) + attribute("y", corner.y) +
           attribute("width", width) + attribute("height", height) + attribute("fill", fill) +
           " stroke=\"#57606a\" stroke-width=\"0.5\"><title>" + command::escaped(title) +
           "</title></rect>\n";
}

void Svg::line(Point from, Point to, const std::string& stroke, const std::string& dashes) {
  body_ += "<line" + attribute("x1", from.x) + attribute("y1", from.y) + attribute("x2", to.x) +
           attribute("y2", to.y) + attribute("stroke", stroke);
  if (!dashes.empty()) body_ += attribute("stroke-dasharray", dashes);
  body_ += "/>\n";
}

void Svg::dot(Point center, const std::string& fill, const std::string& stroke,
              const std::string& title) {
  body_ += "<circle" + attribute("cx", center.x) + attribute("cy", center.y) + attribute("r", 4.0) +
           attribute("fill", fill) + attribute("stroke", stroke) + "><title>" +
           command::escaped(title) + "</title></circle>\n";
}

void Svg::text(Point at, const std::string& words, Anchor anchor, const std::string& fill,
               int size) {
  body_ += "<text" + attribute("x", at.x) + attribute("y", at.y) +
           attribute("font-size", std::to_string(size)) + attribute("fill", fill) +
           attribute("text-anchor", name(anchor)) + ">" + command::escaped(words) + "</text>\n";
}

std::string Svg::document() const { return body_ + "</svg>\n"; }

}  // namespace jute::bench
