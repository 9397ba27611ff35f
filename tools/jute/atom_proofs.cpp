// Records of `jute atom verify --all`: how many atoms of each family were proved where.
#include "atom_proofs.hpp"

#include <nlohmann/json.hpp>
#include <unordered_map>

#include "files.hpp"
#include "json_reader.hpp"
#include "json_writer.hpp"

namespace jute::command {
namespace {

[[noreturn]] void refuse(const std::string& path) {
  throw Exception({.code = ErrorCode::bad_file,
                   .operand = path,
                   .violated_rules = {"a record is what jute atom verify --record writes"}});
}

ProofTotals totals_of(const JsonValue& json, const std::string& path) {
  ProofTotals totals{};
  if (!json.is_array() || json.size() != totals.size()) refuse(path);
  for (size_t i = 0; i < totals.size(); ++i) totals[i] = json[i].get<Index>();
  return totals;
}

}  // namespace

ProofTotals totals_of(const std::vector<AtomProof>& proofs) {
  ProofTotals totals{};
  for (const AtomProof& proof : proofs) ++totals[static_cast<size_t>(proof.result)];
  return totals;
}

ProofRecord record_of(const std::vector<AtomProof>& proofs, std::string where) {
  std::unordered_map<std::string, std::string> family_of;
  for (const AtomFamily& family : built_in_families())
    for (const std::string& atom : family.atoms) family_of.emplace(atom, family.atoms.front());
  ProofRecord record{std::move(where), totals_of(proofs), {}};
  for (const AtomProof& proof : proofs)
    if (const auto found = family_of.find(proof.name); found != family_of.end())
      ++record.families[found->second][static_cast<size_t>(proof.result)];
  return record;
}

std::string to_text(const ProofRecord& record) {
  std::string text =
      "{\"where\": " + one_line(Json(record.where)) +
      ",\n \"counts\": [\"proved\", \"refuted\", \"not executable\", \"faulted\"],\n \"all\": " +
      one_line(Json::array(record.totals)) + ",\n \"families\": {";
  bool first = true;
  for (const auto& [family, totals] : record.families) {
    text +=
        (first ? "\n  " : ",\n  ") + one_line(Json(family)) + ": " + one_line(Json::array(totals));
    first = false;
  }
  return text + "}}\n";
}

ProofRecord read_record(const std::string& path) {
  const JsonValue json = JsonValue::parse(read_text(path), nullptr, false);
  if (!json.is_object() || !json.contains("where") || !json.contains("all") ||
      !json.contains("families") || !json["where"].is_string() || !json["families"].is_object())
    refuse(path);
  ProofRecord record{json["where"].get<std::string>(), totals_of(json["all"], path), {}};
  for (const auto& [family, totals] : json["families"].items())
    record.families[family] = totals_of(totals, path);
  return record;
}

}  // namespace jute::command
