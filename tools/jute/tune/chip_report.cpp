// Words, a row of C++ and JSON of a measured chip.
#include "tune/chip_report.hpp"

#include <jute/base/nearest_name.hpp>
#include <jute/plan/chip/chip_figures.hpp>
#include <jute/plan/cost/chip_tables.hpp>

#include <algorithm>
#include <cctype>
#include <iomanip>
#include <sstream>

#include "tree/numbers.hpp"
#include "tree/words.hpp"

namespace jute::tuning {
namespace {

bool is_measured(const ChipReport& report, std::string_view figure) {
  return std::ranges::find(report.measured, figure, &OwnFigure::name) != report.measured.end();
}

std::string five_digits(double value) { return bench::in_digits(value, 5); }

/// `NVIDIA GeForce RTX 4090` is a rtx4090: a maker's words are no chip's.
std::string short_name(const ChipReport& report) {
  const ChipFigures chip = chip_figures(report.device);
  std::string name;
  for (const std::string& word : command::words_in(report.device.name))
    if (word != "NVIDIA" && word != "GeForce") name += command::lower_case(word);
  std::erase_if(name, [](unsigned char c) { return std::isalnum(c) == 0; });
  return name.starts_with(chip.chip) ? std::string(chip.chip) : name;
}

std::string_view function_of(FigureSource source) {
  constexpr std::string_view kFunctions[] = {"sheet", "measured", "derived", "estimate"};
  return kFunctions[static_cast<size_t>(source)];
}

/// Figures that were measured elsewhere are derived here.
std::string cell(const ChipReport& report, const NamedFigure& one) {
  if (one.figure.value == 0) return "kNone";
  const bool is_known = one.figure.source == FigureSource::measured,
             is_probed = is_known && is_measured(report, one.name);
  const FigureSource source = is_known && !is_probed ? FigureSource::derived : one.figure.source;
  return std::string(function_of(source)) + "(" + five_digits(one.figure.value) +
         (is_probed ? ", kTuned)" : ")");
}

std::string date_of(const ChipReport& report) {
  constexpr std::string_view kMeasured = "measured ";
  for (const OwnFigure& one : report.measured)
    if (one.origin.starts_with(kMeasured))
      return one.origin.substr(kMeasured.size(), one.origin.find(':') - kMeasured.size());
  return {};
}

}  // namespace

std::vector<std::string> not_measured(const ChipReport& report) {
  std::vector<std::string> names;
  for (const NamedFigure& one : figures(ChipFigures{}))
    if (!is_measured(report, one.name)) names.emplace_back(one.name);
  return names;
}

std::string row_text(const ChipReport& report) {
  const ChipFigures chip = chip_figures(report.device);
  std::string text;
  if (const std::string date = date_of(report); !date.empty())
    text += "constexpr FigureProbe kTuned{\"" + date + "\", \"jute tune --chip\"};\n";
  text += "  {.chip = \"" + short_name(report) +
          "\", .arch = " + std::to_string(report.device.arch.number) + ",\n   .document = \"" +
          std::string(chip.document) + "\",";
  std::string line;
  constexpr size_t kWidth = 100;
  const auto flush = [&] {
    if (!line.empty()) text += "\n  " + line;
    line.clear();
  };
  for (const NamedFigure& one : figures(chip)) {
    const std::string next = " ." + std::string(one.name) + " = " + cell(report, one) + ",";
    if (line.size() + next.size() > kWidth) flush();
    line += next;
  }
  flush();
  text.back() = '}';
  return text + ",\n";
}

std::string to_text(const ChipReport& report) {
  std::ostringstream text;
  text << identity(report.device) << '\n';
  for (const NamedFigure& one : figures(chip_figures(report.device))) {
    const auto own = std::ranges::find(report.measured, one.name, &OwnFigure::name);
    if (own == report.measured.end()) continue;
    text << std::left << std::setw(19) << one.name << std::right << std::setw(8)
         << five_digits(own->value) << "  " << one.unit << ": " << one.meaning << " ("
         << own->origin << ")\n";
  }
  text << "Not measured" << (report.why.empty() ? "" : ", as " + report.why) << ": "
       << joined(not_measured(report)) << ". They are as the row of "
       << chip_figures(report.device).chip << " says.\nAs a row of src/plan/chip/rates.cpp:\n"
       << row_text(report)
       << (report.file.empty() ? "Nothing is kept.\n" : "kept in " + report.file + "\n");
  return text.str();
}

Json to_json(const ChipReport& report) {
  const auto figure_json = [](const OwnFigure& one) -> Json {
    return {{"name", one.name}, {"value", one.value}, {"origin", one.origin}};
  };
  return {{"device", identity(report.device)},
          {"figures", Json::array(report.measured, figure_json)},
          {"not_measured", Json::array(not_measured(report))},
          {"row", row_text(report)},
          {"file", report.file}};
}

}  // namespace jute::tuning
