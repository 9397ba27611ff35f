#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "fake_nvrtc.hpp"
#include "jit/elf_file.hpp"
#include "jit/nvrtc_search.hpp"
#include "support/catch.hpp"
#include "support/nvrtc_places.hpp"
#include "support/refusal.hpp"

using namespace jute;
namespace fs = std::filesystem;

namespace {

/// A folder of its own that disappears with the test.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("jute_search_" + std::to_string(::getpid()))) {
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  [[nodiscard]] std::string at(const std::string& name) const { return (path_ / name).string(); }

  /// A loadable file of this machine's kind: a copy of this very program.
  std::string add_library(const std::string& name) const {
    fs::create_directories((path_ / name).parent_path());
    fs::copy_file("/proc/self/exe", path_ / name);
    return fs::canonical(path_ / name).string();
  }

 private:
  fs::path path_;
};

base::LibraryLoader empty_loader() {
  base::LibraryLoader loader = test::fake_loader();
  loader.open = [](const std::string&) -> void* { return nullptr; };
  return loader;
}

}  // namespace

TEST_CASE("toolkits are searched before wheels, newest first", "[jit][search]") {
  const Folder folder;
  jit::NvrtcPlaces places = test::nowhere();
  places.toolkits = {folder.at("cuda"), folder.at("cuda-*")};
  places.project_folders = {folder.at("project")};
  places.virtual_env = folder.at("active");
  places.cuda_home = folder.at("home");
  const auto found = [&] { return jit::find_nvrtc(places, empty_loader()).path; };

  const std::string active = folder.add_library(
      "active/lib/python3.12/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.12.8");
  CHECK(found() == active);
  const std::string project = folder.add_library(
      "project/.venv/lib/python3.11/site-packages/nvidia/cu13/lib/libnvrtc.so.13");
  CHECK(found() == project);
  const std::string old_toolkit = folder.add_library("cuda-12.9/lib64/libnvrtc.so.12.9");
  CHECK(found() == old_toolkit);
  const std::string new_toolkit =
      folder.add_library("cuda-13.0/targets/x86_64-linux/lib/libnvrtc.so.13");
  CHECK(found() == new_toolkit);
  const std::string newer_build =
      folder.add_library("cuda-13.0/targets/x86_64-linux/lib/libnvrtc.so.13.0.88");
  CHECK(found() == newer_build);
  const std::string chosen_toolkit = folder.add_library("cuda/lib64/libnvrtc.so");
  CHECK(found() == chosen_toolkit);
  const std::string home = folder.add_library("home/lib64/libnvrtc.so.13");
  CHECK(found() == home);
  places.library = old_toolkit;
  CHECK(found() == old_toolkit);
  places.library = folder.at("cuda-13.0/targets/x86_64-linux/lib");
  CHECK(found() == newer_build);
}

TEST_CASE("releases older than 12.8 are passed over", "[jit][search]") {
  const Folder folder;
  jit::NvrtcPlaces places = test::nowhere();
  places.toolkits = {folder.at("cuda-*")};
  places.virtual_env = folder.at("active");
  const auto found = [&] { return jit::find_nvrtc(places, empty_loader()).path; };
  const std::string ancient = folder.add_library("cuda-9.2/lib64/libnvrtc.so.9.2");
  const std::string old = folder.add_library("cuda-12.4/lib64/libnvrtc.so.12.4.127");
  const Error error = test::refusal_of(found);
  CHECK(error.code == ErrorCode::no_nvrtc);
  CHECK(error.violated_rules == std::vector<std::string>{"NVRTC must be 12.8 or newer"});
  CHECK(error.detail.find(old + " (12.4)") != std::string::npos);
  CHECK(error.detail.find(ancient + " (9.2)") != std::string::npos);
  const std::string wheel = folder.add_library(
      "active/lib/python3.12/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.12.8.93");
  CHECK(found() == wheel);
  places.library = old;
  CHECK(test::refusal_of(found).violated_rules[0] == "NVRTC must be 12.8 or newer");
}

