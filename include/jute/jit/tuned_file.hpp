#pragma once
// What was measured to be best, kept beside the compiled kernels: a small text file a device.
#include <jute/base/export.hpp>
#include <jute/base/settings.hpp>
#include <jute/jit/device_file.hpp>
#include <jute/launch/device_info.hpp>

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace JUTE_API jute {

/// Choices by the class of problems that they are best for, as this file holds them:
///   jute-tuned 1
///   device NVIDIA H200 sm_90 132 SMs
///   CLASS <tab> CHOICES
struct TunedTable {
  std::map<std::string, std::string> choices;
  std::string fault;  ///< why a text holds none; empty when it does
  bool operator==(const TunedTable&) const = default;
};
/// Reads a whole file; never throws. Of another version or another device, or damaged in any line:
/// no choices, and a fault.
[[nodiscard]] TunedTable parse_tuned(std::string_view text, const DeviceInfo& device);
[[nodiscard]] std::string to_string(const TunedTable& table, const DeviceInfo& device);

/// The file of one device in a folder `tuned` of the cache directory. Like the cache of kernels it
/// is used only where nobody else may write to the folder. Safe for many processes.
class TunedFile {
 public:
  /// Where the settings keep one: nowhere with JUTE_CACHE=off or without a directory.
  TunedFile(const Settings& settings, DeviceInfo device);

  /// Empty where there is none.
  [[nodiscard]] const std::string& path() const { return file_.path(); }
  /// All of it. A file that is missing holds nothing and has no fault.
  [[nodiscard]] TunedTable load() const;
  /// Puts a choice into the file, beside all that it holds by then; a file with a fault begins
  /// anew.
  ///   throws  unwritable
  void keep(const std::string& problem_class, const std::string& choices) const;

 private:
  DeviceInfo device_;
  DeviceFile file_;
};

}  // namespace jute
