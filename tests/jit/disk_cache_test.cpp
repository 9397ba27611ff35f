#include <sys/stat.h>
#include <unistd.h>
#include <jute/jit/disk_cache.hpp>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "support/catch.hpp"
#include "support/fake_kernels.hpp"
#include "support/refusal.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
namespace fs = std::filesystem;

namespace {

bool store(const DiskCache& cache, int number) {
  const Source source = test::numbered_source(number);
  return cache.store(make_key(source, Output::ptx_and_cubin, "build"),
                     test::numbered_binary(source, Output::ptx_and_cubin));
}

std::optional<Binary> load(const DiskCache& cache, int number) {
  const Source source = test::numbered_source(number);
  return cache.load(make_key(source, Output::ptx_and_cubin, "build"), source);
}

fs::path entry_path(const DiskCache& cache, int number) {
  const CacheKey key = make_key(test::numbered_source(number), Output::ptx_and_cubin, "build");
  return fs::path(cache.path()) / (key.digest + ".kernel");
}

void set_age(const fs::path& file, int seconds) {
  fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::seconds(seconds));
}

}  // namespace

TEST_CASE("a stored kernel comes back as it was", "[jit][disk_cache]") {
  const test::TemporaryFolder folder;
  const DiskCache cache(folder.file("a/b"));
  CHECK_FALSE(load(cache, 1).has_value());
  CHECK_FALSE(fs::exists(cache.path()));
  CHECK(store(cache, 1));
  CHECK(load(cache, 1) == test::numbered_binary(test::numbered_source(1), Output::ptx_and_cubin));
  CHECK_FALSE(load(cache, 2).has_value());
  CHECK(cache.problem().empty());
  CHECK((fs::status(cache.path()).permissions() & fs::perms::mask) == fs::perms::owner_all);
}

TEST_CASE("an entry serves its kernel under any name, and tells the one it has",
          "[jit][disk_cache]") {
  const test::TemporaryFolder folder;
  const DiskCache cache(folder.file("c"));
  REQUIRE(store(cache, 1));
  Source renamed = test::numbered_source(1);
  renamed.symbol = "another_name";
  const auto binary = cache.load(make_key(renamed, Output::ptx_and_cubin, "build"), renamed);
  REQUIRE(binary);
  CHECK(binary->symbol == "kernel_1");
  CHECK(binary->cubin ==
        test::numbered_binary(test::numbered_source(1), Output::ptx_and_cubin).cubin);
}

TEST_CASE("a damaged entry is a miss and is replaced", "[jit][disk_cache][law]") {
  const test::TemporaryFolder folder;
  const DiskCache cache(folder.file("c"));
  REQUIRE(store(cache, 1));
  const fs::path file = entry_path(cache, 1);
  const auto size = fs::file_size(file);
  const auto flip = [&](std::uintmax_t at) {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekg(static_cast<std::streamoff>(at));
    const int byte = stream.get();
    stream.seekp(static_cast<std::streamoff>(at));
    stream.put(static_cast<char>(byte ^ 1));
  };
  for (std::uintmax_t at = 0; at < size; at += 97) {
    flip(at);
    REQUIRE_FALSE(load(cache, 1).has_value());
    REQUIRE(cache.list().at(0).fault == "its bytes are not as they were written");
    flip(at);
    REQUIRE(load(cache, 1).has_value());
  }
  for (const std::uintmax_t rest : {size - 1, size / 2, std::uintmax_t{0}}) {
    fs::resize_file(file, rest);
    CHECK_FALSE(load(cache, 1).has_value());
    CHECK(store(cache, 1));
    CHECK(load(cache, 1).has_value());
  }
}

TEST_CASE("an entry under another kernel's name is a miss", "[jit][disk_cache]") {
  const test::TemporaryFolder folder;
  const DiskCache cache(folder.file("c"));
  REQUIRE(store(cache, 1));
  fs::copy_file(entry_path(cache, 1), entry_path(cache, 2));
  CHECK_FALSE(load(cache, 2).has_value());
  int misplaced = 0;
  for (const CacheEntry& entry : cache.list())
    misplaced += entry.fault == "it lies under another kernel's name" ? 1 : 0;
  CHECK(misplaced == 1);
}

