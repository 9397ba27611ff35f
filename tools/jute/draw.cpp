// `jute draw`: pictures of layouts, tiles and atoms.
#include <jute/atom/tiled.hpp>
#include <jute/draw/picture.hpp>
#include <jute/expr/eval.hpp>

#include <CLI/CLI.hpp>
#include <charconv>
#include <memory>
#include <optional>
#include <ostream>

#include "command_line.hpp"
#include "exit_status.hpp"
#include "files.hpp"

namespace jute::command {
namespace {

struct DrawOptions {
  std::string what, output, tv, banks;
  bool ascii = false;
};

[[noreturn]] void refuse(const std::string& operand, const std::string& value, std::string rule) {
  throw Exception({.code = ErrorCode::wrong_type,
                   .operand = operand,
                   .value = value,
                   .violated_rules = {std::move(rule)}});
}

std::pair<int, int> parse_tile(const std::string& text) {
  std::pair<int, int> tile;
  const char* const end = text.data() + text.size();
  const auto [cross, status] = std::from_chars(text.data(), end, tile.first);
  if (status == std::errc() && cross != end && *cross == 'x') {
    const auto [rest, second] = std::from_chars(cross + 1, end, tile.second);
    if (second == std::errc() && rest == end) return tile;
  }
  refuse("--tv", text, "a tile is ROWSxCOLUMNS, for example 16x8");
}

Picture atom_picture(const AtomValue& atom, int value_bits) {
  struct Drawer {
    int bits;
    Picture operator()(const MmaAtom& one) const { return mma_picture(one); }
    Picture operator()(const CopyAtom& one) const { return copy_picture(one, bits); }
    Picture operator()(const TiledMma& one) const { return tiled_mma_picture(one); }
    Picture operator()(const TiledCopy& one) const { return tiled_copy_picture(one); }
  };
  return std::visit(Drawer{value_bits}, atom.get());
}

Picture layout_picture_of(const DrawOptions& options, const ComposedLayout& layout, int bits) {
  if (!options.banks.empty()) return bank_picture(layout, bits);
  if (options.tv.empty()) return layout_picture(layout);
  if (!layout.is_plain()) refuse(options.what, "a swizzled layout", "a TV layout is a plain one");
  const auto [rows, columns] = parse_tile(options.tv);
  return tv_picture(layout.layout(), rows, columns);
}

Picture picture_of(const DrawOptions& options, const Session& session) {
  const Catalogue catalogue = session.catalogue();
  const int bits = options.banks.empty() ? 16 : parse_value_type(options.banks).bits;
  if (const auto atom = catalogue.try_mma(options.what)) return mma_picture(*atom);
  if (const auto atom = catalogue.try_copy(options.what)) return copy_picture(*atom, bits);
  const Value value = eval(options.what, catalogue);
  if (const auto* atom = std::get_if<AtomValue>(&value)) return atom_picture(*atom, bits);
  if (const auto* layout = std::get_if<Layout>(&value))
    return layout_picture_of(options, *layout, bits);
  if (const auto* layout = std::get_if<ComposedLayout>(&value))
    return layout_picture_of(options, *layout, bits);
  if (const auto* shape = std::get_if<IntTuple>(&value))
    return layout_picture_of(options, Layout(*shape), bits);
  refuse(options.what, std::string(kind_name(value)), "a picture shows a layout or an atom");
}

std::string rendered(const Picture& picture, const std::string& path, const DrawOptions& options,
                     const Session& session) {
  if (path.ends_with(".svg")) return to_svg(picture);
  if (path.ends_with(".html")) return to_html(picture);
  if (!path.empty() && !path.ends_with(".txt"))
    refuse("-o", path, "a picture is .svg, .html, .tex or .txt");
  const Color color =
      path.empty() || session.common.color == "always" ? session.color() : Color::none;
  return to_text(picture, color, options.ascii ? Frame::ascii : Frame::box);
}

int run_draw(const DrawOptions& options, const Session& session) {
  const std::string text = rendered(picture_of(options, session), options.output, options, session);
  if (options.output.empty()) {
    session.out << text;
    return kDone;
  }
  OutputFile file(options.output);
  file.write(text);
  file.commit();
  return kDone;
}

}  // namespace

void add_draw(CLI::App& app, Invocation& invocation) {
  auto options = std::make_shared<DrawOptions>();
  CLI::App& sub = add_subcommand(app, invocation, "draw", "Draw a layout or an atom",
                                 "jute draw 'Sw<3,3,3>o0o(8,64):(64,1)' --banks bf16 -o smem.svg");
  sub.add_option("what", options->what, "A layout, an expression or an atom's name")->required();
  sub.add_option("-o,--output", options->output, "Picture to write: .svg, .html, .tex, .txt")
      ->type_name("FILE");
  auto* tv = sub.add_option("--tv", options->tv, "Read it as (thread,value) over a tile")
                 ->type_name("ROWSxCOLUMNS");
  sub.add_option("--banks", options->banks, "Show shared-memory banks for elements of a type")
      ->type_name("TYPE")
      ->excludes(tv);
  sub.add_flag("--ascii", options->ascii, "Draw frames with plain characters");
  sub.callback([options, &invocation] {
    invocation.run = [options](const Session& session) { return run_draw(*options, session); };
  });
}

}  // namespace jute::command
