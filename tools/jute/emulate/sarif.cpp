// Findings as SARIF.
#include <jute/emulator/kernel_name.hpp>

#include <array>
#include <set>
#include <span>
#include <string_view>

#include "emulate/outcome_text.hpp"
#include "emulate/source_lines.hpp"

namespace jute::command {
namespace {

struct FindingRule {
  std::string_view code, text;
};

// clang-format off
constexpr std::array kFindingRules{
    FindingRule{"M1",  "an access out of bounds"},
    FindingRule{"M2",  "a misaligned access"},
    FindingRule{"M3",  "a value is used that was never written"},
    FindingRule{"M4",  "a result that no kernel wrote"},
    FindingRule{"M5",  "a write to constant memory"},
    FindingRule{"M6",  "an access to the shared memory of a block that has ended"},
    FindingRule{"M7",  "free of what no malloc gave, or twice"},
    FindingRule{"M8",  "no texture or surface object of this geometry, or a place outside a surface"},
    FindingRule{"R1",  "two accesses of two warps or blocks that nothing orders"},
    FindingRule{"R2",  "two accesses of two lanes of a warp that nothing orders"},
    FindingRule{"R3",  "the asynchronous proxy uses a write without a proxy fence"},
    FindingRule{"R5",  "the source of a bulk store is rewritten too early"},
    FindingRule{"R6",  "memory is rewritten while asynchronous work uses it"},
    FindingRule{"R7",  "a register of wgmma is touched too early, or used without a fence"},
    FindingRule{"R9",  "bytes are read before the copy that writes them was waited for"},
    FindingRule{"R10", "an overlapping launch touches what those before it use"},
    FindingRule{"R11", "ranks touch memory that they share without a flag of system scope between"},
    FindingRule{"R12", "a flag between ranks has a scope that does not reach them"},
    FindingRule{"P1",  "an mbarrier's arrivals are wrong"},
    FindingRule{"P2",  "an mbarrier's bytes are wrong"},
    FindingRule{"P4",  "a divergent or mismatched barrier"},
    FindingRule{"P5",  "setmaxnreg is misused"},
    FindingRule{"P6",  "warps of a warpgroup issue different products"},
    FindingRule{"P7",  "a bulk copy that hardware refuses"},
    FindingRule{"P8",  "a block ends beside asynchronous work or while a neighbour may reach into it"},
    FindingRule{"P10", "lanes outside a member mask, or missing from it"},
    FindingRule{"P12", "a deadlock, or a block without end"},
    FindingRule{"P14", "a bulk copy writes past the end of a row"},
    FindingRule{"P15", "a dependent launch is released or ended wrongly"},
    FindingRule{"P16", "a wgmma descriptor holds the block's rank"},
    FindingRule{"X1",  "the kernel stopped itself"},
    FindingRule{"X2",  "a jump outside its table, or a call through a pointer to no function"},
    FindingRule{"X3",  "a failed assertion"},
    FindingRule{"mismatch", "memory does not hold what was expected"},
};

// clang-format on

/// Empty for a code that stands in no row.
[[nodiscard]] constexpr std::string_view rule_text(std::string_view code) {
  for (const FindingRule& rule : kFindingRules)
    if (rule.code == code) return rule.text;
  return {};
}

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
  const auto location = [&](const Party& party) { return location_of(party, sources); };
  const std::span others = std::span(finding.parties).subspan(1);
  if (!others.empty()) result.add("relatedLocations", Json::array(others, location));
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
