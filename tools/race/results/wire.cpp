// Facts as lines of cells.
#include "race/results/wire.hpp"

#include <cstdlib>
#include <vector>

namespace jute::bench {

Message message_of(const std::string& line) {
  const size_t tab = line.find('\t');
  return {line.substr(0, tab), tab == std::string::npos ? "" : line.substr(tab + 1)};
}

std::string to_wire(const Machine& machine) {
  return csv_line({machine.device, machine.driver, machine.cublas, std::to_string(machine.arch),
                   std::to_string(machine.sm_count), std::to_string(machine.peak_mhz),
                   std::to_string(machine.bytes_per_second)});
}

Machine machine_of_wire(const std::string& text) {
  const std::vector<std::string> cells = csv_cells(text, 7);
  return {.device = cells[0],
          .driver = cells[1],
          .cublas = cells[2],
          .arch = std::atoi(cells[3].c_str()),
          .sm_count = std::atoi(cells[4].c_str()),
          .peak_mhz = std::atof(cells[5].c_str()),
          .bytes_per_second = std::atof(cells[6].c_str())};
}

std::string to_wire(const CaseReport& report) {
  return csv_line({report.id, report.problem, report.note, std::to_string(report.launches),
                   std::to_string(report.sets)});
}

CaseReport report_of_wire(const std::string& text) {
  const std::vector<std::string> cells = csv_cells(text, 5);
  return {.id = cells[0],
          .problem = cells[1],
          .note = cells[2],
          .launches = std::atoi(cells[3].c_str()),
          .sets = std::atoi(cells[4].c_str()),
          .results = {}};
}

}  // namespace jute::bench
