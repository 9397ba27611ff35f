// Reads and writes a text that is kept for one device.
#include <jute/base/error.hpp>
#include <jute/base/refuse.hpp>
#include <jute/jit/device_file.hpp>

#include <sys/file.h>

#include <algorithm>
#include <cctype>
#include <span>
#include <utility>

#include "base/format.hpp"
#include "jit/cache_folder.hpp"

namespace jute {
namespace {

/// A device's name as a file's.
std::string name_of_file(const DeviceInfo& device) {
  std::string name = base::format("{}_sm_{}_{}", device.name, device.arch.number, device.sm_count);
  std::ranges::replace_if(
      name, [](unsigned char each) { return std::isalnum(each) == 0; }, '_');
  return name + ".txt";
}

}  // namespace

DeviceFile::DeviceFile(const Settings& settings, std::string_view folder, const DeviceInfo& device)
    : may_write_(settings.cache == "on") {
  if (settings.cache == "off" || settings.cache_dir.empty()) return;
  folder_ = base::format("{}/{}", settings.cache_dir, folder);
  name_ = name_of_file(device);
  path_ = folder_ + "/" + name_;
}

KeptText DeviceFile::read() const {
  if (path_.empty()) return {};
  const jit::CacheFolder folder(folder_, jit::CacheFolder::Missing::leave, false);
  if (!folder.fault().empty()) return {.fault = folder.fault()};
  if (!folder.is_open()) return {};
  const auto bytes = folder.read(name_);
  if (!bytes) return {};
  return {.text = std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size())};
}

void DeviceFile::update(const std::function<std::string(const KeptText&)>& change) const {
  const auto refuse = [&](std::string rule) {
    jute::refuse(ErrorCode::unwritable, path_.empty() ? "tuned" : path_, "", std::move(rule));
  };
  if (path_.empty() || !may_write_)
    refuse(
        "what was measured is kept in the cache: JUTE_CACHE must be on, in a folder of one's own");
  const jit::CacheFolder folder(folder_, jit::CacheFolder::Missing::make, true);
  if (!folder.is_open())
    refuse(folder.fault().empty() ? "the folder must be there or be made" : folder.fault());
  const jit::File lock = folder.open_lock_file("lock");
  if (lock.is_open()) (void)::flock(lock.descriptor(), LOCK_EX);
  const std::string text = change(read());
  if (!folder.write(name_, std::as_bytes(std::span(text)))) refuse("the file must be writable");
}

}  // namespace jute
