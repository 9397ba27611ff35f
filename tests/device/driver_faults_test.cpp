#include "device/device_backend.hpp"
#include "fake_driver.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"

using namespace jute;
using test::fake_driver;

namespace {

/// Uses every part of a backend once.
void use_everything(Backend& backend) {
  const Buffer buffer(backend, 16);
  std::vector<std::byte> bytes(16);
  backend.copy_in(buffer.pointer(), bytes);
  backend.fill(buffer.pointer(), 1, 16);
  Binary binary{.symbol = "k", .ptx = "PTX text"};
  const Kernel kernel = backend.load(binary);
  const Stream stream = backend.create_stream();
  const Event from = backend.record(stream);
  backend.launch(kernel, {}, stream);
  const Event to = backend.record(stream);
  (void)backend.encode(
      {.type = DType::f32, .dims = {64}, .strides_bytes = {}, .box = {64}, .element_strides = {1}},
      256);
  (void)backend.elapsed_ms(from, to);
  (void)backend.free_bytes();
  backend.copy_out(bytes, buffer.pointer());
  backend.synchronize();
  backend.destroy_stream(stream);
}

int open_and_use() {
  fake_driver().kernel_signature = "()";
  use_everything(*device::open_device(test::fake_driver_table(), {}));
  return 0;
}

/// Calls whose failure nobody can be told: they end a life.
bool ends_a_life(const std::string& call) {
  for (const char* name : {"cuCtxPopCurrent_v2", "cuMemFree_v2", "cuStreamDestroy_v2",
                           "cuEventDestroy_v2", "cuModuleUnload", "cuDevicePrimaryCtxRelease_v2"})
    if (call == name) return true;
  return false;
}

}  // namespace

TEST_CASE("everything works when nothing fails", "[device][faults]") {
  test::reset_fake_driver();
  open_and_use();
  CHECK(fake_driver().launches.size() == 1);
}

TEST_CASE("any failing call is named with its status, and nothing leaks",
          "[device][faults][refusal]") {
  std::vector<std::string> calls = test::fake_driver_functions();
  calls.emplace_back("cuTensorMapEncodeTiled");
  calls.emplace_back("cuFuncGetParamInfo");
  for (const std::string& call : calls) {
    if (call == "cuGetErrorName" || call == "cuGetErrorString" || call == "cuDriverGetVersion" ||
        call == "cuCtxGetDevice")
      continue;  // not among the calls of this scenario, or the describing ones
    test::reset_fake_driver();
    fake_driver().kernel_signature = "()";
    fake_driver().fail[call] = 999;
    if (ends_a_life(call)) {
      open_and_use();
    } else {
      const Error error = test::refusal_of(open_and_use);
      CHECK(error.code == ErrorCode::driver_failed);
      CHECK(call.starts_with(error.operand));
      CHECK(error.value == "CUDA_ERROR_OTHER");
      CHECK(error.detail == (call == "cuMemAlloc_v2" ? "the driver's words\n16 bytes were asked for"
                             : call == "cuModuleLoadDataEx"
                                 ? "the driver's words\nptxas fatal: wrong"
                                 : "the driver's words"));
    }
    CHECK(fake_driver().memory.empty());
    CHECK(fake_driver().streams.empty());
    CHECK(fake_driver().events.empty());
    CHECK(fake_driver().modules.empty());
    CHECK(fake_driver().stack.empty());
    CHECK(fake_driver().primary_references == 0);
  }
}

TEST_CASE("statuses fall into kinds: memory, crashed kernels, the rest", "[device][faults]") {
  struct Case {
    int status;
    ErrorCode code;
  };
  for (const auto& [status, code] :
       {Case{2, ErrorCode::out_of_memory}, Case{700, ErrorCode::launch_failed},
        Case{702, ErrorCode::launch_failed}, Case{710, ErrorCode::launch_failed},
        Case{715, ErrorCode::launch_failed}, Case{716, ErrorCode::launch_failed},
        Case{719, ErrorCode::launch_failed}, Case{1, ErrorCode::driver_failed},
        Case{709, ErrorCode::driver_failed}, Case{801, ErrorCode::driver_failed}}) {
    test::reset_fake_driver();
    fake_driver().fail["cuCtxSynchronize"] = status;
    CHECK(test::refusal_of(open_and_use).code == code);
  }
  test::reset_fake_driver();
  fake_driver().fail["cuCtxSynchronize"] = 700;
  const Error error = test::refusal_of(open_and_use);
  CHECK(error.operand == "cuCtxSynchronize");
  CHECK(error.value == "CUDA_ERROR_ILLEGAL_ADDRESS");
}

TEST_CASE("a status without a name is its number", "[device][faults]") {
  test::reset_fake_driver();
  fake_driver().has_names = false;
  fake_driver().fail["cuCtxSynchronize"] = 4711;
  CHECK(test::refusal_of(open_and_use).value == "CUDA status 4711");
}

TEST_CASE("a missing or old driver is no_gpu and says what is missing",
          "[device][faults][refusal]") {
  for (const std::string& name : test::fake_driver_functions()) {
    const Error error =
        test::refusal_of([&] { return driver::load_driver(test::fake_driver_loader(name)); });
    CHECK(error.code == ErrorCode::no_gpu);
    CHECK(error.violated_rules.at(0).ends_with("lacks " + name));
  }
  base::LibraryLoader loader = test::fake_driver_loader();
  loader.open = [](const std::string&) -> void* { return nullptr; };
  const Error error = test::refusal_of([&] { return driver::load_driver(loader); });
  CHECK(error.code == ErrorCode::no_gpu);
  CHECK(error.violated_rules.at(0) == "the library must open: no such file");
  CHECK_NOTHROW(driver::load_driver(test::fake_driver_loader("cuTensorMapEncodeTiled")));
}

TEST_CASE("a machine without devices, or without the one asked for, is no_gpu",
          "[device][faults][refusal]") {
  const auto refusal = [](int ordinal) {
    return test::refusal_of(
        [&] { return device::open_device(test::fake_driver_table(), {.ordinal = ordinal}); });
  };
  test::reset_fake_driver();
  CHECK(refusal(2).code == ErrorCode::no_gpu);
  CHECK(refusal(2).nearest_legal == "1");
  CHECK(refusal(-1).nearest_legal == "0");
  fake_driver().device_count = 0;
  CHECK(refusal(0).code == ErrorCode::no_gpu);
  CHECK_FALSE(refusal(0).nearest_legal.has_value());
  fake_driver().fail["cuInit"] = driver::kNoDevice;
  CHECK(refusal(0).code == ErrorCode::no_gpu);
}

TEST_CASE("find_driver lists version and devices, or nothing", "[device][info]") {
  test::reset_fake_driver();
  const auto table = test::fake_driver_table();
  const auto info = device::find_driver(*table);
  REQUIRE(info.has_value());
  CHECK(info->driver_version == "13.0");
  REQUIRE(info->devices.size() == 2);
  CHECK(info->devices[1].name == "Fake 11");
  fake_driver().device_count = 0;
  CHECK_FALSE(device::find_driver(*table).has_value());
  fake_driver().device_count = 1;
  fake_driver().fail["cuInit"] = 803;
  CHECK_FALSE(device::find_driver(*table).has_value());
}
