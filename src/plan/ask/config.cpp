// A Config as one line of text: one row for each choice, read and written by the same table.
#include <jute/base/nearest_name.hpp>
#include <jute/plan/ask/config.hpp>
#include <jute/plan/ask/old_words.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <ostream>
#include <utility>
#include <vector>

#include "base/format.hpp"

namespace jute {
namespace {

constexpr std::array<std::pair<std::string_view, Specialize>, 4> kSpecialize{
    {{"usual", Specialize::usual},
     {"none", Specialize::none},
     {"all", Specialize::all},
     {"generic", Specialize::generic}}};
constexpr std::array<std::pair<std::string_view, MainLoop>, 4> kMainLoops{
    {{"straight", MainLoop::straight},
     {"register_staged", MainLoop::register_staged},
     {"multistage", MainLoop::multistage},
     {"warp_specialised", MainLoop::warp_specialised}}};
constexpr std::array<std::pair<std::string_view, SplitK>, 3> kSplitKReductions{
    {{"last_adds", SplitK::last_adds},
     {"all_add", SplitK::all_add},
     {"distributed", SplitK::distributed}}};
constexpr std::array<std::pair<std::string_view, FirstStages>, 3> kFirstStages{
    {{"after_barrier", FirstStages::after_barrier},
     {"by_initialiser", FirstStages::by_initialiser},
     {"prefetched", FirstStages::prefetched}}};
constexpr std::array<std::pair<std::string_view, EdgeRows>, 2> kEdgeRows{
    {{"zeros", EdgeRows::zeros}, {"left_out", EdgeRows::left_out}}};
constexpr std::array<std::pair<std::string_view, Release>, 4> kReleases{
    {{"never", Release::never},
     {"after_main_loop", Release::after_main_loop},
     {"at_start", Release::at_start},
     {"after_previous", Release::after_previous}}};
constexpr std::array<std::pair<std::string_view, Launches>, 2> kLaunches{
    {{"behind_others", Launches::behind_others}, {"alone", Launches::alone}}};
constexpr std::array<std::pair<std::string_view, ReadOnce>, 4> kReadOnce{
    {{"none", ReadOnce::none}, {"a", ReadOnce::a}, {"b", ReadOnce::b}, {"both", ReadOnce::both}}};
constexpr std::array<std::pair<std::string_view, bool>, 2> kSwitch{{{"on", true}, {"off", false}}};

[[noreturn]] void refuse_value(ErrorCode code, std::string_view value, std::string rule,
                               std::optional<std::string> nearest = std::nullopt) {
  throw Exception({.code = code,
                   .value = std::string(value),
                   .violated_rules = {std::move(rule)},
                   .nearest_legal = std::move(nearest)});
}

template <class Value, size_t Count>
Value read_word(const std::array<std::pair<std::string_view, Value>, Count>& words,
                std::string_view text) {
  std::vector<std::string> known;
  for (const auto& [word, value] : words) {
    if (word == text) return value;
    known.emplace_back(word);
  }
  refuse_value(ErrorCode::unknown_name, text, "it must be one of: " + joined(known),
               nearest_name(text, known));
}
template <class Value, size_t Count>
std::string written(const std::array<std::pair<std::string_view, Value>, Count>& words,
                    Value value) {
  for (const auto& [word, of_word] : words)
    if (of_word == value) return std::string(word);
  return {};
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

/// A shape stands for the compact layout.
Layout read_layout(std::string_view text) {
  return text.find(':') == std::string_view::npos ? Layout(IntTuple(text)) : Layout(text);
}

struct ChoiceRow {
  std::string_view name;
  void (*read)(Config&, std::string_view);
  /// Empty where the choice is the planner's.
  std::string (*write)(const Config&);
};

template <class Value>
std::string written(const std::optional<Value>& value) {
  using std::to_string;
  return value ? to_string(*value) : std::string();
}

// clang-format off
constexpr std::array<ChoiceRow, 29> kChoices{{
  {"specialize", [](Config& c, std::string_view text) { c.specialize = read_word(kSpecialize, text); },
   [](const Config& c) { return c.specialize == Specialize::usual ? "" : written(kSpecialize, c.specialize); }},
  {"mma_atom", [](Config& c, std::string_view text) { c.mma_atom = std::string(text); },
   [](const Config& c) { return c.mma_atom.value_or(""); }},
  {"atom_layout", [](Config& c, std::string_view text) { c.atom_layout = read_layout(text); },
   [](const Config& c) { return written(c.atom_layout); }},
  {"permutation", [](Config& c, std::string_view text) { c.permutation = Tiler(text); },
   [](const Config& c) { return written(c.permutation); }},
  {"tile", [](Config& c, std::string_view text) { c.tile = read_tile(text); },
   [](const Config& c) { return c.tile ? written(*c.tile) : ""; }},
  {"stages", [](Config& c, std::string_view text) { c.stages = read_int(text); },
   [](const Config& c) { return written(c.stages); }},
  {"raster_width", [](Config& c, std::string_view text) { c.raster_width = read_int(text); },
   [](const Config& c) { return written(c.raster_width); }},
  {"smem_a", [](Config& c, std::string_view text) { c.smem_a = ComposedLayout(text); },
   [](const Config& c) { return written(c.smem_a); }},
  {"smem_b", [](Config& c, std::string_view text) { c.smem_b = ComposedLayout(text); },
   [](const Config& c) { return written(c.smem_b); }},
  {"pad", [](Config& c, std::string_view text) { c.pad = read_word(kSwitch, text); },
   [](const Config& c) { return c.pad ? written(kSwitch, *c.pad) : ""; }},
  {"transpose", [](Config& c, std::string_view text) { c.transpose = read_word(kSwitch, text); },
   [](const Config& c) { return c.transpose ? written(kSwitch, *c.transpose) : ""; }},
  {"main_loop", [](Config& c, std::string_view text) { c.main_loop = read_word(kMainLoops, text); },
   [](const Config& c) { return c.main_loop ? written(kMainLoops, *c.main_loop) : ""; }},
  {"cluster", [](Config& c, std::string_view text) { c.cluster = read_cluster(text); },
   [](const Config& c) { return c.cluster ? written(*c.cluster) : ""; }},
  {"blocks", [](Config& c, std::string_view text) { c.blocks = read_int(text); },
   [](const Config& c) { return written(c.blocks); }},
  {"ping_pong", [](Config& c, std::string_view text) { c.ping_pong = read_int(text); },
   [](const Config& c) { return written(c.ping_pong); }},
  {"producer_warps", [](Config& c, std::string_view text) { c.producer_warps = read_int(text); },
   [](const Config& c) { return written(c.producer_warps); }},
  {"split_k", [](Config& c, std::string_view text) { c.split_k = read_int(text); },
   [](const Config& c) { return written(c.split_k); }},
  {"whole_tiles", [](Config& c, std::string_view text) { c.whole_tiles = read_int(text); },
   [](const Config& c) { return written(c.whole_tiles); }},
  {"reduction", [](Config& c, std::string_view text) { c.reduction = read_word(kSplitKReductions, text); },
   [](const Config& c) { return c.reduction ? written(kSplitKReductions, *c.reduction) : ""; }},
  {"k_starts", [](Config& c, std::string_view text) { c.k_starts = read_int(text); },
   [](const Config& c) { return written(c.k_starts); }},
  {"matrices_per_block", [](Config& c, std::string_view text) { c.matrices_per_block = read_int(text); },
   [](const Config& c) { return written(c.matrices_per_block); }},
  {"promote", [](Config& c, std::string_view text) { c.promote = read_int(text); },
   [](const Config& c) { return written(c.promote); }},
  {"read_once", [](Config& c, std::string_view text) { c.read_once = read_word(kReadOnce, text); },
   [](const Config& c) { return c.read_once ? written(kReadOnce, *c.read_once) : ""; }},
  {"edge_rows", [](Config& c, std::string_view text) { c.edge_rows = read_word(kEdgeRows, text); },
   [](const Config& c) { return c.edge_rows ? written(kEdgeRows, *c.edge_rows) : ""; }},
  {"widths", [](Config& c, std::string_view text) { c.widths = read_word(kSwitch, text); },
   [](const Config& c) { return c.widths ? written(kSwitch, *c.widths) : ""; }},
  {"swapped", [](Config& c, std::string_view text) { c.swapped = read_word(kSwitch, text); },
   [](const Config& c) { return c.swapped ? written(kSwitch, *c.swapped) : ""; }},
  {"first_stages", [](Config& c, std::string_view text) { c.first_stages = read_word(kFirstStages, text); },
   [](const Config& c) { return c.first_stages ? written(kFirstStages, *c.first_stages) : ""; }},
  {"release", [](Config& c, std::string_view text) { c.release = read_word(kReleases, text); },
   [](const Config& c) { return c.release ? written(kReleases, *c.release) : ""; }},
  {"launches", [](Config& c, std::string_view text) { c.launches = read_word(kLaunches, text); },
   [](const Config& c) { return c.launches ? written(kLaunches, *c.launches) : ""; }},
}};
// clang-format on

constexpr auto kNames = [] {
  std::array<std::string_view, kChoices.size()> names;
  for (size_t i = 0; i < names.size(); ++i) names[i] = kChoices[i].name;
  return names;
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

std::span<const std::string_view> config_choices() { return kNames; }

void choose(Config& config, std::string_view choice, std::string_view value) {
  choice = today_of("", choice);
  value = today_of(choice, value);
  const auto row = std::ranges::find(kChoices, choice, &ChoiceRow::name);
  if (row == kChoices.end() && choice != kFastAccum) {
    const std::vector<std::string> known(kNames.begin(), kNames.end());
    throw Exception({.code = ErrorCode::unknown_name,
                     .operand = "choice",
                     .value = std::string(choice),
                     .violated_rules = {"a choice must be one of: " + joined(known)},
                     .nearest_legal = nearest_name(choice, known)});
  }
  try {
    if (value.empty()) refuse_value(ErrorCode::syntax, "", "a choice needs a value");
    if (choice != kFastAccum)
      row->read(config, value);
    else if (read_word(kSwitch, value))
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
    if (!value.empty()) text += base::format("{}{}={}", text.empty() ? "" : " ", row.name, value);
  }
  return text;
}

std::ostream& operator<<(std::ostream& out, const Config& config) {
  return out << to_string(config);
}

}  // namespace jute
