// Reads an expression; of a mistake that is plain, offers what was meant.
#include "expr/reader.hpp"

#include <jute/base/error.hpp>

#include <algorithm>

namespace jute::expr {

namespace {

/// A longer text was typed by nobody, and is not mended.
constexpr std::size_t kLongest = 1000;

/// The brackets that are open at the end of a text; nothing where one closes another's kind.
std::string missing_brackets(std::string_view text) {
  std::string open;
  for (const char c : text) {
    if (c == '(') open += ')';
    if (c == '<') open += '>';
    if (c != ')' && c != '>') continue;
    if (open.empty() || open.back() != c) return {};
    open.pop_back();
  }
  std::reverse(open.begin(), open.end());
  return open;
}

/// The text if nothing is amiss with it.
std::optional<std::string> read(std::string text, const Catalogue& catalogue,
                                const Variables& variables) {
  try {
    (void)Reader(text, catalogue, variables).whole();
    return text;
  } catch (const Exception&) {
    return std::nullopt;
  }
}

/// The text with its brackets closed, or without those at its end that close none, where nothing
/// else is amiss.
std::optional<std::string> closed(std::string_view text, const Catalogue& catalogue,
                                  const Variables& variables) {
  const std::string missing = missing_brackets(text);
  std::string whole = std::string(text) + missing;
  if (missing.empty()) {
    if (!whole.ends_with(')') && !whole.ends_with('>')) return std::nullopt;
    whole.pop_back();
  }
  return read(std::move(whole), catalogue, variables);
}

/// `(4,2),4:(8,4),1`, as documents write layouts: the text with brackets around its shape and its
/// stride, where nothing else is amiss.
std::optional<std::string> bracketed(std::string_view text, const Catalogue& catalogue,
                                     const Variables& variables) {
  const std::size_t begin = std::min(text.find_first_of("(0123456789"), text.size());
  std::string whole(text.substr(0, begin));
  std::string side;
  int depth = 0;
  bool is_list = false;
  const auto close_side = [&] {
    whole += is_list ? '(' + side + ')' : side;
    side.clear(), is_list = false;
  };
  for (const char c : text.substr(begin)) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    is_list = is_list || (c == ',' && depth == 0);
    if (c == ':' && depth == 0)
      close_side(), whole += c;
    else
      side += c;
  }
  close_side();
  if (whole == text) return std::nullopt;
  return read(std::move(whole), catalogue, variables);
}

/// The text with its numbers of more than 64 bits at their largest, or with a sign at their least.
std::optional<std::string> held(std::string_view text) {
  std::string whole;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789", at), text.size());
    const std::string_view digits = text.substr(at, end - at);
    const std::string_view most =
        whole.ends_with('-') ? "9223372036854775808" : "9223372036854775807";
    const bool is_wide =
        digits.size() > most.size() || (digits.size() == most.size() && digits > most);
    whole += is_wide ? most : digits;
    at = end;
    if (at < text.size()) whole += text[at++];
  }
  return whole == text ? std::nullopt : std::optional(std::move(whole));
}

}  // namespace

Evaluation evaluated(std::string_view text, const Catalogue& catalogue,
                     const Variables& variables) {
  try {
    Reader reader(text, catalogue, variables);
    Value value = reader.whole();
    return {std::move(value), reader.offsets(), reader.remarks()};
  } catch (const Exception& exception) {
    Error error = exception.error();
    if (error.nearest_legal || text.size() > kLongest) throw;
    if (error.code == ErrorCode::syntax) {
      error.nearest_legal = closed(text, catalogue, variables);
      if (!error.nearest_legal) error.nearest_legal = bracketed(text, catalogue, variables);
    } else if (error.code == ErrorCode::overflow && error.operand == "expression")
      error.nearest_legal = held(text);
    if (!error.nearest_legal) throw;
    throw Exception(std::move(error));
  }
}

}  // namespace jute::expr
