// Reads and writes a chip's own tables, line by line, and refuses by line and field.
#include <jute/base/error.hpp>
#include <jute/base/nearest_name.hpp>
#include <jute/launch/device_presets.hpp>
#include <jute/plan/chip/chip_figures.hpp>
#include <jute/plan/cost/chip_tables.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "base/format.hpp"
#include "plan/cost/law.hpp"

namespace jute {
namespace {

constexpr std::string_view kVersionLine = "jute-chip 1", kDevice = "device ";
constexpr std::array kWidths{1, 2, 4, 8};
constexpr std::string_view kArch = "sm_", kMultiprocessors = "SMs";
constexpr size_t kWordsBehindName = 3;  // of the format: `sm_89 58 SMs`
constexpr size_t kLastCell = 3;         // of the format: where a figure is from, all coefficients

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t end = std::min(text.find(separator), text.size());
    parts.push_back(text.substr(0, end));
    if (end == text.size()) return parts;
    text.remove_prefix(end + 1);
  }
}

template <class Number>
std::optional<Number> number_of(std::string_view text) {
  Number value{};
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// As few digits as bring it back.
std::string shortest(double value) {
  char text[32];
  const auto [end, fault] = std::to_chars(text, text + sizeof text, value);
  return fault == std::errc() ? std::string(text, end) : base::format("{}", value);
}

bool may_be_lacking(std::string_view figure) {
  constexpr std::string_view kUnits[] = {"mma_", "group_", "remote_", "tma_", "dependent_"};
  return std::ranges::any_of(kUnits,
                             [&](std::string_view unit) { return figure.starts_with(unit); });
}

/// Takes lines, gathers tables and whatever they break.
class TablesReader {
 public:
  void read(std::string_view line, int number) {
    line_ = number;
    const std::vector<std::string_view> cells = split(line, '\t');
    if (cells.front() == "figure" && cells.size() == 4)
      read_figure(cells);
    else if (cells.front() == "coefficients" && cells.size() == 4)
      read_coefficients(cells);
    else
      broken(
          "it must be 'figure', its name, a number and its origin, or 'coefficients', a family, "
          "bytes and numbers, with tabs between them");
  }
  void finish() {
    line_ = 0;
    hold_below("seen_mhz", "thread_mhz");
    hold_below("memory_seen_gb_s", "memory_gb_s");
  }
  [[nodiscard]] const std::vector<std::string>& faults() const { return faults_; }
  [[nodiscard]] const std::optional<std::string>& nearest() const { return nearest_; }
  [[nodiscard]] ChipTables& tables() { return tables_; }

 private:
  void broken(const std::string& rule) {
    faults_.push_back(line_ == 0 ? rule : base::format("line {}: {}", line_, rule));
  }
  /// Is it a name of the list? Else the nearest one is offered.
  bool is_known(std::string_view kind, std::string_view name, std::span<const std::string> names) {
    if (std::ranges::find(names, name) != names.end()) return true;
    const auto near = nearest_name(name, names);
    broken(base::format("'{}' must be a {}{}", name, kind, near ? ", such as " + *near : ""));
    if (!nearest_) nearest_ = near;
    return false;
  }
  void read_figure(std::span<const std::string_view> cells) {
    std::vector<std::string> names;
    for (const NamedFigure& one : figures(ChipFigures{})) names.emplace_back(one.name);
    const std::string name(cells[1]);
    if (!is_known("figure of jute chips", name, names)) return;
    const auto value = number_of<double>(cells[2]);
    if (!value || !std::isfinite(*value) || *value < 0 || (*value == 0 && !may_be_lacking(name)))
      return broken(base::format("{} must be a finite number above 0{}, not '{}'", name,
                                 may_be_lacking(name) ? ", or 0 where the chip has none" : "",
                                 cells[2]));
    if (std::ranges::find(tables_.figures, name, &OwnFigure::name) != tables_.figures.end())
      return broken(base::format("{} must be said once", name));
    tables_.figures.push_back({name, *value, std::string(cells[kLastCell])});
  }
  void read_coefficients(std::span<const std::string_view> cells) {
    if (!is_known("family of the law", cells[1], plan::law_families())) return;
    OwnCoefficients one{std::string(cells[1]), 0, {}};
    const auto width = number_of<int>(cells[2]);
    if (!width || std::ranges::find(kWidths, *width) == kWidths.end())
      return broken(base::format("bytes must be 1, 2, 4 or 8, not '{}'", cells[2]));
    one.width = *width;
    const std::vector<std::string_view> words = split(cells[kLastCell], ' ');
    const auto& fields = plan::kCoefficientFields;
    for (size_t i = 0; i < std::min(words.size(), fields.size()); ++i) {
      const size_t equals = std::min(words[i].find('='), words[i].size());
      const auto value = number_of<double>(words[i].substr(std::min(equals + 1, words[i].size())));
      if (words[i].substr(0, equals) != fields[i].name || !value || !std::isfinite(*value) ||
          *value <= 0)
        return broken(base::format("'{}' must be {}=, and a finite number above 0", words[i],
                                   fields[i].name));
      one.values.push_back(*value);
    }
    if (words.size() != fields.size())
      return broken(base::format("coefficients must be {}, not {}", fields.size(), words.size()));
    const auto is_same = [&](const OwnCoefficients& other) {
      return other.family == one.family && other.width == one.width;
    };
    if (std::ranges::any_of(tables_.coefficients, is_same))
      return broken(base::format("{} of {} bytes must be said once", one.family, one.width));
    tables_.coefficients.push_back(std::move(one));
  }
  void hold_below(std::string_view less, std::string_view more) {
    const auto of = [&](std::string_view name) {
      return std::ranges::find(tables_.figures, name, &OwnFigure::name);
    };
    const auto low = of(less), high = of(more);
    if (low != tables_.figures.end() && high != tables_.figures.end() && low->value > high->value)
      broken(base::format("{} must be at most {}, {}", less, more, shortest(high->value)));
  }

  ChipTables tables_;
  std::vector<std::string> faults_;
  std::optional<std::string> nearest_;
  int line_ = 0;
};

[[noreturn]] void refuse_text(std::vector<std::string> rules,
                              std::optional<std::string> nearest = std::nullopt) {
  throw Exception({.code = ErrorCode::bad_file,
                   .operand = "chip",
                   .violated_rules = std::move(rules),
                   .nearest_legal = std::move(nearest)});
}

/// The lines of a text that begins as such a file must; all but an empty last one.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines = split(text, '\n');
  if (lines.back().empty()) lines.pop_back();
  if (lines.empty() || lines.front() != kVersionLine)
    refuse_text({base::format("its first line must be '{}'", kVersionLine)});
  if (lines.size() < 2 || !lines[1].starts_with(kDevice))
    refuse_text({"its second line must be 'device', a name, sm_ and a number, a number and SMs"});
  return lines;
}

}  // namespace

