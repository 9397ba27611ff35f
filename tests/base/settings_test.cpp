#include "support/catch.hpp"
#include "support/refusal.hpp"

#include <jute/base/settings.hpp>

#include <cstdlib>
#include <map>

using namespace jute;

namespace {

/// Replaces the whole environment that Settings are read from, and puts it back.
class Environment {
 public:
  explicit Environment(const std::map<std::string, std::string>& values) {
    for (const char* name : kNames) {
      if (const char* value = std::getenv(name)) before_[name] = value;
      ::unsetenv(name);
    }
    for (const auto& [name, value] : values) ::setenv(name.c_str(), value.c_str(), 1);
  }
  ~Environment() {
    for (const char* name : kNames) ::unsetenv(name);
    for (const auto& [name, value] : before_) ::setenv(name.c_str(), value.c_str(), 1);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  static constexpr const char* kNames[] = {"JUTE_CACHE_DIR",
                                           "JUTE_CACHE",
                                           "JUTE_LOG",
                                           "JUTE_DUMP_DIR",
                                           "JUTE_ARCH",
                                           "JUTE_COMPILE",
                                           "JUTE_CACHE_LAYERS",
                                           "JUTE_DEVICE",
                                           "JUTE_NVRTC",
                                           "JUTE_PDL",
                                           "JUTE_TUNED",
                                           "JUTE_TEMPLATE_DIR",
                                           "CUDA_HOME",
                                           "CUDA_PATH",
                                           "VIRTUAL_ENV",
                                           "XDG_CACHE_HOME",
                                           "HOME",
                                           "JUTE_STAND_IN",
                                           "JUTE_STAND_IN_FINDINGS"};
  std::map<std::string, std::string> before_;
};

Settings settings_with(const std::map<std::string, std::string>& values) {
  const Environment environment(values);
  return settings_from_environment();
}

}  // namespace

TEST_CASE("an empty environment gives the defaults", "[base][settings]") {
  CHECK(settings_with({}) == Settings{});
}

TEST_CASE("the cache folder follows JUTE_CACHE_DIR, then XDG, then HOME", "[base][settings]") {
  CHECK(settings_with({{"HOME", "/h"}}).cache_dir == "/h/.cache/jute");
  CHECK(settings_with({{"HOME", "/h"}, {"XDG_CACHE_HOME", "/x"}}).cache_dir == "/x/jute");
  CHECK(settings_with({{"HOME", "/h"}, {"XDG_CACHE_HOME", "x"}}).cache_dir == "/h/.cache/jute");
  CHECK(settings_with({{"XDG_CACHE_HOME", "/x"}, {"JUTE_CACHE_DIR", "c"}}).cache_dir == "c");
}

TEST_CASE("each variable reaches its field", "[base][settings]") {
  const Settings settings = settings_with({{"JUTE_CACHE", "readonly"},
                                           {"JUTE_CACHE_LAYERS", "/one::/two"},
                                           {"JUTE_COMPILE", "forbidden"},
                                           {"JUTE_LOG", "debug"},
                                           {"JUTE_DUMP_DIR", "/d"},
                                           {"JUTE_ARCH", "sm_80"},
                                           {"JUTE_DEVICE", "emulator"},
                                           {"JUTE_NVRTC", "/n.so"},
                                           {"JUTE_PDL", "off"},
                                           {"JUTE_TUNED", "0"},
                                           {"JUTE_TEMPLATE_DIR", "/t"},
                                           {"JUTE_STAND_IN", "check=full"},
                                           {"JUTE_STAND_IN_FINDINGS", "/f"},
                                           {"CUDA_PATH", "/cuda"},
                                           {"VIRTUAL_ENV", "/venv"}});
  CHECK(settings.cache == "readonly");
  CHECK(settings.cache_layers == std::vector<std::string>{"/one", "/two"});
  CHECK(settings.compile == "forbidden");
  CHECK(settings.log == "debug");
  CHECK(settings.dump_dir == "/d");
  CHECK(settings.arch == "sm_80");
  CHECK(settings.device == "emulator");
  CHECK(settings.nvrtc == "/n.so");
  CHECK(settings.pdl == "off");
  CHECK(settings.tuned == "0");
  CHECK(settings.template_dir == "/t");
  CHECK(settings.stand_in == "check=full");
  CHECK(settings.stand_in_findings == "/f");
  CHECK(settings.cuda_home == "/cuda");
  CHECK(settings.virtual_env == "/venv");
}

TEST_CASE("CUDA_HOME goes before CUDA_PATH", "[base][settings]") {
  CHECK(settings_with({{"CUDA_PATH", "/p"}, {"CUDA_HOME", "/h"}}).cuda_home == "/h");
}

TEST_CASE("a program chooses by the names of the variables", "[base][settings]") {
  Settings settings;
  choose(settings, "JUTE_COMPILE", "forbidden");
  choose(settings, "JUTE_CACHE_DIR", "/d");
  CHECK(settings == Settings{.cache_dir = "/d", .compile = "forbidden"});
  const Error error = test::refusal_of([&] { choose(settings, "JUTE_CACH", "on"); });
  CHECK(error.code == ErrorCode::unknown_name);
  CHECK(error.nearest_legal == "JUTE_CACHE");
  CHECK_THROWS(choose(settings, "JUTE_COMPILE", ""));
}

TEST_CASE("a value outside a variable's list is refused", "[base][settings][refusal]") {
  const Error error = test::refusal_of([] { return settings_with({{"JUTE_CACHE", "onn"}}); });
  CHECK(error.code == ErrorCode::illegal_config);
  CHECK(error.operand == "JUTE_CACHE");
  CHECK(error.nearest_legal == "on");
  CHECK_THROWS(settings_with({{"JUTE_DEVICE", "gpu"}}));
}
