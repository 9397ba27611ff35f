// Errors and reports as JSON.
#include "json_writer.hpp"

#include <nlohmann/json.hpp>
#include <utility>

namespace jute::command {
namespace {

using Parsed = nlohmann::ordered_json;

std::string spelling(const Parsed& value) {
  return value.dump(-1, ' ', false, Parsed::error_handler_t::replace);
}

}  // namespace

Json::Json(double value) : text_(spelling(value)) {}

Json::Json(std::initializer_list<JsonMember> members) : text_("{}") {
  for (const JsonMember& member : members) add(member.name, member.value);
}

Json Json::parse(const std::string& text) { return spelled(spelling(Parsed::parse(text))); }

void Json::push_back(const Json& item) { append(item.text_); }

void Json::add(std::string_view name, const Json& value) {
  append(quoted(name) + ":" + value.text_);
}

Json Json::spelled(std::string text) {
  Json json;
  json.text_ = std::move(text);
  return json;
}

std::string Json::quoted(std::string_view text) { return spelling(std::string(text)); }

/// Before the bracket that closes.
void Json::append(const std::string& text) {
  text_.insert(text_.size() - 1, (text_.size() > 2 ? "," : "") + text);
}

Json to_json(const Error& error) { return to_json(error, code_name(error.code)); }

Json to_json(const Error& error, std::string_view code) {
  return {{"code", code},
          {"message", to_string(error)},
          {"operand", error.operand},
          {"value", error.value},
          {"violated_rules", Json::array(error.violated_rules)},
          {"nearest_legal", error.nearest_legal},
          {"position",
           error.position ? Json{{"line", error.position->line}, {"column", error.position->column}}
                          : Json()},
          {"detail", error.detail}};
}

namespace {

Json json_of(const Party& party) {
  return {{"kernel", party.kernel}, {"block", Json::array(party.block)},
          {"thread", party.thread}, {"ptx_line", party.ptx_line},
          {"source", party.source}, {"text", party.text}};
}

}  // namespace

Json to_json(const Dim3& extents) { return Json::array({extents.x, extents.y, extents.z}); }

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

std::string indented(const Json& json) { return Parsed::parse(json.text()).dump(2) + "\n"; }

}  // namespace jute::command