TEST_CASE("things that are no plain files are misses", "[jit][disk_cache]") {
  const test::TemporaryFolder folder;
  const DiskCache cache(folder.file("c"));
  REQUIRE(store(cache, 1));
  const fs::path file = entry_path(cache, 1);
  fs::rename(file, folder.file("elsewhere"));
  fs::create_symlink(folder.file("elsewhere"), file);
  CHECK_FALSE(load(cache, 1).has_value());
  fs::remove(file);
  REQUIRE(::mkfifo(file.c_str(), 0600) == 0);
  CHECK_FALSE(load(cache, 1).has_value());
  fs::remove(file);
  fs::create_directory(file);
  CHECK_FALSE(load(cache, 1).has_value());
  CHECK_FALSE(store(cache, 1));
  CHECK(cache.list().empty());
}

TEST_CASE("a folder that others may write to is not trusted", "[jit][disk_cache]") {
  const test::TemporaryFolder folder;
  const DiskCache cache(folder.file("c"));
  REQUIRE(store(cache, 1));
  fs::permissions(cache.path(), fs::perms::group_write, fs::perm_options::add);
  CHECK_FALSE(load(cache, 1).has_value());
  CHECK_FALSE(store(cache, 2));
  CHECK(cache.problem() == "others may write to it");
  CHECK(cache.list().empty());
  CHECK(test::refusal_of([&] { return cache.clear(); }).code == ErrorCode::unwritable);
  fs::permissions(cache.path(), fs::perms(0755));
  CHECK(load(cache, 1).has_value());
  CHECK(store(cache, 2));
  CHECK((fs::status(cache.path()).permissions() & fs::perms::mask) == fs::perms::owner_all);
}

TEST_CASE("a folder of another user is not trusted", "[jit][disk_cache]") {
  if (::geteuid() != 0) return;  // only root can give a folder away
  const test::TemporaryFolder folder;
  const DiskCache cache(folder.file("c"));
  REQUIRE(store(cache, 1));
  REQUIRE(::chown(cache.path().c_str(), 12345, 12345) == 0);
  CHECK_FALSE(load(cache, 1).has_value());
  CHECK_FALSE(store(cache, 1));
  CHECK(cache.problem() == "it belongs to user 12345, not to 0");
}

TEST_CASE("a cache that cannot be made only misses", "[jit][disk_cache]") {
  const test::TemporaryFolder folder;
  std::ofstream(folder.file("file")) << "in the way";
  for (const std::string& place : {folder.file("file"), std::string("/proc/none"), std::string()}) {
    const DiskCache cache(place);
    CHECK_FALSE(store(cache, 1));
    CHECK_FALSE(load(cache, 1).has_value());
    CHECK_FALSE(cache.problem().empty());
    CHECK(cache.list().empty());
    (void)cache.lock(make_key(test::numbered_source(1), Output::ptx_and_cubin, "build"));
  }
  // A link in the place of the folder could lead anywhere.
  fs::create_directory(folder.file("target"));
  fs::create_directory(folder.file("d"));
  fs::create_symlink(folder.file("target"), folder.file("d/kernels"));
  CHECK_FALSE(store(DiskCache(folder.file("d")), 1));
}

TEST_CASE("the least recently used entries go when the cache is full", "[jit][disk_cache]") {
  const test::TemporaryFolder folder;
  const DiskCache unbounded(folder.file("c"));
  for (int i = 0; i < 4; ++i) REQUIRE(store(unbounded, i));
  const auto size = static_cast<Index>(fs::file_size(entry_path(unbounded, 0)));
  for (int i = 0; i < 4; ++i) set_age(entry_path(unbounded, i), 1000 - i);
  const DiskCache cache(folder.file("c"), CacheAccess::read_write, 4 * size + 200);
  REQUIRE(load(cache, 0).has_value());  // used now
  REQUIRE(store(cache, 4));
  CHECK(load(cache, 0).has_value());
  CHECK_FALSE(load(cache, 1).has_value());
  CHECK_FALSE(load(cache, 2).has_value());
  CHECK(load(cache, 3).has_value());
  CHECK(load(cache, 4).has_value());
}

