// Reads and writes measured choices, line by line.
#include <jute/base/error.hpp>
#include <jute/jit/tuned_file.hpp>

#include <sys/file.h>

#include <algorithm>
#include <cctype>
#include <span>
#include <utility>
#include <vector>

#include "base/format.hpp"
#include "jit/cache_folder.hpp"

namespace jute {
namespace {

constexpr std::string_view kVersion = "jute-tuned 1";

std::string device_line(const DeviceInfo& device) {
  return base::format("device {} sm_{} {} SMs", device.name, device.arch.number, device.sm_count);
}

/// A device's name as a file's.
std::string file_name(const DeviceInfo& device) {
  std::string name = base::format("{}_sm_{}_{}", device.name, device.arch.number, device.sm_count);
  std::ranges::replace_if(
      name, [](unsigned char each) { return std::isalnum(each) == 0; }, '_');
  return name + ".txt";
}

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
    : device_(std::move(device)), may_write_(settings.cache == "on") {
  if (settings.cache == "off" || settings.cache_dir.empty()) return;
  folder_ = settings.cache_dir + "/tuned";
  name_ = file_name(device_);
  path_ = folder_ + "/" + name_;
}

TunedTable TunedFile::load() const {
  if (path_.empty()) return {};
  const jit::CacheFolder folder(folder_, jit::CacheFolder::Missing::leave, false);
  if (!folder.fault().empty()) return faulty(folder.fault());
  if (!folder.is_open()) return {};
  const auto bytes = folder.read(name_);
  if (!bytes) return {};
  return parse_tuned({reinterpret_cast<const char*>(bytes->data()), bytes->size()}, device_);
}

void TunedFile::keep(const std::string& problem_class, const std::string& choices) const {
  const auto refuse = [&](std::string rule) {
    throw Exception({.code = ErrorCode::unwritable,
                     .operand = path_.empty() ? "tuned" : path_,
                     .violated_rules = {std::move(rule)}});
  };
  if (path_.empty() || !may_write_)
    refuse(
        "what was measured is kept in the cache: JUTE_CACHE must be on, in a folder of one's own");
  const jit::CacheFolder folder(folder_, jit::CacheFolder::Missing::make, true);
  if (!folder.is_open())
    refuse(folder.fault().empty() ? "the folder must be there or be made" : folder.fault());
  const jit::File lock = folder.open_lock_file("lock");
  if (lock.is_open()) (void)::flock(lock.descriptor(), LOCK_EX);
  TunedTable table = load();
  table.choices[problem_class] = choices;
  const std::string text = to_string(table, device_);
  if (!folder.write(name_, std::as_bytes(std::span(text)))) refuse("the file must be writable");
}

}  // namespace jute
