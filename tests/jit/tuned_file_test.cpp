// The file of measured choices: what is written is read, and what is not ours is left alone.
#include <jute/jit/tuned_file.hpp>
#include <jute/launch/device_presets.hpp>

#include <fstream>
#include <random>
#include <thread>
#include <vector>

#include "support/catch.hpp"
#include "support/refusal.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::test;

namespace {

Settings settings_in(const TemporaryFolder& folder) {
  Settings settings;
  settings.cache_dir = folder.file("cache");
  return settings;
}

}  // namespace

TEST_CASE("a table of choices is text and back", "[jit][tuned]") {
  const DeviceInfo device = device_preset("h200");
  const TunedTable table{{{"M=1 N=2", "tile=64x8x64"}, {"M=3 N=4", ""}}, ""};
  CHECK(to_string(table, device) ==
        "jute-tuned 1\ndevice h200 sm_90 132 SMs\nM=1 N=2\ttile=64x8x64\nM=3 N=4\t\n");
  CHECK(parse_tuned(to_string(table, device), device) == table);
}

TEST_CASE("other versions, other devices and damaged files hold nothing and say why",
          "[jit][tuned]") {
  const DeviceInfo device = device_preset("h200");
  const std::string head = "jute-tuned 1\ndevice h200 sm_90 132 SMs\n";
  const std::pair<std::string, std::string> rows[] = {
      {"", "first line"},
      {"jute-tuned 2\n", "first line must be 'jute-tuned 1'"},
      {"{\"version\": 1}", "first line"},
      {"jute-tuned 1\ndevice h100 sm_90 132 SMs\n", "second line must be 'device h200"},
      {head + "no tab\n", "line 3 must be"},
      {head + "a\tb\n\tc\n", "line 4 must be"},
      {head + "a\tb\tc\n", "line 3 must be"},
      {head + "a\tcut off", "line 3 must be"},
  };
  for (const auto& [text, fault] : rows) {
    INFO(text);
    const TunedTable table = parse_tuned(text, device);
    CHECK(table.choices.empty());
    CHECK(table.fault.find(fault) != std::string::npos);
    CHECK(table.fault.find('\n') == std::string::npos);
  }
  CHECK(parse_tuned(head, device) == TunedTable{});
}

TEST_CASE("any bytes are read or have a fault", "[jit][tuned]") {
  const DeviceInfo device = device_preset("h200");
  const std::string good = to_string(TunedTable{{{"a", "b"}, {"c", "d"}}, ""}, device);
  std::mt19937 random(3);
  for (int i = 0; i < 3000; ++i) {
    std::string text = good;
    for (unsigned changes = random() % 4 + 1; changes > 0; --changes)
      text[random() % text.size()] = static_cast<char>(random());
    text.resize(random() % (text.size() + 1));
    const TunedTable table = parse_tuned(text, device);
    if (table.fault.empty()) CHECK(parse_tuned(to_string(table, device), device) == table);
  }
}

TEST_CASE("choices are kept one by one, each device's in a file of its own", "[jit][tuned]") {
  const TemporaryFolder folder;
  const Settings settings = settings_in(folder);
  const TunedFile file(settings, device_preset("h200")), other(settings, device_preset("a100"));
  CHECK(file.path() != other.path());
  CHECK(file.load() == TunedTable{});
  file.keep("one", "tile=64x8x64");
  file.keep("two", "stages=4");
  file.keep("one", "stages=2");
  CHECK(file.load().choices ==
        std::map<std::string, std::string>{{"one", "stages=2"}, {"two", "stages=4"}});
  CHECK(other.load() == TunedTable{});
  // What is not ours begins anew when something is kept.
  std::ofstream(file.path()) << "jute-tuned 99\n";
  CHECK_FALSE(file.load().fault.empty());
  file.keep("three", "");
  CHECK(file.load().choices.size() == 1);
}

TEST_CASE("those who keep choices at a time lose none", "[jit][tuned]") {
  const TemporaryFolder folder;
  const TunedFile file(settings_in(folder), device_preset("h200"));
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread)
    threads.emplace_back([&file, thread] {
      for (int i = 0; i < 5; ++i)
        file.keep(std::to_string(thread) + "." + std::to_string(i), "stages=2");
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(file.load().choices.size() == 20);
}

TEST_CASE("nothing is kept where the cache is off or only read", "[jit][tuned][refusal]") {
  const TemporaryFolder folder;
  for (const char* mode : {"off", "readonly"}) {
    Settings settings = settings_in(folder);
    settings.cache = mode;
    const TunedFile file(settings, device_preset("h200"));
    CHECK(refusal_of([&] { file.keep("a", "b"); }).code == ErrorCode::unwritable);
    CHECK(file.load() == TunedTable{});
  }
}
