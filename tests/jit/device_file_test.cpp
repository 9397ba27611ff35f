// Texts that are kept for one device, in folders of their own.
#include <jute/jit/device_file.hpp>
#include <jute/launch/device_presets.hpp>

#include "support/catch.hpp"
#include "support/refusal.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::test;

TEST_CASE("a text is kept by device and folder, and changed in place", "[jit][tuned]") {
  const TemporaryFolder folder;
  Settings settings;
  settings.cache_dir = folder.file("cache");
  DeviceInfo device = device_preset("l4");
  device.name = "NVIDIA L4";
  const DeviceFile file(settings, "chips", device), other(settings, "tuned", device);
  CHECK(file.path() == settings.cache_dir + "/chips/NVIDIA_L4_sm_89_58.txt");
  CHECK(file.read() == KeptText{});
  const auto add = [](const KeptText& kept) { return kept.text.value_or("none") + " more"; };
  file.update(add);
  file.update(add);
  CHECK(file.read().text == "none more more");
  CHECK(other.read() == KeptText{});
  for (const char* mode : {"off", "readonly"}) {
    settings.cache = mode;
    const DeviceFile closed(settings, "chips", device);
    CHECK(refusal_of([&] { closed.update(add); }).code == ErrorCode::unwritable);
  }
  settings.cache_dir.clear();
  CHECK(DeviceFile(settings, "chips", device).path().empty());
}
