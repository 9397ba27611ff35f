// Records of `jute atom verify --all`: how many atoms of each family were proved where.
#include "atom/atom_proofs.hpp"

#include <jute/base/json_object.hpp>

#include <algorithm>
#include <unordered_map>

#include "files/files.hpp"
#include "files/json_writer.hpp"

namespace jute::command {
namespace {

ProofTotals read_totals(JsonObject& object, const std::string& key) {
  const std::vector<Index> counts = object.integers(key);
  ProofTotals totals{};
  if (counts.size() != totals.size())
    object.refuse(key, "it must count the atoms proved, refuted, not executable and faulted");
  std::ranges::copy(counts, totals.begin());
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
      "{\"where\": " + Json(record.where).text() +
      ",\n \"counts\": [\"proved\", \"refuted\", \"not executable\", \"faulted\"],\n \"all\": " +
      Json::array(record.totals).text() + ",\n \"families\": {";
  bool first = true;
  for (const auto& [family, totals] : record.families) {
    text += (first ? "\n  " : ",\n  ") + Json(family).text() + ": " + Json::array(totals).text();
    first = false;
  }
  return text + "}}\n";
}

ProofRecord read_record(const std::string& path) {
  const JsonValue json = parse_json(read_text(path), path);
  JsonObject object(json, path, "");
  ProofRecord record{object.text("where"), read_totals(object, "all"), {}};
  JsonObject families = object.object("families");
  for (const std::string& family : families.keys())
    record.families[family] = read_totals(families, family);
  return record;
}

}  // namespace jute::command
