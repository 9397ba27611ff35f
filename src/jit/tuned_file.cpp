// Reads and writes measured choices, line by line.
#include <jute/jit/tuned_file.hpp>

#include <utility>

#include "base/format.hpp"

namespace jute {
namespace {

constexpr std::string_view kVersion = "jute-tuned 1";

std::string device_line(const DeviceInfo& device) { return "device " + identity(device); }

/// Takes the first line off the text.
std::string_view next_line(std::string_view& text) {
  const size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

TunedTable faulty(std::string fault) { return {{}, std::move(fault)}; }

}  // namespace

TunedTable parse_tuned(std::string_view text, const DeviceInfo& device) {
  if (next_line(text) != kVersion)
    return faulty(base::format("its first line must be '{}'", kVersion));
  if (next_line(text) != device_line(device))
    return faulty(base::format("its second line must be '{}'", device_line(device)));
  TunedTable table;
  for (int number = 3; !text.empty(); ++number) {
    const bool is_whole = text.find('\n') != std::string_view::npos;
    const std::string_view line = next_line(text);
    const size_t tab = line.find('\t');
    if (!is_whole || tab == 0 || tab == std::string_view::npos ||
        line.find('\t', tab + 1) != std::string_view::npos)
      return faulty(base::format("line {} must be a class of problems, a tab and choices", number));
    table.choices[std::string(line.substr(0, tab))] = line.substr(tab + 1);
  }
  return table;
}

std::string to_string(const TunedTable& table, const DeviceInfo& device) {
  std::string text = base::format("{}\n{}\n", kVersion, device_line(device));
  for (const auto& [problem_class, choices] : table.choices)
    text += problem_class + "\t" + choices + "\n";
  return text;
}

TunedFile::TunedFile(const Settings& settings, DeviceInfo device)
    : device_(std::move(device)), file_(settings, "tuned", device_) {}

namespace {

/// The fault of the folder, or what the text holds.
TunedTable table_of(const KeptText& kept, const DeviceInfo& device) {
  if (!kept.fault.empty()) return faulty(kept.fault);
  return kept.text ? parse_tuned(*kept.text, device) : TunedTable{};
}

}  // namespace

TunedTable TunedFile::load() const { return table_of(file_.read(), device_); }

void TunedFile::keep(const std::string& problem_class, const std::string& choices) const {
  file_.update([&](const KeptText& kept) {
    TunedTable table = table_of(kept, device_);
    table.choices[problem_class] = choices;
    return to_string(table, device_);
  });
}

}  // namespace jute
