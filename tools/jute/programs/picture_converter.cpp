// Runs rsvg-convert or cairosvg.
#include "programs/picture_converter.hpp"

#include <jute/base/error.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "command/command_line.hpp"
#include "programs/child_program.hpp"

namespace jute::command {
namespace {

/// How a program is asked: format, then what a PNG needs, then the file.
struct Converter {
  const char* program;
  std::array<const char*, 2> always, png;
};

constexpr std::array kConverters{
    Converter{"rsvg-convert", {"--unlimited", "--format"}, {"--zoom", "2"}},
    Converter{"cairosvg", {"--unsafe", "--format"}, {"--scale", "2"}},
};

[[noreturn]] void refuse(const std::string& path, std::string rule) {
  command::refuse(ErrorCode::unwritable, "-o", path, std::move(rule),
                  path.substr(0, path.rfind('.')) + ".svg");
}

}  // namespace

const std::vector<std::string>& converted_suffixes() {
  static const std::vector<std::string> kSuffixes{".png", ".pdf"};
  return kSuffixes;
}

bool is_converted(const std::string& path) {
  return std::ranges::any_of(converted_suffixes(),
                             [&](const std::string& suffix) { return path.ends_with(suffix); });
}

std::string converted(const std::string& svg, const std::string& path) {
  const std::string format = path.substr(path.rfind('.') + 1);
  const std::vector<std::string> folders = folders_of_path();
  for (const Converter& converter : kConverters) {
    const std::optional<std::string> program = found_program(converter.program, folders);
    if (!program) continue;
    const TemporaryFile file(std::as_bytes(std::span(svg)));
    std::vector<std::string> words{*program};
    words.insert(words.end(), converter.always.begin(), converter.always.end());
    words.push_back(format);
    if (format == "png") words.insert(words.end(), converter.png.begin(), converter.png.end());
    words.push_back(file.path());
    if (auto bytes = output_of_program(words)) return std::move(*bytes);
    refuse(path, *program + " must draw the picture; an .svg needs no other program");
  }
  refuse(path,
         "rsvg-convert (package librsvg2-bin) or cairosvg (pip install cairosvg) must be in "
         "PATH to make a ." +
             format + " of it");
}

}  // namespace jute::command
