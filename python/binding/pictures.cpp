// Pictures, as notebooks and files take them.
#include <jute/draw/arrange.hpp>
#include <jute/draw/picture.hpp>

#include <fstream>

#include "convert.hpp"
#include "module.hpp"

namespace jute::python {

using namespace nanobind::literals;

namespace {

std::string text_for(const Picture& picture, const std::string& path) {
  if (path.ends_with(".svg")) return to_svg(picture);
  if (path.ends_with(".html")) return to_html(picture);
  if (path.ends_with(".txt")) return to_text(picture);
  refuse(ErrorCode::unknown_name, "path", path, "it must end with .svg, .html or .txt",
         path + ".svg");
}

void save(const Picture& picture, nb::handle path) {
  const auto name = nb::cast<std::string>(nb::str(path));
  const std::string text = text_for(picture, name);
  std::ofstream file(name, std::ios::binary);
  if (!(file << text).flush())
    refuse(ErrorCode::unwritable, "path", name, "it must be a file that may be written");
}

}  // namespace

void add_pictures(nb::module_& core) {
  nb::class_<Picture>(core, "Picture",
                      "A picture of a layout or an atom; notebooks show it, dark or light")
      .def("svg", [](const Picture& self) { return to_svg(self); })
      .def(
          "html", [](const Picture& self) { return to_html(self); },
          "A page: resting on a cell names its thread and value")
      .def(
          "text", [](const Picture& self) { return to_text(self); }, "For terminals")
      .def("_repr_svg_", [](const Picture& self) { return to_svg(self); })
      .def("__str__", [](const Picture& self) { return to_text(self); })
      .def("save", save, "path"_a, "As .svg, .html or .txt")
      .def(
          "color_by",
          [](const Picture& self, const std::string& what) {
            return colored(self, parse_color_by(what));
          },
          "what"_a, "thread, value, warp or order")
      .def(
          "of_thread", [](const Picture& self, int thread) { return of_thread(self, thread); },
          "thread"_a, "Only what one thread holds")
      .def("with_coordinates", [](const Picture& self) { return with_coordinates(self); })
      .def(
          "beside", [](const Picture& left, const Picture& right) { return beside(left, right); },
          "right"_a)
      .def(
          "thinned", [](const Picture& self, int most) { return thinned(self, most); }, "most"_a,
          "Of panels with more rows or columns the first and the last ones")
      .def(
          "in_strips", [](const Picture& self, int columns) { return in_strips(self, columns); },
          "columns"_a);
}

}  // namespace jute::python
