#include <cstring>

#include "device/device_backend.hpp"
#include "fake_driver.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"

using namespace jute;
using test::fake_driver;

namespace {

std::unique_ptr<Backend> open_fake(const DeviceOptions& options = {}) {
  return device::open_device(test::fake_driver_table(), options);
}

Binary small_binary() {
  Binary binary{
      .symbol = "k", .arch = {90, 'a'}, .signature = parse_signature("(i32 n, pointer p)")};
  binary.ptx = "PTX text";
  for (const char c : std::string("ELF image")) binary.cubin.push_back(static_cast<std::byte>(c));
  return binary;
}

LaunchSpec small_launch() {
  LaunchSpec spec{.grid = {6, 5, 4}, .block = {128, 2, 1}, .dynamic_smem_bytes = 100000};
  spec.arguments.i32(7).pointer(0x1122334455667788ULL);
  return spec;
}

/// Nothing that the fake driver gave out is still held, and the thread has no context.
void check_all_returned() {
  CHECK(fake_driver().memory.empty());
  CHECK(fake_driver().streams.empty());
  CHECK(fake_driver().events.empty());
  CHECK(fake_driver().modules.empty());
  CHECK(fake_driver().primary_references == 0);
  CHECK(fake_driver().stack.empty());
  CHECK(fake_driver().calls_without_context == 0);
}

}  // namespace

TEST_CASE("the primary context is retained once and released with the last object",
          "[device][context]") {
  test::reset_fake_driver();
  {
    Kernel kernel;
    {
      const auto backend = open_fake({.ordinal = 1});
      CHECK(backend->name() == "cuda");
      CHECK(backend->image_kind() == ImageKind::cubin);
      kernel = backend->load(small_binary());
      CHECK(fake_driver().primary_references == 1);
    }
    CHECK(fake_driver().primary_references == 1);
  }
  check_all_returned();
}

TEST_CASE("a device is described by its attributes", "[device][info]") {
  test::reset_fake_driver();
  CHECK(open_fake({.ordinal = 1})->device_info() == DeviceInfo{.name = "Fake 11",
                                                               .arch = {90, 'a'},
                                                               .sm_count = 132,
                                                               .smem_bytes_per_block = 232448,
                                                               .smem_bytes_per_sm = 233472,
                                                               .registers_per_sm = 65536,
                                                               .threads_per_sm = 2048,
                                                               .l2_bytes = 52428800,
                                                               .memory_bytes = Index{141} << 30});
  struct Case {
    int major, minor;
    Arch arch;
  };
  for (const auto& [major, minor, arch] :
       {Case{7, 5, {75}}, Case{8, 0, {80}}, Case{8, 9, {89}}, Case{10, 0, {100, 'a'}},
        Case{12, 0, {120, 'a'}}, Case{12, 1, {120}}, Case{10, 3, {100}}, Case{8, 8, {87}},
        Case{13, 0, {120}}, Case{6, 1, {61}}}) {
    fake_driver().major = major;
    fake_driver().minor = minor;
    CHECK(open_fake()->device_info().arch == arch);
  }
}

TEST_CASE("an adopted context is used and never released", "[device][context]") {
  test::reset_fake_driver();
  {
    const auto backend = open_fake({.adopt_context = 0x99});
    CHECK(backend->device_info().name == "Fake 11");
    CHECK(fake_driver().stack.empty());
    const Buffer buffer(*backend, 64);
  }
  CHECK(fake_driver().count("cuDevicePrimaryCtxRetain") == 0);
  CHECK(fake_driver().count("cuDevicePrimaryCtxRelease_v2") == 0);
  check_all_returned();
}

TEST_CASE("a context that is current already is neither pushed nor popped", "[device][context]") {
  test::reset_fake_driver();
  const auto own = reinterpret_cast<driver::ContextHandle>(std::uintptr_t{0x99});
  const auto foreign = reinterpret_cast<driver::ContextHandle>(std::uintptr_t{0x11});
  fake_driver().stack = {own};
  {
    const auto backend = open_fake({.adopt_context = 0x99});
    fake_driver().calls.clear();
    backend->synchronize();
    CHECK(fake_driver().count("cuCtxPushCurrent_v2") == 0);
    fake_driver().stack = {foreign};
    backend->synchronize();
    CHECK(fake_driver().count("cuCtxPushCurrent_v2") == 1);
    CHECK(fake_driver().stack == std::vector{foreign});
  }
  fake_driver().stack.clear();
}

