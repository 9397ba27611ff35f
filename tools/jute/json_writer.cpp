// Errors and reports as JSON.
#include "json_writer.hpp"

namespace jute::command {

Json to_json(const Error& error) {
  Json json{{"code", code_name(error.code)},
            {"message", to_string(error)},
            {"operand", error.operand},
            {"value", error.value},
            {"violated_rules", error.violated_rules},
            {"nearest_legal", nullptr},
            {"position", nullptr},
            {"detail", error.detail}};
  if (error.nearest_legal) json["nearest_legal"] = *error.nearest_legal;
  if (error.position)
    json["position"] = {{"line", error.position->line}, {"column", error.position->column}};
  return json;
}

namespace {

Json to_json(const Party& party) {
  return {{"kernel", party.kernel}, {"block", {party.block[0], party.block[1], party.block[2]}},
          {"thread", party.thread}, {"ptx_line", party.ptx_line},
          {"source", party.source}, {"text", party.text}};
}

}  // namespace

Json to_json(const Report& report) {
  Json findings = Json::array();
  for (const Finding& finding : report.findings) {
    Json parties = Json::array();
    for (const Party& party : finding.parties) parties.push_back(to_json(party));
    findings.push_back({{"code", finding.code},
                        {"message", finding.message},
                        {"count", finding.count},
                        {"parties", std::move(parties)}});
  }
  const Counters& counters = report.counters;
  return {{"clean", report.clean()},
          {"findings", std::move(findings)},
          {"counters",
           {{"warp_instructions", counters.warp_instructions},
            {"smem_accesses", counters.smem_accesses},
            {"smem_bank_conflicts", counters.smem_bank_conflicts},
            {"global_bytes_read", counters.global_bytes_read},
            {"global_bytes_written", counters.global_bytes_written}}}};
}

std::string one_line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string indented(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace jute::command