ChipTables parse_chip_tables(std::string_view text, const DeviceInfo& device) {
  const std::vector<std::string_view> lines = lines_of(text);
  if (lines[1].substr(kDevice.size()) != identity(device))
    refuse_text({base::format("its second line must be 'device {}'", identity(device))});
  TablesReader reader;
  for (size_t i = 2; i < lines.size(); ++i) reader.read(lines[i], static_cast<int>(i) + 1);
  reader.finish();
  if (!reader.faults().empty()) refuse_text(reader.faults(), reader.nearest());
  return std::move(reader.tables());
}

std::string to_string(const ChipTables& tables, const DeviceInfo& device) {
  std::string text = base::format("{}\n{}{}\n", kVersionLine, kDevice, identity(device));
  for (const OwnFigure& one : tables.figures)
    text += base::format("figure\t{}\t{}\t{}\n", one.name, shortest(one.value), one.origin);
  for (const OwnCoefficients& one : tables.coefficients) {
    text += base::format("coefficients\t{}\t{}\t", one.family, one.width);
    for (size_t i = 0; i < one.values.size(); ++i)
      text += base::format("{}{}={}", i == 0 ? "" : " ", plan::kCoefficientFields.at(i).name,
                           shortest(one.values[i]));
    text += '\n';
  }
  return text;
}

DeviceInfo device_of_chip_text(std::string_view text) {
  const std::string_view line = lines_of(text)[1].substr(kDevice.size());
  const std::vector<std::string_view> words = split(line, ' ');
  const size_t count = words.size();
  std::optional<int> arch, sms;
  if (count > kWordsBehindName && words[count - kWordsBehindName].starts_with(kArch)) {
    arch = number_of<int>(words[count - kWordsBehindName].substr(kArch.size()));
    sms = number_of<int>(words[count - kWordsBehindName + 1]);
  }
  if (!arch || !sms || *sms < 1 || words.back() != kMultiprocessors)
    refuse_text({base::format("'{}' must be a name, sm_ and a number, a number and SMs", line)});
  const std::string_view name =
      line.substr(0, static_cast<size_t>(words[count - kWordsBehindName].data() - line.data()) - 1);
  DeviceInfo named{.name = std::string(name), .arch = Arch{*arch, '\0'}};
  DeviceInfo device = device_preset(chip_figures(named).chip);
  if (device.arch.number != *arch)
    refuse_text({base::format("sm_{} must be the architecture of a chip in jute chips", *arch)});
  device.name = named.name;
  device.sm_count = *sms;
  return with_tables(device, parse_chip_tables(text, device));
}

DeviceInfo parse_chip(std::string_view text) {
  if (text.starts_with(kVersionLine)) return device_of_chip_text(text);
  if (text.starts_with("sm_") || text.starts_with("compute_")) return preset_for(parse_arch(text));
  return device_preset(text);
}

DeviceInfo with_tables(DeviceInfo device, ChipTables tables) {
  device.own_figures = std::move(tables.figures);
  device.own_coefficients = std::move(tables.coefficients);
  return device;
}

ChipTables tables_of(const DeviceInfo& device) {
  return {device.own_figures, device.own_coefficients};
}

}  // namespace jute
