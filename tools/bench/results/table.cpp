// Results as lines of a table and as JSON.
#include "bench/results/report.hpp"

#include <algorithm>

#include "tree/numbers.hpp"

namespace jute::bench {
namespace {

constexpr size_t kNameWidth = 50;

/// A figure, or nothing where it is unknown.
std::string cell(double value, int digits, size_t width) {
  return right(value > 0 ? fixed(value, digits) : "", width);
}

std::string spread(const Result& result) {
  return result.ratio > 0 ? "(" + fixed(result.least, 3) + "-" + fixed(result.most, 3) + ")" : "";
}

std::string title(const Result& result) {
  if (result.side == Side::plain) return "jute without the epilogue";
  return (result.side == Side::jute ? "jute " : "") + result.contestant;
}

std::string line(const Result& result) {
  const std::string head =
      "  " + left(std::string(name(result.mode)), 10) + left(title(result), kNameWidth);
  if (result.us <= 0) return head + "  " + result.note + "\n";
  std::string text = head + right(fixed(result.us, 2), 10) + cell(tflops(result), 1, 9) +
                     cell(result.ratio, 3, 8) + right(spread(result), 15) + cell(result.mhz, 0, 6) +
                     cell(result.watts, 0, 6);
  text += right(result.error >= 0 ? scientific(result.error) : "", 9);
  if (result.side != Side::peer && result.registers > 0)
    text +=
        right(std::to_string(result.registers), 5) + right(std::to_string(result.spill_bytes), 6);
  if (result.of_plain > 0 && result.side != Side::plain)
    text += "  " + fixed(result.of_plain, 3) + " of plain";
  if (!result.note.empty()) text += "  " + result.note;
  text += "\n";
  return is_right(result) ? text : text + "  ^ WRONG RESULT\n";
}

Json result_json(const Result& result) {
  const auto known = [](double value) { return value > 0 ? Json(value) : Json(); };
  Json json = {{"mode", name(result.mode)},
               {"side", name(result.side)},
               {"contestant", result.contestant},
               {"us", known(result.us)},
               {"tflops", known(tflops(result))},
               {"ratio", known(result.ratio)},
               {"least", known(result.least)},
               {"most", known(result.most)},
               {"of_plain", known(result.of_plain)},
               {"mhz", known(result.mhz)},
               {"watts", known(result.watts)},
               {"error", result.error >= 0 ? Json(result.error) : Json()},
               {"right", is_right(result)},
               {"overlapped", result.is_overlapped},
               {"flop", result.flop},
               {"bytes", result.bytes}};
  if (result.side != Side::peer) {
    json.add("registers", result.registers);
    json.add("spill_bytes", result.spill_bytes);
  }
  if (!result.note.empty()) json.add("note", result.note);
  return json;
}

Json report_json(const CaseReport& report) {
  Json json = {{"case", report.id},
               {"problem", report.problem},
               {"launches", report.launches},
               {"operand_sets", report.sets},
               {"results", Json::array(report.results, result_json)}};
  if (!report.note.empty()) json.add("note", report.note);
  return json;
}

}  // namespace

std::string table_header(const Machine& machine) {
  std::string text = machine.device + ", driver " + machine.driver + ", ";
  text += machine.cublas.empty() ? "no cuBLASLt: nothing to race against" : machine.cublas;
  return text + "\n" + left("mode", 12) + left("contestant", kNameWidth) + right("us", 10) +
         right("TFLOP/s", 9) + right("ratio", 8) + right("(least-most)", 15) + right("MHz", 6) +
         right("W", 6) + right("err/bnd", 9) + right("regs", 5) + right("spill", 6) + "\n";
}

std::string to_table(const CaseReport& report) {
  std::string text = report.id + "  " + report.problem + "\n";
  if (report.launches > 0)
    text += "  graphs of " + std::to_string(report.launches) + " launches over " +
            std::to_string(report.sets) + " operand sets\n";
  for (const Result& result : report.results) text += line(result);
  if (!report.note.empty()) text += "  " + report.note + "\n";
  const bool overlaps = std::ranges::any_of(report.results, [](const Result& result) {
    return result.side == Side::jute && result.is_overlapped;
  });
  return overlaps ? text + "  " + std::string(kOverlapNote) + "\n" : text;
}

Json to_json(const Machine& machine, const std::vector<CaseReport>& reports) {
  return {{"machine",
           {{"device", machine.device},
            {"driver", machine.driver},
            {"cublas", machine.cublas.empty() ? Json() : Json(machine.cublas)},
            {"sm_count", machine.sm_count},
            {"peak_mhz", machine.peak_mhz},
            {"bytes_per_second", machine.bytes_per_second}}},
          {"cases", Json::array(reports, report_json)}};
}

}  // namespace jute::bench
