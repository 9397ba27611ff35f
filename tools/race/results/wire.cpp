// Facts as lines with tabs between them.
#include "race/results/wire.hpp"

#include <jute/base/error.hpp>

#include <algorithm>
#include <vector>

#include "tree/command_tree.hpp"

namespace jute::bench {
namespace {

std::string joined_by_tabs(std::vector<std::string> cells) {
  std::string text;
  for (std::string& cell : cells) {
    std::ranges::replace(cell, '\t', ' ');
    std::ranges::replace(cell, '\n', ' ');
    text += (&cell == cells.data() ? "" : "\t") + cell;
  }
  return text;
}

std::vector<std::string> split(const std::string& text, size_t count) {
  std::vector<std::string> cells;
  size_t at = 0;
  for (size_t tab = text.find('\t'); tab != std::string::npos; tab = text.find('\t', at)) {
    cells.push_back(text.substr(at, tab - at));
    at = tab + 1;
  }
  cells.push_back(text.substr(at));
  if (cells.size() != count)
    command::refuse(ErrorCode::bad_file, "worker", text,
                    "its line must have " + std::to_string(count) + " cells");
  return cells;
}

}  // namespace

Message message_of(const std::string& line) {
  const size_t tab = line.find('\t');
  return {line.substr(0, tab), tab == std::string::npos ? "" : line.substr(tab + 1)};
}

std::string to_wire(const Machine& machine) {
  return joined_by_tabs({machine.device, machine.driver, machine.cublas,
                         std::to_string(machine.arch), std::to_string(machine.sm_count),
                         std::to_string(machine.peak_mhz),
                         std::to_string(machine.bytes_per_second)});
}

Machine machine_of_wire(const std::string& text) {
  const std::vector<std::string> cells = split(text, 7);
  return {.device = cells[0],
          .driver = cells[1],
          .cublas = cells[2],
          .arch = std::atoi(cells[3].c_str()),
          .sm_count = std::atoi(cells[4].c_str()),
          .peak_mhz = std::atof(cells[5].c_str()),
          .bytes_per_second = std::atof(cells[6].c_str())};
}

std::string to_wire(const CaseReport& report) {
  return joined_by_tabs({report.id, report.problem, report.note, std::to_string(report.launches),
                         std::to_string(report.sets)});
}

CaseReport report_of_wire(const std::string& text) {
  const std::vector<std::string> cells = split(text, 5);
  return {.id = cells[0],
          .problem = cells[1],
          .note = cells[2],
          .launches = std::atoi(cells[3].c_str()),
          .sets = std::atoi(cells[4].c_str()),
          .results = {}};
}

}  // namespace jute::bench
