// Findings as paragraphs and as JSON.
#include "emulate/outcome_text.hpp"

#include <jute/base/nearest_name.hpp>
#include <jute/emulator/kernel_name.hpp>

#include <array>
#include <charconv>

#include "emulate/source_lines.hpp"

namespace jute::command {
namespace {

/// Terminal colours, or nothing.
struct Paint {
  bool is_on;
  [[nodiscard]] std::string red(const std::string& text) const { return with("1;31", text); }
  [[nodiscard]] std::string bold(const std::string& text) const { return with("1", text); }
  [[nodiscard]] std::string faint(const std::string& text) const { return with("2", text); }

 private:
  [[nodiscard]] std::string with(const char* code, const std::string& text) const {
    return is_on ? "\033[" + std::string(code) + "m" + text + "\033[0m" : text;
  }
};

std::string party_text(const Party& party, SourceLines& sources, const Paint& paint) {
  std::string text = "  " + demangled(party.kernel) + " block (" + std::to_string(party.block[0]) +
                     "," + std::to_string(party.block[1]) + "," + std::to_string(party.block[2]) +
                     ") thread " + std::to_string(party.thread);
  if (party.ptx_line > 0) text += ", PTX line " + std::to_string(party.ptx_line);
  const auto line = sources.of(party);
  if (line && !party.source.empty())
    text += ", " + paint.bold(line->file + ":" + std::to_string(line->line));
  if (!party.text.empty()) text += ": " + party.text;
  text += "\n";
  if (line && !line->text.empty())
    text += paint.faint("    " + std::to_string(line->line) + " | ") + trimmed(line->text) + "\n";
  return text;
}

std::string hexadecimal(std::uint64_t value) {
  std::array<char, 16> digits;
  const auto [end, status] = std::to_chars(digits.data(), digits.data() + digits.size(), value, 16);
  return "0x" + std::string(digits.data(), end);
}

/// Addresses in findings are read with this beside them.
std::string places_text(const RunOutcome& outcome) {
  bool has_addresses = false;
  for (const Finding& finding : outcome.report.findings)
    has_addresses = has_addresses || finding.message.find("0x") != std::string::npos;
  if (!has_addresses || outcome.places.empty()) return {};
  std::string text = "buffers:";
  for (const BufferPlace& place : outcome.places)
    text += " " + place.name + " " + hexadecimal(place.address) + " (" +
            std::to_string(place.bytes) + " bytes)";
  return text + "\n";
}

}  // namespace

std::string findings_text(const RunOutcome& outcome, bool is_coloured) {
  const Paint paint{is_coloured};
  SourceLines sources(outcome.modules);
  std::string text;
  for (const Finding& finding : outcome.report.findings) {
    text += paint.red(finding.code + ":") + " " + finding.message;
    if (finding.count > 1) text += " (" + std::to_string(finding.count) + " times)";
    text += "\n";
    for (const Party& party : finding.parties) text += party_text(party, sources, paint);
  }
  return text;
}

std::string to_text(const RunOutcome& outcome, bool is_coloured) {
  const Paint paint{is_coloured};
  std::string text = outcome.report.printed;
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  text += findings_text(outcome, is_coloured);
  text += places_text(outcome);
  for (const Mismatch& mismatch : outcome.mismatches)
    text += paint.red("mismatch:") + " " + to_string(mismatch) + "\n";
  if (!outcome.matched.empty()) text += "as expected: " + joined(outcome.matched) + "\n";
  if (outcome.is_interrupted) return text + "interrupted\n";
  if (outcome.is_clean()) return text + "clean\n";
  // The counters close the report's own text.
  Report counted;
  counted.counters = outcome.report.counters;
  std::string last = to_string(counted);
  const size_t count = outcome.report.findings.size();
  last.replace(0, last.find(';'), std::to_string(count) + (count == 1 ? " finding" : " findings"));
  return text + last;
}

Json to_json(const RunOutcome& outcome) {
  Json json = to_json(outcome.report);
  const auto mismatch_json = [](const Mismatch& mismatch) -> Json {
    return {{"buffer", mismatch.buffer},    {"index", Json::array(mismatch.index)},
            {"value", mismatch.value},      {"expected", mismatch.expected},
            {"allowed", mismatch.allowed},  {"count", mismatch.count},
            {"elements", mismatch.elements}};
  };
  const auto place_json = [](const BufferPlace& place) -> Json {
    return {{"name", place.name}, {"address", hexadecimal(place.address)}, {"bytes", place.bytes}};
  };
  json.add("mismatches", Json::array(outcome.mismatches, mismatch_json));
  json.add("as_expected", Json::array(outcome.matched));
  json.add("buffers", Json::array(outcome.places, place_json));
  return json;
}

}  // namespace jute::command
