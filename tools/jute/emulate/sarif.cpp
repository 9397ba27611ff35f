// Findings as SARIF.
#include <jute/emulator/kernel_name.hpp>

#include <set>

#include "emulate/finding_rules.hpp"
#include "emulate/outcome_text.hpp"
#include "emulate/source_lines.hpp"

namespace jute::command {
namespace {

/// A path as the path of a URI: what such paths do not hold is escaped.
std::string uri_of(const std::string& path) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  constexpr std::string_view kPlain = "/-._~!$&'()*+,;=@";
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char letter : path) {
    const auto byte = static_cast<unsigned char>(letter);
    const bool is_plain = ('a' <= letter && letter <= 'z') || ('A' <= letter && letter <= 'Z') ||
                          ('0' <= letter && letter <= '9') ||
                          kPlain.find(letter) != std::string_view::npos;
    if (is_plain)
      uri += letter;
    else
      uri += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return uri;
}

Json location_of(const Party& party, SourceLines& sources) {
  Json location = Json::object();
  if (const auto line = sources.of(party)) {
    Json region{{"startLine", std::max(1, line->line)}};
    if (!line->text.empty()) region.add("snippet", {{"text", line->text}});
    location.add("physicalLocation",
                 {{"artifactLocation", {{"uri", uri_of(line->file)}}}, {"region", region}});
  }
  const Json kernel{{"fullyQualifiedName", demangled(party.kernel)}, {"kind", "function"}};
  location.add("logicalLocations", Json::array({kernel}));
  location.add(
      "message",
      {{"text", "block (" + std::to_string(party.block[0]) + "," + std::to_string(party.block[1]) +
                    "," + std::to_string(party.block[2]) + ") thread " +
                    std::to_string(party.thread) + (party.text.empty() ? "" : ": " + party.text)}});
  return location;
}

Json result_of(const Finding& finding, SourceLines& sources) {
  Json result{{"ruleId", finding.code},
              {"level", "error"},
              {"message", {{"text", finding.message}}},
              {"occurrenceCount", std::max<Index>(1, finding.count)}};
  if (finding.parties.empty()) return result;
  result.add("locations", Json::array({location_of(finding.parties.front(), sources)}));
  Json related = Json::array();
  for (size_t i = 1; i < finding.parties.size(); ++i)
    related.push_back(location_of(finding.parties[i], sources));
  if (finding.parties.size() > 1) result.add("relatedLocations", related);
  return result;
}

}  // namespace

Json to_sarif(const RunOutcome& outcome) {
  SourceLines sources(outcome.modules);
  Json results = Json::array();
  std::set<std::string> codes;
  for (const Finding& finding : outcome.report.findings) {
    results.push_back(result_of(finding, sources));
    codes.insert(finding.code);
  }
  for (const Mismatch& mismatch : outcome.mismatches) {
    results.push_back(
        {{"ruleId", "mismatch"}, {"level", "error"}, {"message", {{"text", to_string(mismatch)}}}});
    codes.insert("mismatch");
  }
  Json rules = Json::array();
  for (const std::string& code : codes) {
    Json rule{{"id", code}};
    if (!rule_text(code).empty()) rule.add("shortDescription", {{"text", rule_text(code)}});
    rules.push_back(rule);
  }
  const Json driver{{"name", "jute"}, {"rules", rules}};
  const Json run{{"tool", {{"driver", driver}}}, {"results", results}};
  return {{"$schema",
           "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"},
          {"version", "2.1.0"},
          {"runs", Json::array({run})}};
}

}  // namespace jute::command
