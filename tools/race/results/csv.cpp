// Results as CSV: one table of columns writes and reads them.
#include "race/results/results.hpp"

#include <jute/base/error.hpp>
#include <jute/base/parsed_number.hpp>

#include <algorithm>
#include <array>
#include <charconv>

#include "tree/command_tree.hpp"

namespace jute::bench {
namespace {

std::string text_of(double value) {
  std::array<char, 40> text{};
  const auto [end, status] =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 7);
  return status == std::errc() ? std::string(text.data(), end) : "";
}

/// A cell as CSV has it: quoted where it holds what ends a cell. Line ends become blanks.
std::string quoted(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  if (text.find_first_of(",\"") == std::string::npos) return text;
  std::string cell = "\"";
  for (const char letter : text) cell += letter == '"' ? "\"\"" : std::string(1, letter);
  return cell + "\"";
}

[[noreturn]] void refuse_result(const std::string& operand, const std::string& value,
                                const std::string& rule) {
  command::refuse(ErrorCode::bad_file, operand, value, rule);
}

double number_in(const std::string& cell) {
  if (const auto value = parsed_number<double>(cell)) return *value;
  refuse_result("cell", cell, "it must be a number");
}

Mode mode_of(const std::string& text) {
  if (const auto mode = find_mode(text)) return *mode;
  refuse_result("mode", text, "it must be cool, pdl off, stream, chain, sustained or cold");
}

Side side_of(const std::string& text) {
  if (const auto side = find_side(text)) return *side;
  refuse_result("side", text, "it must be jute, plain or peer");
}

struct Column {
  std::string_view name;
  std::string (*write)(const Result& result);
  void (*read)(Result& result, const std::string& cell);
};

template <double Result::*kMember>
constexpr Column number(std::string_view name) {
  return {name, [](const Result& r) { return text_of(r.*kMember); },
          [](Result& r, const std::string& cell) { r.*kMember = number_in(cell); }};
}
template <int Result::*kMember>
constexpr Column count(std::string_view name) {
  return {
      name, [](const Result& r) { return std::to_string(r.*kMember); },
      [](Result& r, const std::string& cell) { r.*kMember = static_cast<int>(number_in(cell)); }};
}
template <std::string Result::*kMember>
constexpr Column text(std::string_view name) {
  return {name, [](const Result& r) { return r.*kMember; },
          [](Result& r, const std::string& cell) { r.*kMember = cell; }};
}

constexpr std::array kResultColumns{
    text<&Result::case_id>("case"),
    Column{"mode", [](const Result& r) { return std::string(name(r.mode)); },
           [](Result& r, const std::string& cell) { r.mode = mode_of(cell); }},
    Column{"side", [](const Result& r) { return std::string(name(r.side)); },
           [](Result& r, const std::string& cell) { r.side = side_of(cell); }},
    text<&Result::contestant>("contestant"),
    number<&Result::us>("us"),
    Column{"tflops", [](const Result& r) { return text_of(tflops(r)); },
           [](Result&, const std::string&) {}},
    number<&Result::ratio>("ratio"),
    number<&Result::least>("least"),
    number<&Result::most>("most"),
    number<&Result::of_plain>("of_plain"),
    number<&Result::mhz>("mhz"),
    number<&Result::watts>("watts"),
    number<&Result::error>("error"),
    count<&Result::registers>("registers"),
    count<&Result::spill_bytes>("spill_bytes"),
    Column{"overlapped", [](const Result& r) { return std::string(r.is_overlapped ? "1" : "0"); },
           [](Result& r, const std::string& cell) { r.is_overlapped = cell == "1"; }},
    number<&Result::flop>("flop"),
    number<&Result::bytes>("bytes"),
    text<&Result::note>("note"),
};

}  // namespace

std::vector<std::string> csv_cells(std::string_view line) {
  std::vector<std::string> cells(1);
  bool is_quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    const bool is_quote = line[i] == '"';
    if (is_quote && is_quoted && line.substr(i + 1).starts_with('"'))
      cells.back() += line[++i];
    else if (is_quote)
      is_quoted = !is_quoted;
    else if (line[i] == ',' && !is_quoted)
      cells.emplace_back();
    else
      cells.back() += line[i];
  }
  return cells;
}

std::string csv_line(const std::vector<std::string>& cells) {
  std::string line;
  for (const std::string& cell : cells) line += (&cell == cells.data() ? "" : ",") + quoted(cell);
  return line;
}

std::vector<std::string> csv_cells(std::string_view line, size_t count) {
  std::vector<std::string> cells = csv_cells(line);
  if (cells.size() != count)
    refuse_result("line", std::string(line), "it must have " + std::to_string(count) + " cells");
  return cells;
}

std::string csv_header() {
  std::vector<std::string> names;
  for (const Column& column : kResultColumns) names.emplace_back(column.name);
  return csv_line(names);
}

std::string to_csv(const Result& result) {
  std::vector<std::string> cells;
  for (const Column& column : kResultColumns) cells.push_back(column.write(result));
  return csv_line(cells);
}

Result result_of_csv(std::string_view line) {
  const std::vector<std::string> cells = csv_cells(line, kResultColumns.size());
  Result result;
  for (size_t i = 0; i < cells.size(); ++i) kResultColumns[i].read(result, cells[i]);
  return result;
}

}  // namespace jute::bench
