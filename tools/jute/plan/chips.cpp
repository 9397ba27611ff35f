// `jute chips`: what chips can do at most, and how each figure is known.
#include <jute/launch/device_presets.hpp>
#include <jute/plan/chip/chip_figures.hpp>

#include <iomanip>
#include <memory>
#include <ostream>
#include <sstream>

#include "command/command_line.hpp"
#include "command/exit_status.hpp"
#include "files/json_writer.hpp"
#include "options/problem_options.hpp"
#include "tree/numbers.hpp"

namespace jute::command {
namespace {

struct ChipsOptions {
  std::string chip;
};

/// A column of the table: a heading, and the figure below it.
struct ChipColumn {
  const char* heading;
  Figure ChipFigures::*figure;
};
constexpr ChipColumn kColumns[] = {
    {"MHz", &ChipFigures::mhz},           {"GB/s", &ChipFigures::memory_gb_s},
    {"f16", &ChipFigures::mma_halves},    {"tf32", &ChipFigures::mma_words},
    {"s8", &ChipFigures::mma_integers},   {"fp8", &ChipFigures::mma_bytes},
    {"f64", &ChipFigures::mma_doubles},   {"by group", &ChipFigures::group_halves},
    {"f32", &ChipFigures::thread_singles}};

std::string figure_text(double value) { return value == 0 ? "-" : bench::in_digits(value, 6); }

std::string table() {
  std::ostringstream text;
  text << std::left << std::setw(9) << "chip" << std::setw(9) << "arch" << std::right
       << std::setw(5) << "SMs";
  for (const ChipColumn& column : kColumns) text << std::setw(9) << column.heading;
  text << '\n';
  for (const ChipFigures& chip : known_chips()) {
    const DeviceInfo& device = device_preset(chip.chip);
    text << std::left << std::setw(9) << chip.chip << std::setw(9) << to_string(device.arch)
         << std::right << std::setw(5) << device.sm_count;
    for (const ChipColumn& column : kColumns)
      text << std::setw(9) << figure_text((chip.*column.figure).value);
    text << '\n';
  }
  return text.str() +
         "Multiply-adds of an SM in a clock: f16 to f64 by mma.sync, f16 by wgmma or tcgen05 (by "
         "group), f32 by threads; jute chips CHIP says how each is known.\n";
}

/// `measured 2026-11-20: loops of one instruction`.
std::string origin(const Figure& figure) {
  std::string text(name(figure.source));
  if (figure.probe.method.empty()) return text;
  if (!figure.probe.date.empty()) text += ' ';
  return text + std::string(figure.probe.date) + ": " + std::string(figure.probe.method);
}

std::string list_of(const ChipFigures& chip) {
  std::ostringstream text;
  for (const NamedFigure& one : figures(chip))
    if (one.figure.value != 0)
      text << std::left << std::setw(19) << one.name << std::right << std::setw(8)
           << figure_text(one.figure.value) << "  " << one.unit << ": " << one.meaning << " ("
           << origin(one.figure) << ")\n";
  text << "The data sheet is: " << chip.document << ".\n";
  return text.str();
}

Json json_of(const ChipFigures& chip) {
  const auto figure_json = [](const NamedFigure& one) -> Json {
    return {{"name", one.name},
            {"value", one.figure.value},
            {"unit", one.unit},
            {"meaning", one.meaning},
            {"source", name(one.figure.source)},
            {"date", one.figure.probe.date},
            {"method", one.figure.probe.method}};
  };
  return {{"chip", chip.chip},
          {"arch", chip.arch},
          {"document", chip.document},
          {"figures", Json::array(figures(chip), figure_json)}};
}

int run_chips(const ChipsOptions& options, const Session& session) {
  std::vector<ChipFigures> chips = known_chips();
  if (!options.chip.empty()) chips = {chip_figures(named_chip(options.chip))};
  if (session.common.json)
    for (const ChipFigures& chip : chips) session.print(json_of(chip));
  else
    session.out << (options.chip.empty() ? table() : list_of(chips.front()));
  return kDone;
}

}  // namespace

void add_chips(Command& jute) {
  auto options = std::make_shared<ChipsOptions>();
  Command& sub =
      jute.add("chips", "Say what chips can do at most, and how that is known", "jute chips h200");
  Words names;
  for (const DeviceInfo& chip : device_presets()) names.push_back(chip.name);
  sub.option("chip", &options->chip,
             "All figures of one chip: h200, a100, …, or a file of one's own")
      .offers(names);
  sub.run = [options](const Session& session) { return run_chips(*options, session); };
}

}  // namespace jute::command