TEST_CASE("memory is copied, filled and freed with its owner", "[device][memory]") {
  test::reset_fake_driver();
  {
    const auto backend = open_fake();
    const Buffer buffer(*backend, 16);
    std::vector<std::byte> bytes(16, std::byte{7});
    backend->copy_in(buffer.pointer(), bytes);
    backend->fill(buffer.pointer(), 9, 4);
    std::vector<std::byte> back(16);
    backend->copy_out(back, buffer.pointer());
    CHECK(back[3] == std::byte{9});
    CHECK(back[4] == std::byte{7});
    CHECK(fake_driver().count("cuStreamSynchronize") == 1);
    CHECK(backend->alloc(0) != 0);
    const int before = static_cast<int>(fake_driver().calls.size());
    backend->copy_in(0, {});
    backend->copy_out({}, 0);
    backend->fill(0, 1, 0);
    CHECK(static_cast<int>(fake_driver().calls.size()) == before);
    CHECK(test::refusal_of([&] { return backend->alloc(-1); }).code == ErrorCode::out_of_range);
  }
  check_all_returned();
}

TEST_CASE("a kernel loads from its machine code, and from PTX where that does not fit",
          "[device][module]") {
  test::reset_fake_driver();
  {
    const auto backend = open_fake();
    const Kernel kernel = backend->load(small_binary());
    CHECK(kernel->signature() == small_binary().signature);
    CHECK(fake_driver().modules.begin()->second == "ELF ");
    CHECK(fake_driver().function_attributes[8] == 232448 - 256);

    Binary no_cubin = small_binary();
    no_cubin.cubin.clear();
    const Kernel from_ptx = backend->load(no_cubin);
    CHECK(fake_driver().modules.rbegin()->second == "PTX ");
    fake_driver().modules.clear();
    fake_driver().fail["load ELF "] = driver::kNoBinaryForGpu;
    const Kernel fallback = backend->load(small_binary());
    CHECK(fake_driver().modules.begin()->second == "PTX ");

    no_cubin = small_binary();
    no_cubin.ptx.clear();
    const Error error = test::refusal_of([&] { return backend->load(no_cubin); });
    CHECK(error.code == ErrorCode::driver_failed);
    CHECK(error.operand == "cuModuleLoadDataEx");
    CHECK(error.detail == "the driver's words\nptxas fatal: wrong");
  }
  check_all_returned();
}

TEST_CASE("a kernel whose parameters are not those of its signature is not loaded",
          "[device][module][refusal]") {
  test::reset_fake_driver();
  {
    const auto backend = open_fake();
    for (const char* other :
         {"(i32 n)", "(i32 n, pointer p, i32 m)", "(i64 n, pointer p)", "(i32 n, i32 p)", "()"}) {
      fake_driver().kernel_signature = other;
      const Error error = test::refusal_of([&] { return backend->load(small_binary()); });
      CHECK(error.code == ErrorCode::signature_mismatch);
      CHECK(error.operand == "k");
      CHECK(fake_driver().modules.empty());
    }
    auto old_driver = test::fake_driver_table();
    old_driver->function_parameter = nullptr;
    CHECK_NOTHROW((void)device::open_device(old_driver, {})->load(small_binary()));
  }
  check_all_returned();
}

TEST_CASE("a struct among the parameters is as long as its signature says",
          "[device][module][refusal]") {
  test::reset_fake_driver();
  {
    const auto backend = open_fake();
    Binary binary = small_binary();
    binary.signature = parse_signature("(i32 n, bytes[24:8] s)");
    fake_driver().kernel_signature = "(i32 n, bytes[24:8] s)";
    CHECK_NOTHROW((void)backend->load(binary));
    fake_driver().kernel_signature = "(i32 n, bytes[16:8] s)";
    const Error error = test::refusal_of([&] { return backend->load(binary); });
    CHECK(error.code == ErrorCode::signature_mismatch);
    CHECK(error.violated_rules ==
          std::vector<std::string>{"parameter 2: the kernel takes 16 bytes, not 24"});
  }
  check_all_returned();
}

