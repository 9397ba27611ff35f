// The words of placements and shares: `A=M@row,K@col,B=N@tp,D=+tp`.
#include <jute/base/nearest_name.hpp>
#include <jute/dist/placement.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <ostream>

#include "base/format.hpp"
#include "dist/text_reader.hpp"

namespace jute {

std::string_view name(Dimension dimension) {
  constexpr std::array<std::string_view, 3> kNames{"M", "N", "K"};
  return kNames[static_cast<std::size_t>(dimension)];
}

std::string to_string(const Deal& deal) {
  const std::string text = base::format("{}@{}", name(deal.dimension), deal.axis);
  return deal.block == 0 ? text : base::format("{}/{}", text, deal.block);
}

namespace {

constexpr std::string_view kWordRule =
    "a placement must be all, or parts such as M@tp, K@tp/128 and +tp, or a layout";

Deal read_deal(dist::TextReader& reader) {
  const std::size_t at = reader.place();
  const std::string letter = reader.name("M, N or K");
  const std::array dimensions{Dimension::m, Dimension::n, Dimension::k};
  const auto found = std::ranges::find_if(
      dimensions, [&](Dimension dimension) { return name(dimension) == letter; });
  if (found == dimensions.end()) {
    const std::vector<std::string> known{"M", "N", "K", "all"};
    reader.refuse(ErrorCode::unknown_name, at, kWordRule, nearest_name(letter, known));
  }
  reader.expect('@', "an axis must follow: M@tp");
  Deal deal{*found, reader.name("an axis of the mesh"), 0};
  if (reader.take('/'))
    deal.block = reader.number(1, std::numeric_limits<std::int32_t>::max(),
                               "a block must have from 1 to 2147483647 indices");
  return deal;
}

/// A layout in the text of a placement.
Layout read_layout(dist::TextReader& reader) {
  const std::size_t at = reader.place();
  try {
    return Layout(reader.upto_comma());
  } catch (const Exception& exception) {
    const Error& error = exception.error();
    const std::size_t inside =
        error.position ? static_cast<std::size_t>(error.position->column - 1) : 0;
    reader.refuse(error.code, at + inside,
                  error.violated_rules.empty() ? kWordRule : error.violated_rules.front());
  }
}

/// Up to the name of another matrix, or the end.
Placement read_placement(dist::TextReader& reader) {
  Placement placement;
  if (reader.peek() == '(') {
    placement.layout = read_layout(reader);
    return placement;
  }
  if (reader.peek() == 'a') {
    const std::size_t at = reader.place();
    if (reader.name("all") != "all") reader.refuse(ErrorCode::unknown_name, at, kWordRule, "all");
    return placement;
  }
  do {
    if (reader.take('+'))
      placement.sums.push_back(reader.name("an axis of the mesh"));
    else
      placement.deals.push_back(read_deal(reader));
    if (reader.peek() != ',') return placement;
    dist::TextReader ahead = reader;
    (void)ahead.take(',');
    if (ahead.is_named()) return placement;
  } while (reader.take(','));
  return placement;
}

template <class Parts>
std::string listed(const Parts& parts, std::string_view mark) {
  std::string text;
  for (const auto& part : parts) {
    if (!text.empty()) text += ",";
    text += mark;
    if constexpr (std::is_same_v<std::decay_t<decltype(part)>, Deal>)
      text += to_string(part);
    else
      text += part;
  }
  return text;
}

}  // namespace

std::string to_string(const Placement& placement) {
  if (placement.layout) return to_string(*placement.layout);
  const std::string deals = listed(placement.deals, ""), sums = listed(placement.sums, "+");
  if (deals.empty() && sums.empty()) return "all";
  return deals.empty() || sums.empty() ? deals + sums : deals + "," + sums;
}
std::ostream& operator<<(std::ostream& out, const Placement& placement) {
  return out << to_string(placement);
}

Placement parse_placement(std::string_view text) {
  dist::TextReader reader("placement", text);
  Placement placement = read_placement(reader);
  reader.expect_end(kWordRule);
  return placement;
}

std::string to_string(const Placements& placements) {
  std::string text;
  const auto add = [&](std::string_view matrix, const Placement& placement) {
    text += base::format("{}{}={}", text.empty() ? "" : ",", matrix, to_string(placement));
  };
  if (placements.a != Placement{}) add("A", placements.a);
  if (placements.b != Placement{}) add("B", placements.b);
  if (placements.c) add("C", *placements.c);
  if (placements.d != Placement{}) add("D", placements.d);
  return text.empty() ? "D=all" : text;
}

Placements parse_placements(std::string_view text) {
  dist::TextReader reader("place", text);
  Placements placements;
  std::array<bool, 4> said{};
  do {
    const std::size_t at = reader.place();
    const std::string matrix = reader.name("A, B, C or D");
    const std::size_t place = std::string_view("ABCD").find(matrix);
    if (matrix.size() != 1 || place == std::string_view::npos) {
      const std::vector<std::string> known{"A", "B", "C", "D"};
      reader.refuse(ErrorCode::unknown_name, at, "a placement must be of A, B, C or D",
                    nearest_name(matrix, known));
    }
    if (std::exchange(said[place], true))
      reader.refuse(ErrorCode::illegal_config, at, "a matrix must be placed once");
    reader.expect('=', "its placement must follow: A=M@tp");
    Placement placement = read_placement(reader);
    switch (matrix.front()) {
      case 'A':
        placements.a = std::move(placement);
        break;
      case 'B':
        placements.b = std::move(placement);
        break;
      case 'C':
        placements.c = std::move(placement);
        break;
      default:
        placements.d = std::move(placement);
    }
  } while (reader.take(','));
  reader.expect_end("placements must stand between commas: A=M@tp,B=N@tp");
  return placements;
}

std::string to_string(const Share& share) {
  return share.deals.empty() ? "all" : listed(share.deals, "");
}

Share parse_share(std::string_view text) {
  dist::TextReader reader("share", text);
  Placement placement = read_placement(reader);
  if (placement.layout || !placement.sums.empty())
    reader.refuse(ErrorCode::syntax, 0, "a share must be all, or parts such as M@row,N@col");
  reader.expect_end("a share must be all, or parts such as M@row,N@col");
  return {std::move(placement.deals)};
}

}  // namespace jute
