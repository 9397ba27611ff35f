#pragma once
// A CUDA driver without a GPU: memory is the host's, launches are recorded, calls fail where a test
// tells them to.
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "driver/driver.hpp"

namespace jute::test {

struct FakeLaunch {
  driver::LaunchConfig config;
  std::vector<driver::LaunchAttribute> attributes;
  std::vector<std::vector<std::byte>> parameters;  ///< the bytes of each
};

struct FakeDriver {
  std::map<std::string, int> fail;  ///< status by call; absent: success
  std::vector<std::string> calls;

  int device_count = 2;
  int major = 9;
  int minor = 0;
  int version = 13000;
  bool has_names = true;

  std::vector<driver::ContextHandle> stack;  ///< the calling thread's contexts
  int primary_references = 0;
  std::map<driver::DriverAddress, std::vector<char>> memory;
  std::set<driver::StreamHandle> streams;
  std::set<driver::EventHandle> events;
  std::map<driver::ModuleHandle, std::string> modules;  ///< first bytes of the image
  std::map<int, int> function_attributes = {{0, 1024}, {1, 256}};
  std::string kernel_signature = "(i32 n, pointer p)";  ///< of every loaded kernel
  std::vector<FakeLaunch> launches;
  std::string image_log = "ptxas fatal: wrong";
  std::vector<std::uint64_t> encoded;  ///< type, rank, dims…, strides…, box…, steps…, modes
  int calls_without_context = 0;       ///< calls that need a current context and had none

  [[nodiscard]] int count(const std::string& call) const;
};

/// The state in use; `reset_fake_driver` starts afresh.
FakeDriver& fake_driver();
void reset_fake_driver();
/// The table over the fake.
std::shared_ptr<driver::Driver> fake_driver_table();
/// A loader whose library has every function of the table but `missing`.
base::LibraryLoader fake_driver_loader(const std::string& missing = {});
/// Names of all functions that a driver must have.
std::vector<std::string> fake_driver_functions();

}  // namespace jute::test
