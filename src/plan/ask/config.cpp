// A Config as one line of text: one row for each choice, read and written by the same table.
#include <jute/base/nearest_name.hpp>
#include <jute/base/refuse.hpp>
#include <jute/plan/ask/config.hpp>
#include <jute/plan/ask/old_words.hpp>
#include <jute/plan/ask/words.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <ostream>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/format.hpp"

namespace jute {
namespace {

template <class Value, size_t Count>
using Spellings = std::array<std::pair<std::string_view, Value>, Count>;
/// How the values of an enumeration are written.
template <class Value>
constexpr Spellings<Value, 0> kSpelled{};
// clang-format off
template <> constexpr Spellings<Specialize, 4> kSpelled<Specialize>{{
    {"usual", Specialize::usual}, {"none", Specialize::none}, {"all", Specialize::all},
    {"generic", Specialize::generic}}};
template <> constexpr Spellings<MainLoop, 4> kSpelled<MainLoop>{{
    {"straight", MainLoop::straight}, {"register_staged", MainLoop::register_staged},
    {"multistage", MainLoop::multistage}, {"warp_specialised", MainLoop::warp_specialised}}};
template <> constexpr Spellings<Transfer, 2> kSpelled<Transfer>{{
    {"tma", Transfer::tma}, {"cp_async", Transfer::cp_async}}};
template <> constexpr Spellings<SplitK, 3> kSpelled<SplitK>{{
    {"last_adds", SplitK::last_adds}, {"all_add", SplitK::all_add}, {"distributed", SplitK::distributed}}};
template <> constexpr Spellings<FirstStages, 3> kSpelled<FirstStages>{{
    {"after_barrier", FirstStages::after_barrier}, {"by_initialiser", FirstStages::by_initialiser},
    {"prefetched", FirstStages::prefetched}}};
template <> constexpr Spellings<EdgeRows, 2> kSpelled<EdgeRows>{{
    {"zeros", EdgeRows::zeros}, {"left_out", EdgeRows::left_out}}};
template <> constexpr Spellings<Release, 4> kSpelled<Release>{{
    {"never", Release::never}, {"after_main_loop", Release::after_main_loop},
    {"at_start", Release::at_start}, {"after_previous", Release::after_previous}}};
template <> constexpr Spellings<Launches, 2> kSpelled<Launches>{{
    {"behind_others", Launches::behind_others}, {"alone", Launches::alone}}};
template <> constexpr Spellings<ReadOnce, 4> kSpelled<ReadOnce>{{
    {"none", ReadOnce::none}, {"a", ReadOnce::a}, {"b", ReadOnce::b}, {"both", ReadOnce::both}}};
template <> constexpr Spellings<bool, 2> kSpelled<bool>{{{"on", true}, {"off", false}}};
// clang-format on

[[noreturn]] void refuse_value(ErrorCode code, std::string_view value, std::string rule,
                               std::optional<std::string> nearest = std::nullopt) {
  refuse(code, "", std::string(value), std::move(rule), std::move(nearest));
}

template <class Value>
Value read_word(std::string_view text) {
  std::vector<std::string> known;
  for (const auto& [word, value] : kSpelled<Value>) {
    if (word == text) return value;
    known.emplace_back(word);
  }
  refuse_value(ErrorCode::unknown_name, text, "it must be one of: " + joined(known),
               nearest_name(text, known));
}

int read_int(std::string_view text) {
  int value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, status] = std::from_chars(text.data(), end, value);
  if (status == std::errc() && rest == end) return value;
  std::optional<std::string> end_of_range;
  if (status == std::errc::result_out_of_range && rest == end)
    end_of_range = std::to_string(text.starts_with('-') ? std::numeric_limits<int>::min()
                                                        : std::numeric_limits<int>::max());
  refuse_value(ErrorCode::syntax, text, "it must be an integer of 32 bits",
               std::move(end_of_range));
}

/// The first `count` numbers of a text with crosses between them; those that it lacks are
/// `missing`.
std::optional<std::string> crossed(std::string_view text, size_t count, std::string_view missing) {
  constexpr std::string_view kDigits = "0123456789";
  std::string whole;
  size_t found = 0;
  for (size_t at = text.find_first_of(kDigits); at < text.size() && found < count; ++found) {
    const size_t end = std::min(text.find_first_not_of(kDigits, at), text.size());
    whole += (found > 0 ? "x" : "") + std::string(text.substr(at, end - at));
    at = text.find_first_of(kDigits, end);
  }
  if (found + 1 < count || found == 0) return std::nullopt;
  return found < count ? whole + "x" + std::string(missing) : whole;
}

TileShape read_tile(std::string_view text) {
  const size_t first = text.find('x'), second = text.find('x', first + 1);
  if (first == std::string_view::npos || second == std::string_view::npos ||
      text.find('x', second + 1) != std::string_view::npos)
    refuse_value(ErrorCode::syntax, text, "a tile must be MxNxK, for example 128x128x32",
                 crossed(text, 3, "32"));
  return {read_int(text.substr(0, first)), read_int(text.substr(first + 1, second - first - 1)),
          read_int(text.substr(second + 1))};
}
std::string written(const TileShape& tile) {
  return base::format("{}x{}x{}", tile.m, tile.n, tile.k);
}

ClusterShape read_cluster(std::string_view text) {
  const size_t cross = text.find('x');
  if (cross == std::string_view::npos || text.find('x', cross + 1) != std::string_view::npos)
    refuse_value(ErrorCode::syntax, text, "a cluster must be MxN blocks, for example 2x1",
                 crossed(text, 2, "1"));
  return {read_int(text.substr(0, cross)), read_int(text.substr(cross + 1))};
}
std::string written(const ClusterShape& cluster) {
  return base::format("{}x{}", cluster.m, cluster.n);
}

template <class Value>
Value read_as(std::string_view text) {
  if constexpr (!kSpelled<Value>.empty()) return read_word<Value>(text);
  if constexpr (std::is_same_v<Value, int>) return read_int(text);
  if constexpr (std::is_same_v<Value, TileShape>) return read_tile(text);
  if constexpr (std::is_same_v<Value, ClusterShape>) return read_cluster(text);
  // A shape stands for the compact layout.
  if constexpr (std::is_same_v<Value, Layout>)
    return text.find(':') == std::string_view::npos ? Layout(IntTuple(text)) : Layout(text);
  if constexpr (kSpelled<Value>.empty() && std::is_constructible_v<Value, std::string_view>)
    return Value(text);
}

template <class Value>
std::string written(const Value& value) {
  using std::to_string;
  if constexpr (std::is_same_v<Value, std::string>) {
    return value;
  } else if constexpr (kSpelled<Value>.empty()) {
    return to_string(value);
  } else {
    return std::string(std::ranges::find(kSpelled<Value>, value, [](const auto& row) {
                         return row.second;
                       })->first);
  }
}

/// The spellings of a value, with blanks between them.
template <class Value>
constexpr auto kSpellings = [] {
  std::array<char, 128> text{};
  size_t at = 0;
  for (const auto& [word, value] : kSpelled<Value>) {
    if (at > 0) text[at++] = ' ';
    for (const char c : word) text[at++] = c;
  }
  return text;
}();

struct ChoiceRow {
  Keyword word;
  void (*read)(Config&, std::string_view);
  /// Empty where the choice is the planner's.
  std::string (*write)(const Config&);
};

/// The name of a value in help.
template <class Value>
constexpr std::string_view kTakes = kSpelled<Value>.empty() ? "LAYOUT" : "WORD";
template <>
constexpr std::string_view kTakes<int> = "INT";
template <>
constexpr std::string_view kTakes<bool> = "";
template <>
constexpr std::string_view kTakes<Specialize> = "";
template <>
constexpr std::string_view kTakes<std::string> = "ATOM";
template <>
constexpr std::string_view kTakes<Tiler> = "TILER";
template <>
constexpr std::string_view kTakes<TileShape> = "MxNxK";
template <>
constexpr std::string_view kTakes<ClusterShape> = "MxN";

/// A member of a Config by its name.
template <auto Member>
constexpr ChoiceRow choice(std::string_view name, std::string_view flag, std::string_view about) {
  using Kept = std::remove_cvref_t<decltype(std::declval<Config>().*Member)>;
  using Value = typename decltype(std::optional(std::declval<Kept>()))::value_type;
  constexpr WordKind kKind = std::is_same_v<Kept, Value>   ? WordKind::one_of
                             : std::is_same_v<Value, bool> ? WordKind::choice
                             : kSpelled<Value>.empty()     ? WordKind::text
                                                           : WordKind::offered;
  const auto read = [](Config& config, std::string_view text) {
    config.*Member = read_as<Value>(text);
  };
  const auto write = [](const Config& config) {
    if constexpr (std::is_same_v<Kept, Value>)  // the planner's is the first of its values
      return config.*Member == Value{} ? std::string() : written(config.*Member);
    else
      return config.*Member ? written(*(config.*Member)) : std::string();
  };
  return {{name, flag, WordGroup::choices, kKind, kTakes<Value>, about, kSpellings<Value>.data()},
          read,
          write};
}

// clang-format off
constexpr std::array kChoices{
    choice<&Config::specialize>("specialize", "--specialize", "Which numbers become literals of the kernel"),
    choice<&Config::mma_atom>("mma_atom", "--mma", "MMA atom by CuTe's name"),
    choice<&Config::atom_layout>("atom_layout", "--atom-layout", "Atoms along (M,N,K): \"(2,4,1)\""),
    choice<&Config::permutation>("permutation", "--permutation", "The TiledMma's permutation: \"(32,32,_)\""),
    choice<&Config::tile>("tile", "--tile", "Block tile in elements"),
    choice<&Config::stages>("stages", "--stages", "k-tiles in shared memory"),
    choice<&Config::raster_width>("raster_width", "--raster", "Tiles along M that run together"),
    choice<&Config::smem_a>("smem_a", "--smem-a", "A in shared memory: \"Sw<2,3,3>o0o(128,32):(32,1)\""),
    choice<&Config::smem_b>("smem_b", "--smem-b", "B likewise"),
    choice<&Config::pad>("pad", "--pad", "Copy operands with unaligned rows first: auto, on or off"),
    choice<&Config::transpose>("transpose", "--transpose",
        "Copy operands along K first that wgmma cannot read along M or N: auto, on or off"),
    choice<&Config::main_loop>("main_loop", "--main-loop",
        "Who loads and who multiplies: straight, register_staged, multistage, warp_specialised"),
    choice<&Config::carry_a>("carry_a", "--carry-a",
        "What brings A to stages that wgmma reads: tma, or cp_async by the producer's warps"),
    choice<&Config::carry_b>("carry_b", "--carry-b", "B likewise"),
    choice<&Config::cluster>("cluster", "--cluster", "Blocks that share what they load"),
    choice<&Config::blocks>("blocks", "--blocks", "Of a grid that walks over the tiles, at most"),
    choice<&Config::ping_pong>("ping_pong", "--ping-pong",
        "Teams of consumers that take turns: one multiplies its tile while the other drains"),
    choice<&Config::producer_warps>("producer_warps", "--producer-warps",
        "Of the producer: 4, which give registers to the consumers, or 1"),
    choice<&Config::split_k>("split_k", "--split-k", "Slices of K, each a block's; their sums are added afterwards"),
    choice<&Config::whole_tiles>("whole_tiles", "--whole-tiles",
        "The first of the grid, which slices of K leave whole"),
    choice<&Config::reduction>("reduction", "--reduction",
        "Who adds the sums of slices: last_adds, all_add or distributed"),
    choice<&Config::k_starts>("k_starts", "--k-starts", "Places of K at which blocks begin in turn; 1: all at 0"),
    choice<&Config::matrices_per_block>("matrices_per_block", "--matrices",
        "Of a batch, side by side in a block; 0: one, of a grid whose third axis is the batch"),
    choice<&Config::promote>("promote", "--promote", "Of k, after which wgmma's sums are added in full; 0: never"),
    choice<&Config::read_once>("read_once", "--read-once", "What leaves the L2 cache first: none, a, b, both"),
    choice<&Config::edge_rows>("edge_rows", "--edge-rows", "What stages hold of rows past the edge: zeros or left_out"),
    choice<&Config::widths>("widths", "--widths",
        "Kernels of a range of M may take their tiles' columns from the launch; auto: they may"),
    choice<&Config::swapped>("swapped", "--swapped",
        "Compute the transpose, so that tiles lie the other way: auto, on or off"),
    choice<&Config::first_stages>("first_stages", "--first-stages",
        "Who asks for the first k-tiles: after_barrier, by_initialiser or prefetched"),
    choice<&Config::release>("release", "--release",
        "When the next kernel may begin: never, after_main_loop, at_start, after_previous"),
    choice<&Config::launches>("launches", "--launches",
        "What runs on the stream beside them: behind_others, or alone on an idle chip"),
};
// clang-format on

constexpr auto kChoiceWords = [] {
  std::array<Keyword, kChoices.size()> words;
  for (size_t i = 0; i < words.size(); ++i) words[i] = kChoices[i].word;
  return words;
}();

/// torch's word for promote=0: use_fast_accum.
constexpr std::string_view kFastAccum = "fast_accum";

/// The next word from `at` on, which ends at a blank outside brackets.
std::string_view word_at(std::string_view text, size_t at) {
  int depth = 0;
  size_t end = at;
  for (; end < text.size() && (depth > 0 || text[end] != ' '); ++end) {
    if (text[end] == '(' || text[end] == '<') ++depth;
    if (text[end] == ')' || text[end] == '>') --depth;
  }
  return text.substr(at, end - at);
}

/// Reads `name=value` into the config; a refusal says where in the whole text it lies.
void read_choice(Config& config, std::string_view word, size_t at) {
  const size_t equals = word.find('=');
  const bool has_value = equals != std::string_view::npos;
  try {
    choose(config, word.substr(0, equals), has_value ? word.substr(equals + 1) : "");
  } catch (const Exception& exception) {
    Error error = exception.error();
    const bool is_name = error.operand == "choice";
    const int inside = error.position ? error.position->column - 1 : 0;
    const size_t start = at + (is_name || !has_value ? 0 : equals + 1);
    error.position = SourcePosition{1, static_cast<int>(start) + inside + 1};
    throw Exception(std::move(error));
  }
}

}  // namespace

