// Candidates of a case, and what their times say.
#include "tune/winner.hpp"

#include <jute/launch/device_presets.hpp>
#include <jute/plan/choose/considered.hpp>
#include <jute/plan/choose/law_columns.hpp>
#include <jute/plan/cost/prediction.hpp>

#include <algorithm>
#include <charconv>

#include "command/command_line.hpp"
#include "tree/numbers.hpp"

namespace jute::tuning {
namespace {

bool counts(const bench::Result& result) {
  if (result.side != bench::Side::jute || result.us <= 0 || !bench::is_right(result)) return false;
  const bool is_alone = parse_ranked(result.contestant).config.launches == Launches::alone;
  return result.mode == (is_alone ? bench::Mode::cold : bench::Mode::cool);
}

/// The numbers of a prediction, each a column; terms are made of them.
Fields columns(const Prediction& prediction) {
  Fields all = fields(prediction);
  std::erase_if(all, [](const Field& field) {
    return !std::holds_alternative<Index>(field.value) &&
           !std::holds_alternative<std::string>(field.value);
  });
  return all;
}

std::string value_text(const Field& field) {
  if (const auto* number = std::get_if<Index>(&field.value)) return std::to_string(*number);
  return std::get<std::string>(field.value);
}

/// Rates of the chip as words of one cell, and the law's columns; empty cells where it is silent.
std::string law_cells(const Plan& plan) {
  const std::optional<Fields> law = law_columns(gemm_step(plan), plan.device);
  if (!law) return "," + std::string(law_column_names().size(), ',');
  std::string text = ",";
  for (const Field& rate : law_rates(plan.device))
    text += (text.size() > 1 ? " " : "") + rate.name + "=" + value_text(rate);
  for (const Field& field : *law) text += "," + value_text(field);
  return text;
}

}  // namespace

std::string to_string(const RankedChoice& choice) {
  return std::to_string(choice.rank) + " " + jute::to_string(choice.config);
}

RankedChoice parse_ranked(std::string_view text) {
  RankedChoice choice;
  const char* const end = text.data() + text.size();
  const auto [rest, fault] = std::from_chars(text.data(), end, choice.rank);
  if (fault != std::errc() || rest == end || *rest != ' ')
    command::refuse(ErrorCode::syntax, "candidate", std::string(text),
                    "a candidate must be its rank, a blank and its choices");
  choice.config = parse_config(text.substr(static_cast<size_t>(rest - text.data()) + 1));
  return choice;
}

std::optional<Winner> winner_of(const bench::CaseReport& report) {
  // Planning's first leads, timed or not: it wins where others are no faster.
  std::vector<RankedChoice> choices(1);
  std::vector<double> us(1, 0.0);
  for (const bench::Result& result : report.results) {
    if (!counts(result)) continue;
    const RankedChoice choice = parse_ranked(result.contestant);
    if (choice.rank == 1) {
      choices.front() = choice;
      us.front() = result.us;
    } else {
      choices.push_back(choice);
      us.push_back(result.us);
    }
  }
  const auto raced =
      static_cast<int>(std::ranges::count_if(us, [](double one) { return one > 0; }));
  if (raced == 0) return std::nullopt;
  const std::size_t best = fastest_of(us);
  return Winner{.case_id = report.id,
                .choice = choices[best],
                .us = us[best],
                .planned_us = us.front(),
                .raced = raced};
}

std::string to_line(const Winner& winner) {
  return winner.case_id + ": " +
         race_text(winner.choice, winner.us, winner.planned_us, winner.raced) + "\n";
}

DeviceInfo device_of(const bench::Machine& machine) {
  // The one with instructions of its own is taken, of architectures of one number, as back ends do.
  Arch arch{machine.arch};
  for (const Arch known : known_arches())
    if (known.number == machine.arch && known.suffix == 'a') arch = known;
  DeviceInfo device = preset_for(arch);
  device.name = machine.device;
  device.sm_count = machine.sm_count;
  return device;
}

std::string sweep_header() {
  std::string text = "device,id,m,n,k,batch,type,rank,config";
  for (const Field& field : columns(Prediction{})) text += "," + field.name;
  text += ",law_rates";
  for (const std::string& column : law_column_names()) text += ",law_" + column;
  return text + ",measured_us,mhz,measured_clocks\n";
}

std::string sweep_lines(const bench::Case& each, const bench::CaseReport& report,
                        const DeviceInfo& device, const Catalogue& catalogue) {
  const Problem& problem = each.problem;
  std::string head = "\"" + device.name + "\",\"" + each.id + "\"";
  for (const Index extent : {problem.m, problem.n, problem.k, problem.batch})
    head += "," + std::to_string(extent);
  head += "," + std::string(name(problem.a.type));
  std::string lines;
  for (const bench::Result& result : report.results) {
    if (!counts(result)) continue;
    const RankedChoice choice = parse_ranked(result.contestant);
    const Plan plan = make_plan(problem, device, choice.config, catalogue);
    const auto expected = prediction_of(plan);
    if (!expected) continue;
    lines +=
        head + "," + std::to_string(choice.rank) + ",\"" + jute::to_string(choice.config) + "\"";
    for (const Field& field : columns(*expected)) lines += "," + value_text(field);
    lines += law_cells(plan);
    lines += "," + bench::fixed(result.us, 3) + "," + bench::fixed(result.mhz, 1) + "," +
             bench::fixed(result.us * result.mhz, 0) + "\n";
  }
  return lines;
}

}  // namespace jute::tuning
