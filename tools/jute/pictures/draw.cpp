// `jute draw`: pictures of layouts, tiles and atoms.
#include <jute/atom/tiled.hpp>
#include <jute/base/retold.hpp>
#include <jute/draw/arrange.hpp>
#include <jute/draw/latex.hpp>
#include <jute/draw/picture.hpp>
#include <jute/expr/eval.hpp>
#include <jute/launch/device_presets.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "command/command_line.hpp"
#include "command/delivery.hpp"
#include "command/exit_status.hpp"
#include "options/view_argument.hpp"
#include "pictures/charts.hpp"
#include "programs/picture_converter.hpp"

namespace jute::command {
namespace {

struct DrawOptions {
  std::string what, output, tv, banks, color_by, beside, a_tv, b_tv, mesh;
  std::optional<int> k;
  std::optional<int> thread;
  std::optional<int> columns;
  bool ascii = false, whole = false, logical = false, coordinates = false;
};

[[noreturn]] void refuse_drawing(const std::string& operand, const std::string& value,
                                 std::string rule) {
  refuse(ErrorCode::wrong_type, operand, value, std::move(rule));
}

/// The two numbers of `4by8` or `4, 8`.
std::optional<std::string> tile_in(const std::string& text) {
  std::vector<std::string> numbers(1);
  for (const char c : text) {
    if (std::isdigit(static_cast<unsigned char>(c)) != 0)
      numbers.back() += c;
    else if (!numbers.back().empty())
      numbers.emplace_back();
  }
  if (numbers.back().empty()) numbers.pop_back();
  if (numbers.size() != 2) return std::nullopt;
  std::string tile = numbers[0] + "x" + numbers[1];
  return tile == text ? std::nullopt : std::optional(std::move(tile));
}

void check_extents(std::pair<int, int> tile, const std::string& text) {
  const auto [rows, columns] = tile;
  if (rows >= 1 && columns >= 1) return;
  refuse(ErrorCode::wrong_type, "--tv", text, "a tile must have at least one row and one column",
         std::to_string(std::max(rows, 1)) + "x" + std::to_string(std::max(columns, 1)));
}

std::pair<int, int> parse_tile(const std::string& text) {
  std::pair<int, int> tile;
  const char* const end = text.data() + text.size();
  const auto [cross, status] = std::from_chars(text.data(), end, tile.first);
  if (status == std::errc() && cross != end && *cross == 'x') {
    const auto [rest, second] = std::from_chars(cross + 1, end, tile.second);
    if (second == std::errc() && rest == end) {
      check_extents(tile, text);
      return tile;
    }
  }
  refuse(ErrorCode::wrong_type, "--tv", text, "a tile must be ROWSxCOLUMNS, for example 16x8",
         tile_in(text));
}

using Subject = std::variant<ComposedLayout, MmaAtom, CopyAtom, TiledMma, TiledCopy>;

bool is_word(const std::string& text) {
  return std::isalpha(static_cast<unsigned char>(text.front())) != 0 &&
         std::ranges::all_of(text,
                             [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

/// An atom's name, or what an expression gives.
Subject subject_of(const std::string& what, const Catalogue& catalogue) {
  if (auto atom = catalogue.try_mma(what)) return std::move(*atom);
  if (auto atom = catalogue.try_copy(what)) return std::move(*atom);
  if (!what.empty() && is_word(what)) (void)catalogue.find(what);  // throws, with the nearest name
  const Value value = eval(what, catalogue);
  if (const auto* layout = std::get_if<Layout>(&value)) return ComposedLayout(*layout);
  if (const auto* layout = std::get_if<ComposedLayout>(&value)) return *layout;
  if (const auto* shape = std::get_if<IntTuple>(&value)) return ComposedLayout(Layout(*shape));
  if (const auto* atom = std::get_if<Boxed<MmaAtom>>(&value)) return **atom;
  if (const auto* atom = std::get_if<Boxed<CopyAtom>>(&value)) return **atom;
  if (const auto* tiled = std::get_if<Boxed<TiledMma>>(&value)) return **tiled;
  if (const auto* tiled = std::get_if<Boxed<TiledCopy>>(&value)) return **tiled;
  refuse_kind(what, value, "it must be a layout or an atom to be drawn");
}

const Layout& plain(const ComposedLayout& layout) {
  if (layout.is_plain()) return layout.layout();
  refuse_drawing("--tv", to_string(layout), "a TV layout must be a plain one");
}

bool is_product(const DrawOptions& options) {
  const int given =
      int{!options.a_tv.empty()} + int{!options.b_tv.empty()} + int{options.k.has_value()};
  if (given != 0 && (given != 3 || options.tv.empty()))
    throw UsageError("--a-tv",
                     "it needs --b-tv, --k and --tv MxN: layouts of a product's operands");
  return given == 3;
}

/// C is what is drawn, A and B stand beside it.
std::pair<ProductLayouts, ShapeMnk> product_of(const DrawOptions& options, const Layout& c) {
  const auto [m, n] = parse_tile(options.tv);
  return {{Layout(options.a_tv), Layout(options.b_tv), c}, {m, n, *options.k}};
}

/// throws  out_of_range: with as many more columns as the layout needs
Picture in_tile(const Layout& tv, const std::string& tile) {
  const auto [rows, columns] = parse_tile(tile);
  return retold([&] { return tv_picture(tv, rows, columns); },
                [&](Error& error) {
                  const Index needed = (cosize(tv) + rows - 1) / rows;
                  if (error.code != ErrorCode::out_of_range || needed <= columns) return;
                  error.operand = "--tv";
                  error.value = tile;
                  error.nearest_legal = std::to_string(rows) + "x" + std::to_string(needed);
                });
}

struct PictureOf {
  const DrawOptions& options;
  int value_bits;

  Picture operator()(const ComposedLayout& layout) const {
    if (!options.banks.empty()) return bank_picture(layout, value_bits);
    if (options.tv.empty()) return layout_picture(layout);
    if (is_product(options)) {
      const auto [layouts, shape] = product_of(options, plain(layout));
      return product_picture("A, B and C over " + std::to_string(shape.m) + "x" +
                                 std::to_string(shape.n) + "x" + std::to_string(shape.k),
                             layouts, shape);
    }
    return in_tile(plain(layout), options.tv);
  }
  Picture operator()(const MmaAtom& atom) const {
    return mma_picture(atom, options.logical ? ThreadNames::logical : ThreadNames::lanes);
  }
  Picture operator()(const CopyAtom& atom) const { return copy_picture(atom, value_bits); }
  Picture operator()(const TiledMma& tiled) const { return tiled_mma_picture(tiled); }
  Picture operator()(const TiledCopy& tiled) const { return tiled_copy_picture(tiled); }
};

struct LatexOf {
  const DrawOptions& options;

  std::string operator()(const ComposedLayout& layout) const {
    if (!options.banks.empty())
      refuse_drawing("-o", options.output,
                     "it must be .svg, .html, .png, .pdf or .txt for a picture of banks");
    if (options.tv.empty()) return draw_latex(layout);
    if (is_product(options)) {
      const auto [layouts, shape] = product_of(options, plain(layout));
      return draw_latex(layouts, shape);
    }
    const auto [rows, columns] = parse_tile(options.tv);
    return draw_latex(plain(layout), IntTuple{rows, columns});
  }
  std::string operator()(const CopyAtom&) const {
    refuse_drawing("-o", options.output,
                   "it must be .svg, .html, .png, .pdf or .txt for a bare copy atom; a tiled_copy "
                   "is drawn as .tex too");
  }
  template <class Atom>
  std::string operator()(const Atom& atom) const {
    return draw_latex(atom);
  }
};

/// More cells than this, and the picture is thinned to panels of kMostDrawnTiles rows and columns.
constexpr size_t kMostDrawnCells = 4096;
constexpr int kMostDrawnTiles = 32;

Picture with_colors(const Picture& picture, const std::string& by) {
  if (by.find_first_of(":(<") == std::string::npos) return colored(picture, parse_color_by(by));
  const Value value = eval(by);
  if (const auto* layout = std::get_if<Layout>(&value)) return colored(picture, *layout);
  refuse_drawing("--color-by", by,
                 "it must be thread, value, warp, order or a layout without a swizzle");
}

/// With everything that changes a picture as a whole.
Picture dressed(Picture picture, const DrawOptions& options) {
  if (options.coordinates) picture = with_coordinates(std::move(picture));
  if (!options.color_by.empty()) picture = with_colors(picture, options.color_by);
  if (options.thread) picture = of_thread(std::move(picture), *options.thread);
  size_t cells = 0;
  for (const PicturePanel& panel : picture.panels)
    cells += panel.region.empty() ? panel.cells.size() : 1;
  return options.whole || cells <= kMostDrawnCells ? picture : thinned(picture, kMostDrawnTiles);
}

Picture picture_of(const DrawOptions& options, const Subject& subject, const Catalogue& catalogue) {
  const int value_bits = parse_value_type(options.banks.empty() ? "f16" : options.banks).bits;
  Picture picture = std::visit(PictureOf{options, value_bits}, subject);
  if (!options.beside.empty())
    picture = beside(
        picture, std::visit(PictureOf{options, value_bits}, subject_of(options.beside, catalogue)));
  return dressed(std::move(picture), options);
}

/// A View's cells are what it names; of layouts alone there is more to show.
Picture drawn_view(const DrawOptions& options, const View& view, const std::string& path) {
  for (const auto& [flag, is_set] : {std::pair{"--tv", !options.tv.empty()},
                                     {"--banks", !options.banks.empty()},
                                     {"--beside", !options.beside.empty()},
                                     {"--logical", options.logical}})
    if (is_set) throw UsageError(flag, "it must be left out for a View, which is drawn alone");
  if (path.ends_with(".tex"))
    refuse_drawing("-o", path, "it must be .svg, .html, .png, .pdf or .txt for a View");
  return dressed(view_picture(view), options);
}

/// Options that change a picture's look do nothing to CuTe's own LaTeX.
void check_latex(const DrawOptions& options) {
  for (const auto& [flag, is_set] : {std::pair{"--color-by", !options.color_by.empty()},
                                     {"--beside", !options.beside.empty()},
                                     {"--thread", options.thread.has_value()},
                                     {"--whole", options.whole},
                                     {"--coordinates", options.coordinates},
                                     {"--columns", options.columns.has_value()},
                                     {"--logical", options.logical}})
    if (is_set) throw UsageError(flag, "it must be left out for .tex, which is CuTe's own picture");
}

/// An option that would do nothing is a mistake.
void check_options(const DrawOptions& options, const Subject& subject, const Session& session) {
  const bool is_layout = std::holds_alternative<ComposedLayout>(subject);
  const bool is_copy = std::holds_alternative<CopyAtom>(subject);
  const bool is_text =
      options.output.empty() || options.output == "-" || options.output.ends_with(".txt");
  if (session.common.json)
    throw UsageError("--json", "it must be left out: a picture has no form for programs");
  if (!options.tv.empty() && !is_layout)
    refuse_drawing("--tv", options.tv,
                   "it must be left out: an atom says itself what its threads hold");
  if (!options.banks.empty() && !is_layout && !is_copy)
    refuse_drawing("--banks", options.banks,
                   "it must be left out: it needs a layout of shared memory or a copy atom");
  if (options.logical && !std::holds_alternative<MmaAtom>(subject))
    throw UsageError("--logical", "it needs an MMA atom, whose threads lanes stand for");
  if (is_product(options) && !is_layout)
    throw UsageError("--a-tv", "it needs a layout; an atom has operands of its own");
  if (options.ascii && !is_text) throw UsageError("--ascii", "it needs a picture that is text");
}

/// Steps of a distributed problem on their lanes.
std::string drawn_lanes(const DrawOptions& options, const std::string& path) {
  if (!path.empty() && !path.ends_with(".svg") && !path.ends_with(".txt"))
    refuse_drawing("-o", path, "it must be .svg or .txt for lanes of a distributed plan");
  const DistributedPlan plan =
      make_plan(parse_distributed_problem(options.what), device_preset("h200"));
  return path.ends_with(".svg") ? lanes_svg(plan) : lanes_text(plan);
}

Picture drawn_placement(const DrawOptions& options) {
  if (options.tv.empty())
    throw UsageError("--mesh", "it needs --tv ROWSxCOLUMNS, the extents of the placed matrix");
  const auto [rows, columns] = parse_tile(options.tv);
  Picture picture = placement_picture(options.mesh, options.what, rows, columns);
  if (!options.color_by.empty()) picture = with_colors(picture, options.color_by);
  return picture;
}

std::string written(const Picture& picture, const DrawOptions& options, const std::string& path,
                    const Session& session) {
  const int columns = options.columns.value_or(0);
  if (path.ends_with(".svg")) return to_svg(picture, columns);
  if (path.ends_with(".html")) return to_html(picture, columns);
  if (is_converted(path)) return converted(to_svg(picture, columns), path);
  const bool coloured = path.empty() || session.common.color == "always";
  const int width = path.empty() && columns == 0 ? session.width() : 0;
  return to_text(columns == 0 ? picture : in_strips(picture, columns),
                 coloured ? session.color() : Color::none,
                 options.ascii ? Frame::ascii : Frame::box, width);
}

std::string rendered(const DrawOptions& options, const Session& session) {
  const std::string path = options.output == "-" ? "" : options.output;
  check_suffix(path, {".svg", ".html", ".tex", ".txt", ".png", ".pdf"});
  if (options.what.find("mesh=") != std::string::npos) return drawn_lanes(options, path);
  if (!options.mesh.empty()) {
    if (path.ends_with(".tex"))
      refuse_drawing("-o", path, "it must be .svg, .html, .png, .pdf or .txt for a placement");
    return written(drawn_placement(options), options, path, session);
  }
  if (const auto view = view_in(options.what))
    return written(drawn_view(options, *view, path), options, path, session);
  const Subject subject = subject_of(in_own_words(options.what), session.catalogue());
  check_options(options, subject, session);
  if (path.ends_with(".tex")) {
    check_latex(options);
    return std::visit(LatexOf{options}, subject);
  }
  return written(picture_of(options, subject, session.catalogue()), options, path, session);
}

int run_draw(const DrawOptions& options, const Session& session) {
  Delivery delivery(options.output, session);
  delivery.deliver(rendered(options, session));
  return kDone;
}

}  // namespace

void add_draw(Command& jute) {
  auto options = std::make_shared<DrawOptions>();
  Command& sub = jute.add("draw", "Draw a layout or an atom",
                          "jute draw 'Sw<3,3,3>o0o(8,64):(64,1)' --banks bf16 -o smem.svg");
  sub.option("what LAYOUT|ATOM", &options->what,
             "A layout, an expression, an atom's name, a View, a placement, or a distributed "
             "problem, whose steps on an H200 are drawn")
      .required();
  sub.option(
      "-o,--output FILE", &options->output,
      "Picture to write: .svg, .html, .tex, .txt; .png and .pdf by rsvg-convert or cairosvg");
  sub.option("--tv ROWSxCOLUMNS", &options->tv, "Read it as (thread,value) over a tile");
  sub.option("--a-tv LAYOUT", &options->a_tv,
             "With --tv MxN, --b-tv and --k: A's layout, (thread,value) -> m + M*k; the drawn one "
             "is C's");
  sub.option("--b-tv LAYOUT", &options->b_tv, "Likewise B's, (thread,value) -> n + N*k");
  sub.option("--k", &options->k, "Likewise the extent that A and B share").between(1, 65536);
  sub.option("--banks TYPE", &options->banks, "Show shared-memory banks for elements of a type")
      .without({"--tv"});
  sub.option("--color-by,--colour-by WHAT", &options->color_by,
             "Colour by thread, value, warp, order, or by a layout of one's own: thread -> colour, "
             "(thread,value) -> colour, or (row,column) -> colour where there are no threads")
      .offers({"thread", "value", "warp", "order"});
  sub.option("--thread", &options->thread, "Show what this thread holds, and nothing else")
      .non_negative();
  sub.option("--beside LAYOUT|ATOM", &options->beside, "Draw another one to the right of it")
      .takes(Strays::word);
  sub.option("--mesh AXES", &options->mesh,
             "With --tv ROWSxCOLUMNS: the drawn one is a placement, such as A=M@row,K@col, over "
             "these ranks");
  sub.option("--coordinates", &options->coordinates, "Write each cell's coordinate into it");
  sub.option("--columns", &options->columns,
             "Cut it into strips of at most so many columns, evenly and where modes end; a number "
             "as large as its columns leaves it whole")
      .between(1, 65536);
  sub.option("--logical", &options->logical,
             "Number an atom's threads as its layouts do, not by lane");
  sub.option("--whole", &options->whole,
             "Draw all of it: of a picture with many cells the middle is left out");
  sub.option("--ascii", &options->ascii, "Draw frames with plain characters");
  sub.reads = {"--atoms", "--verbose"};
  sub.run = [options](const Session& session) { return run_draw(*options, session); };
  sub.judge = [options](const Session& session) { (void)rendered(*options, session); };
}

}  // namespace jute::command
