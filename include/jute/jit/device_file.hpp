#pragma once
// A small text that is kept for one device, beside the compiled kernels.
#include <jute/base/export.hpp>
#include <jute/base/settings.hpp>
#include <jute/launch/device_info.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace JUTE_API jute {

/// A kept text, or why it may not be used; neither where there is none.
struct KeptText {
  std::optional<std::string> text = {};
  std::string fault = {};
  bool operator==(const KeptText&) const = default;
};

/// The file of one device in a folder of the cache directory. Like the cache of kernels it is used
/// only where nobody else may write to the folder. Safe for many processes.
class DeviceFile {
 public:
  /// In the folder of that name, where the settings keep one: nowhere with JUTE_CACHE=off or
  /// without a directory.
  ///   example  DeviceFile(settings, "chips", device).path() ends with chips/NVIDIA_L4_sm_89_58.txt
  DeviceFile(const Settings& settings, std::string_view folder, const DeviceInfo& device);

  /// Empty where there is none.
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] KeptText read() const;
  /// Puts in its place what `change` makes of it; nobody else changes it meanwhile.
  ///   throws  unwritable; what `change` throws
  void update(const std::function<std::string(const KeptText&)>& change) const;

 private:
  std::string folder_, name_, path_;
  bool may_write_ = false;
};

}  // namespace jute
