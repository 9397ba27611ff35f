// `jute atom verify`: executes atoms and compares every (thread,value) with their layouts.
#include <jute/launch/device_presets.hpp>
#include <jute/proof/verify.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <ostream>
#include <thread>

#include "atom/atom_form.hpp"
#include "atom/atom_proofs.hpp"
#include "atom/verify_children.hpp"
#include "command/command_line.hpp"
#include "command/details.hpp"
#include "command/exit_status.hpp"
#include "command/progress.hpp"
#include "files/files.hpp"
#include "files/json_writer.hpp"
#include "options/backend_options.hpp"
#include "tree/numbers.hpp"

namespace jute::command {
namespace {

struct VerifyArguments {
  std::vector<std::string> names;
  bool all = false;
  std::string form, record;
  int workers = 0;
  BackendOptions backend;
};

std::vector<std::string> names_of(const VerifyArguments& options, const Catalogue& catalogue) {
  if (options.names.empty() == !options.all)
    throw UsageError("names", "it needs names of atoms or --all, one of the two");
  if (!options.all && !options.form.empty()) throw UsageError("--form", "it needs --all");
  for (const std::string& name : options.names) (void)catalogue.find(name);
  if (!options.all) return options.names;
  std::vector<std::string> names;
  for (AtomSummary& atom : of_form(options.form, catalogue.list(), catalogue))
    names.push_back(std::move(atom.name));
  return names;
}

Context open_context(const VerifyArguments& options, const Session& session) {
  const Settings settings = session.settings();
  const DeviceInfo chip =
      settings.arch.empty() ? device_preset("h200") : preset_for(parse_arch(settings.arch));
  return Context(open_backend(options.backend, settings, chip),
                 {.settings = settings,
                  .catalogue = session.catalogue(),
                  .templates = session.templates(settings)});
}

Json proof_json(const AtomProof& proof, const std::string& where) {
  Json json = {
      {"name", proof.name},    {"form", proof.form},           {"arch", arch_text(proof.arch)},
      {"where", where},        {"result", name(proof.result)}, {"pairs", proof.pairs},
      {"passes", proof.passes}};
  if (!proof.reason.empty()) json.add("reason", proof.reason);
  if (proof.first) json.add("first", to_json(*proof.first));
  return json;
}

std::string column(const std::string& text, size_t width) { return bench::left(text + " ", width); }

std::string line(const AtomProof& proof, size_t name_width, const std::string& where) {
  std::string text = column(proof.name, name_width) + column(proof.form, 18) + column(where, 10) +
                     column(std::string(name(proof.result)), 16);
  if (proof.first) return text + to_string(*proof.first);
  if (proof.result == AtomResult::proved)
    text += std::to_string(proof.pairs) + " pairs in " + std::to_string(proof.passes) + " runs";
  return text + (proof.reason.empty() ? "" : (text.ends_with(' ') ? "" : "; ") + proof.reason);
}

void print_proofs(const std::vector<AtomProof>& proofs, const ProofTotals& totals,
                  const std::string& where, const Session& session) {
  if (session.common.json) {
    for (const AtomProof& proof : proofs) session.print(proof_json(proof, where));
    session.print({{"where", where},
                   {"atoms", proofs.size()},
                   {"proved", totals[0]},
                   {"refuted", totals[1]},
                   {"not_executable", totals[2]},
                   {"faulted", totals[3]}});
    return;
  }
  size_t width = 0;
  for (const AtomProof& proof : proofs) width = std::max(width, proof.name.size());
  for (const AtomProof& proof : proofs) session.out << line(proof, width + 2, where) << '\n';
  session.out << proofs.size() << (proofs.size() == 1 ? " atom on " : " atoms on ") << where << ": "
              << totals[0] << " proved, " << totals[1] << " refuted, " << totals[2]
              << " not executable"
              << (totals[3] > 0 ? ", " + std::to_string(totals[3]) + " faulted" : "") << '\n';
}

/// "NVIDIA H200", or what the emulator stands for.
std::string device_name(const VerifyOutcome& outcome) {
  return outcome.where == "cuda" ? outcome.device_name
                                 : outcome.where + " as " + outcome.device_name;
}

/// NVRTC compiles one kernel of a process at a time, so cores are used by processes.
constexpr int kMostChildren = 16;
constexpr int kWorkersOfChild = 2;

int run_verify(const VerifyArguments& options, const Session& session) {
  std::optional<OutputFile> file;
  if (!options.record.empty()) file.emplace(options.record);
  const int cores =
      options.workers > 0 ? options.workers : static_cast<int>(std::thread::hardware_concurrency());
  const std::vector<std::string> names = names_of(options, session.catalogue());
  tell_settings(session);
  const Stopwatch watch;
  const VerifyOutcome outcome = [&] {
    ProgressLine line(session, {.what = "verifying " + std::to_string(names.size()) + " atoms",
                                .work = static_cast<double>(names.size()),
                                .unit = "atoms"});
    return verify_in_children({.open = [&] { return open_context(options, session); },
                               .names = names,
                               .children = std::clamp(cores, 1, kMostChildren),
                               .workers = kWorkersOfChild,
                               .progress = [&](Index done, Index all) { line.at(done, all); }});
  }();
  if (outcome.status != 0) return outcome.status;
  session.detail("verified " + std::to_string(outcome.proofs.size()) + " of " +
                 std::to_string(names.size()) + " atoms in " + watch.text());
  const ProofTotals totals = totals_of(outcome.proofs);
  print_proofs(outcome.proofs, totals, outcome.where, session);
  if (outcome.is_interrupted) {
    session.err << "jute: interrupted: " << outcome.proofs.size() << " of " << names.size()
                << " atoms were executed\n";
    return kAnswerIsNo;
  }
  if (file) {
    file->write(to_text(record_of(outcome.proofs, device_name(outcome))));
    file->commit();
    tell_written(options.record, session);
  }
  return totals[1] + totals[3] > 0 ? kAnswerIsNo : kDone;
}

}  // namespace

void add_atom_verify(Command& atom) {
  auto options = std::make_shared<VerifyArguments>();
  Command& sub =
      atom.add("verify", "Execute atoms and compare every (thread,value) with their layouts",
               "jute atom verify SM80_16x8x16_F32F16F16F32_TN --device emulator");
  sub.option("names ATOM", &options->names, "CuTe's names");
  sub.option("--all", &options->all, "Every atom of the catalogue");
  sub.option("--form", &options->form, "With --all: those of one form (mma, wgmma_ss, …)");
  sub.option("--record FILE.json", &options->record,
             "Write how many atoms of each family were proved");
  sub.option("--workers", &options->workers,
             "Processes that compile; 0: as many as there are cores")
      .non_negative();
  add_device_flags(sub, options->backend);
  sub.reads = {"--atoms", "--templates", "--verbose"};
  sub.run = [options](const Session& session) { return run_verify(*options, session); };
}

}  // namespace jute::command
