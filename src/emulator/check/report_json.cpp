// Reports as JSON.
#include <jute/emulator/report.hpp>

namespace jute {
namespace {

Json json_of(const Party& party) {
  return {{"kernel", party.kernel}, {"block", Json::array(party.block)},
          {"thread", party.thread}, {"ptx_line", party.ptx_line},
          {"source", party.source}, {"text", party.text}};
}

}  // namespace

Json to_json(const Report& report) {
  Json findings = Json::array();
  for (const Finding& finding : report.findings) {
    Json parties = Json::array();
    for (const Party& party : finding.parties) parties.push_back(json_of(party));
    findings.push_back({{"code", finding.code},
                        {"message", finding.message},
                        {"count", finding.count},
                        {"parties", parties}});
  }
  const Counters& counters = report.counters;
  return {{"clean", report.clean()},
          {"findings", findings},
          {"printed", report.printed},
          {"counters",
           {{"warp_instructions", counters.warp_instructions},
            {"smem_accesses", counters.smem_accesses},
            {"smem_bank_conflicts", counters.smem_bank_conflicts},
            {"global_bytes_read", counters.global_bytes_read},
            {"global_bytes_written", counters.global_bytes_written}}}};
}

}  // namespace jute