TEST_CASE("what dead processes left is removed after a while", "[jit][disk_cache]") {
  const test::TemporaryFolder folder;
  const DiskCache cache(folder.file("c"));
  REQUIRE(store(cache, 1));
  const fs::path fresh = fs::path(cache.path()) / ".new-1-1";
  const fs::path stale = fs::path(cache.path()) / ".new-1-2";
  for (const fs::path& file : {fresh, stale}) std::ofstream(file) << "half";
  set_age(stale, 3600);
  REQUIRE(store(cache, 2));
  CHECK(fs::exists(fresh));
  CHECK_FALSE(fs::exists(stale));
}

TEST_CASE("a read-only cache serves and changes nothing", "[jit][disk_cache]") {
  const test::TemporaryFolder folder;
  REQUIRE(store(DiskCache(folder.file("c")), 1));
  const DiskCache cache(folder.file("c"), CacheAccess::read_only);
  set_age(entry_path(cache, 1), 1000);
  const auto before = fs::last_write_time(entry_path(cache, 1));
  CHECK(load(cache, 1).has_value());
  CHECK(fs::last_write_time(entry_path(cache, 1)) == before);
  CHECK_FALSE(store(cache, 2));
  CHECK(test::refusal_of([&] { return cache.clear(); }).code == ErrorCode::unwritable);
  CHECK(cache.list().size() == 1);
  const DiskCache absent(folder.file("none"), CacheAccess::read_only);
  CHECK(absent.problem().empty());
  CHECK_FALSE(fs::exists(folder.file("none")));
}

TEST_CASE("entries are listed with kernel, architecture, size and age", "[jit][disk_cache]") {
  const test::TemporaryFolder folder;
  const DiskCache cache(folder.file("c"));
  for (int i = 0; i < 3; ++i) REQUIRE(store(cache, i));
  const auto entries = cache.list();
  REQUIRE(entries.size() == 3);
  const auto now = std::chrono::duration_cast<std::chrono::seconds>(
                       std::chrono::system_clock::now().time_since_epoch())
                       .count();
  for (const CacheEntry& entry : entries) {
    CHECK(entry.fault.empty());
    CHECK(entry.symbol.starts_with("kernel_"));
    CHECK(entry.arch == "sm_90a");
    CHECK(entry.bytes > 10000);
    CHECK(std::abs(entry.last_used - now) < 3600);
  }
  CHECK(cache.clear() == 3);
  CHECK(cache.list().empty());
  CHECK(cache.clear() == 0);
}

TEST_CASE("a cache in a folder that its user has files in leaves them alone", "[jit][disk_cache]") {
  const test::TemporaryFolder folder;
  const DiskCache cache(folder.file("project"));
  REQUIRE(store(cache, 1));
  const fs::path kernels(cache.path());
  const std::vector<std::string> own{"softmax.cu",
                                     "softmax.kernel",
                                     ".kernel",
                                     ".newest",
                                     std::string(31, 'a') + ".kernel",
                                     std::string(33, 'a') + ".kernel"};
  for (const std::string& name : own) std::ofstream(kernels / name) << "mine";
  std::ofstream(kernels / ".new-1-1") << "half";
  CHECK(cache.list().size() == 1);
  // Nor do they go to make room.
  CHECK(store(DiskCache(folder.file("project"), CacheAccess::read_write, 1), 2));
  for (const std::string& name : own) CHECK(fs::exists(kernels / name));
  REQUIRE(store(cache, 3));
  CHECK(cache.clear() == 1);
  CHECK(cache.list().empty());
  CHECK_FALSE(fs::exists(kernels / ".new-1-1"));
  for (const std::string& name : own) CHECK(fs::exists(kernels / name));
}

TEST_CASE("the lock of a key holds off others, not those of other keys", "[jit][disk_cache]") {
  const test::TemporaryFolder folder;
  const DiskCache cache(folder.file("c"));
  const CacheKey first = make_key(test::numbered_source(1), Output::ptx_and_cubin, "build");
  const CacheKey second = make_key(test::numbered_source(2), Output::ptx_and_cubin, "build");
  std::atomic<bool> has_first = false;
  std::thread other;
  {
    const DiskCache::Lock held = cache.lock(first);
    const DiskCache::Lock free = cache.lock(second);
    other = std::thread([&] {
      const DiskCache::Lock waited = cache.lock(first);
      has_first = true;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    CHECK_FALSE(has_first);
  }
  other.join();
  CHECK(has_first);
}