TEST_CASE("a launch hands over grid, block, cluster, memory and each parameter",
          "[device][launch]") {
  test::reset_fake_driver();
  {
    const auto backend = open_fake();
    const Kernel kernel = backend->load(small_binary());
    LaunchSpec spec = small_launch();
    const Stream stream = backend->create_stream();
    backend->launch(kernel, spec, stream);
    const test::FakeLaunch first = fake_driver().launches.at(0);
    CHECK(first.config.grid_x == 6);
    CHECK(first.config.grid_y == 5);
    CHECK(first.config.grid_z == 4);
    CHECK(first.config.block_x == 128);
    CHECK(first.config.block_y == 2);
    CHECK(first.config.dynamic_smem_bytes == 100000);
    CHECK(first.config.stream == *fake_driver().streams.begin());
    CHECK(first.attributes.empty());
    REQUIRE(first.parameters.size() == 2);
    CHECK(std::memcmp(first.parameters[0].data(), spec.arguments.bytes().data(), 4) == 0);
    CHECK(std::memcmp(first.parameters[1].data(), spec.arguments.bytes().data() + 8, 8) == 0);

    spec.cluster = {2, 1, 4};
    spec.order = LaunchOrder::overlap_previous;
    backend->launch(kernel, spec);
    const test::FakeLaunch second = fake_driver().launches.at(1);
    CHECK(second.config.stream == nullptr);
    REQUIRE(second.attributes.size() == 2);
    CHECK(second.attributes[0].id == 4);
    CHECK(second.attributes[0].value.cluster.x == 2);
    CHECK(second.attributes[0].value.cluster.z == 4);
    CHECK(second.attributes[1].id == 6);
    CHECK(second.attributes[1].value.programmatic == 1);

    spec = small_launch();
    spec.grid = {1, 1, 1};
    spec.residency = Residency::whole_grid;
    backend->launch(kernel, spec);
    const test::FakeLaunch third = fake_driver().launches.at(2);
    REQUIRE(third.attributes.size() == 1);
    CHECK(third.attributes[0].id == 2);
    CHECK(third.attributes[0].value.cooperative == 1);
  }
  check_all_returned();
}

TEST_CASE("a launch that cannot be right does not reach the driver", "[device][launch][refusal]") {
  test::reset_fake_driver();
  const auto backend = open_fake();
  const Kernel kernel = backend->load(small_binary());
  const auto refusal = [&](const Kernel& which, const LaunchSpec& spec) {
    return test::refusal_of([&] {
      backend->launch(which, spec);
      return 0;
    });
  };
  LaunchSpec spec = small_launch();
  spec.arguments = ArgumentBlock().i32(1);
  CHECK(refusal(kernel, spec).code == ErrorCode::signature_mismatch);
  spec = small_launch();
  spec.dynamic_smem_bytes = 232448 - 255;
  CHECK(refusal(kernel, spec).nearest_legal == "232192");
  spec = small_launch();
  spec.grid = {5, 5, 5};
  spec.cluster = {2, 1, 1};
  CHECK(refusal(kernel, spec).operand == "grid");
  CHECK(refusal(nullptr, small_launch()).code == ErrorCode::wrong_type);
  CHECK(fake_driver().launches.empty());
}

TEST_CASE("streams made here are destroyed, a caller's own are left alone", "[device][stream]") {
  test::reset_fake_driver();
  {
    const auto backend = open_fake();
    const Stream stream = backend->create_stream();
    CHECK(backend->create_stream() != stream);
    CHECK(fake_driver().streams.size() == 2);
    backend->destroy_stream(stream);
    CHECK(fake_driver().streams.size() == 1);
    backend->destroy_stream({0x4242});
    backend->destroy_stream({});
    CHECK(fake_driver().count("cuStreamDestroy_v2") == 1);
  }
  check_all_returned();
}

TEST_CASE("events measure and are destroyed", "[device][event]") {
  test::reset_fake_driver();
  {
    const auto backend = open_fake();
    const Event from = backend->record();
    const Event to = backend->record();
    CHECK(backend->elapsed_ms(from, to) == 1.5);
    CHECK(fake_driver().count("cuEventSynchronize") == 1);
    CHECK(test::refusal_of([&] { return backend->elapsed_ms(from, nullptr); }).code ==
          ErrorCode::wrong_type);
  }
  check_all_returned();
}

TEST_CASE("a tensor map reaches the driver field by field", "[device][tensor_map]") {
  test::reset_fake_driver();
  const auto backend = open_fake();
  TensorMapSpec spec{.type = DType::bf16,
                     .dims = {1024, 512, 3},
                     .strides_bytes = {2048, 1048576},
                     .box = {64, 128, 1},
                     .element_strides = {1, 2, 1},
                     .swizzle = TmaSwizzle::b128,
                     .out_of_bounds = TmaOutOfBounds::nan};
  const EncodedTensorMap map = backend->encode(spec, 0x10000);
  CHECK(map.bytes[127] == std::byte{0x5a});
  CHECK(fake_driver().encoded == std::vector<std::uint64_t>{9, 3, 0x10000, 1024, 512, 3, 2048,
                                                            1048576, 64, 128, 1, 1, 2, 1, 0, 3, 3,
                                                            1});
  spec.box[0] = 128;
  CHECK(test::refusal_of([&] { return backend->encode(spec, 0x10000); }).code ==
        ErrorCode::illegal_tensor_map);
  auto table = test::fake_driver_table();
  table->encode_tiled = nullptr;
  spec.box[0] = 64;
  CHECK(test::refusal_of([&] {
          return device::open_device(table, {})->encode(spec, 0x10000);
        }).code == ErrorCode::unsupported);
}