std::span<const Keyword> words_of_choices() { return kChoiceWords; }

void choose(Config& config, std::string_view choice, std::string_view value) {
  choice = today_of("", choice);
  value = today_of(choice, value);
  const auto row =
      std::ranges::find_if(kChoices, [&](const ChoiceRow& one) { return one.word.name == choice; });
  if (row == kChoices.end() && choice != kFastAccum) {
    std::vector<std::string> known;
    for (const Keyword& word : kChoiceWords) known.emplace_back(word.name);
    refuse(ErrorCode::unknown_name, "choice", std::string(choice),
           "a choice must be one of: " + joined(known), nearest_name(choice, known));
  }
  try {
    if (value.empty()) refuse_value(ErrorCode::syntax, "", "a choice needs a value");
    if (choice != kFastAccum)
      row->read(config, value);
    else if (read_word<bool>(value))
      config.promote = 0;
  } catch (const Exception& exception) {
    Error error = exception.error();
    error.operand = choice;
    if (error.value.empty()) error.value = value;
    throw Exception(std::move(error));
  }
}

Config parse_config(std::string_view text) {
  Config config;
  for (size_t at = 0; at < text.size();) {
    const std::string_view word = word_at(text, at);
    if (!word.empty()) read_choice(config, word, at);
    at += word.size() + 1;
  }
  return config;
}

std::string to_string(const Config& config) {
  std::string text;
  for (const ChoiceRow& row : kChoices) {
    const std::string value = row.write(config);
    if (!value.empty())
      text += base::format("{}{}={}", text.empty() ? "" : " ", row.word.name, value);
  }
  return text;
}

std::ostream& operator<<(std::ostream& out, const Config& config) {
  return out << to_string(config);
}

}  // namespace jute