TEST_CASE("a library whose name tells no minor release is asked", "[jit][search]") {
  const Folder folder;
  jit::NvrtcPlaces places = test::nowhere();
  places.virtual_env = folder.at("active");
  const std::string wheel = folder.add_library(
      "active/lib/python3.12/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.12");
  base::LibraryLoader loader = empty_loader();
  loader.open = [&](const std::string& name) -> void* { return name == wheel ? &places : nullptr; };
  using Version = int (*)(int*, int*);
  const auto answers = [&](Version version) {
    loader.symbol = [version](void*, const char* name) {
      return std::string(name) == "nvrtcVersion" ? reinterpret_cast<void*>(version) : nullptr;
    };
    return [&] { return jit::find_nvrtc(places, loader).path; };
  };
  const auto release = [](int new_major, int new_minor, int* major, int* minor) {
    *major = new_major;
    *minor = new_minor;
    return 0;
  };
  static const auto set = release;
  CHECK(answers([](int* major, int* minor) { return set(12, 8, major, minor); })() == wheel);
  CHECK(answers([](int* major, int* minor) { return set(12, 9, major, minor); })() == wheel);
  const auto old = answers([](int* major, int* minor) { return set(12, 6, major, minor); });
  CHECK(test::refusal_of(old).detail.find(wheel + " (12.6)") != std::string::npos);
  // One that does not answer is left to whoever loads it.
  CHECK(answers([](int*, int*) { return 1; })() == wheel);
}

TEST_CASE("files that are no library of this machine are passed over", "[jit][search]") {
  const Folder folder;
  jit::NvrtcPlaces places = test::nowhere();
  places.toolkits = {folder.at("a"), folder.at("b")};
  const std::string good = folder.add_library("b/lib64/libnvrtc.so.13");
  fs::create_directories(folder.at("a/lib64"));
  std::ofstream(folder.at("a/lib64/libnvrtc.so.13")) << "not a library";
  fs::create_symlink("missing", folder.at("a/lib64/libnvrtc.so"));
  // One that waits for who writes into it.
  REQUIRE(::mkfifo(folder.at("a/lib64/libnvrtc.so.12").c_str(), 0600) == 0);
  CHECK(jit::find_nvrtc(places, empty_loader()).path == good);
}

TEST_CASE("a machine without NVRTC is told where it was looked for and what to install",
          "[jit][search][refusal]") {
  const Folder folder;
  jit::NvrtcPlaces places = test::nowhere();
  places.toolkits = {folder.at("cuda-*")};
  places.virtual_env = folder.at("active");
  const Error error = test::refusal_of([&] { return jit::find_nvrtc(places, empty_loader()); });
  CHECK(error.code == ErrorCode::no_nvrtc);
  for (const std::string& part : {folder.at("cuda-*"), folder.at("active"),
                                  std::string("loader's path"), std::string("pip install")})
    CHECK(error.detail.find(part) != std::string::npos);
}

TEST_CASE("a named library that is not there is refused, whatever else is installed",
          "[jit][search][refusal]") {
  const Folder folder;
  jit::NvrtcPlaces places;
  places.library = folder.at("libnvrtc.so");
  const Error error =
      test::refusal_of([&] { return jit::find_nvrtc(places, base::system_loader()); });
  CHECK(error.code == ErrorCode::no_nvrtc);
  CHECK(error.value == places.library);
}

TEST_CASE("the loader's own path is the last resort", "[jit][search]") {
  const auto found = jit::find_nvrtc(test::nowhere(), test::fake_loader());
  CHECK(found.path == fs::canonical("/proc/self/exe").string());
}

TEST_CASE("what is installed finds the environment that jute was built beside, after all others",
          "[jit][search]") {
  const Folder folder;
  jit::NvrtcPlaces places = test::nowhere();
  places.built_beside = folder.at("clone/.venv");
  const std::string beside =
      folder.add_library("clone/.venv/lib/python3.11/site-packages/nvidia/cu13/lib/libnvrtc.so.13");
  CHECK(jit::find_nvrtc(places, empty_loader()).path == beside);
  CHECK(jit::find_nvrtc(places, test::fake_loader()).path != beside);
  CHECK(jit::described(places) ==
        std::vector<std::string>{"the dynamic loader's path", places.built_beside});
}

TEST_CASE("an ELF header cut at any byte is refused, not read beyond", "[jit][search][law]") {
  const Folder folder;
  const std::string whole = folder.add_library("whole");
  std::string bytes(2048, '\0');
  std::ifstream(whole, std::ios::binary).read(bytes.data(), 2048);
  for (size_t size = 0; size < 64; ++size) {
    std::ofstream(folder.at("cut"), std::ios::binary) << bytes.substr(0, size);
    CHECK_FALSE(jit::read_elf_file(folder.at("cut")).has_value());
  }
  for (size_t at = 0; at < 512; ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0xff);
    std::ofstream(folder.at("cut"), std::ios::binary) << damaged;
    (void)jit::read_elf_file(folder.at("cut"));
  }
  CHECK(jit::is_for_this_machine(*jit::read_elf_file(whole)));
}
