// The CUDA back end on a real GPU. Each case runs in a child process with a watchdog.

#include <bit>
#include <chrono>
#include <cstring>
#include <random>

#include "base/format.hpp"
#include "device/device_backend.hpp"
#include "support/catch.hpp"
#include "support/compiler.hpp"
#include "support/gpu.hpp"

using namespace jute;

namespace {

template <class T>
std::span<const std::byte> bytes_of(const std::vector<T>& values) {
  return std::as_bytes(std::span(values));
}

template <class T>
std::vector<T> read_back(Backend& backend, DevicePointer pointer, size_t count) {
  std::vector<T> values(count);
  backend.copy_out(std::as_writable_bytes(std::span(values)), pointer);
  return values;
}

Source scale_source(Arch arch) {
  return {.symbol = "scale",
          .text = R"(extern "C" __global__ void scale(float* x, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = factor * x[i];
}
)",
          .arch = arch,
          .signature = parse_signature("(pointer x, f32 factor, i32 n)")};
}

Kernel compile_and_load(Backend& backend, const Source& source) {
  return backend.load(test::test_compiler().compile(source, Output::ptx_and_cubin));
}

/// Scales 1000 numbers in a stream; "ok" when each is right.
std::string scale_on(Backend& backend, const Kernel& kernel, Stream stream) {
  constexpr int kCount = 1000;
  std::vector<float> values(kCount);
  for (int i = 0; i < kCount; ++i) values[static_cast<size_t>(i)] = static_cast<float>(i);
  const Buffer buffer(backend, kCount * 4);
  backend.copy_in(buffer.pointer(), bytes_of(values), stream);
  LaunchSpec spec{.grid = {8, 1, 1}, .block = {128, 1, 1}};
  spec.arguments.pointer(buffer.pointer()).f32(2.5F).i32(kCount);
  backend.launch(kernel, spec, stream);
  backend.synchronize();
  const auto result = read_back<float>(backend, buffer.pointer(), kCount);
  for (int i = 0; i < kCount; ++i)
    if (result[static_cast<size_t>(i)] != 2.5F * static_cast<float>(i))
      return base::format("element {} is {}", i, result[static_cast<size_t>(i)]);
  return "ok";
}

}  // namespace

TEST_CASE("the device describes itself", "[gpu][device]") {
  const std::string text = test::on_gpu([] {
    const DeviceInfo info = open_device()->device_info();
    const bool sane = info.sm_count > 0 && info.memory_bytes > (Index{1} << 30) &&
                      info.l2_bytes > (1 << 20) &&
                      limits(info.arch).smem_bytes_per_block == info.smem_bytes_per_block;
    return base::format(
        "{} {}, {} SMs, {} B shared memory a block, {} B L2, {} B memory, driver {}",
        sane ? "ok" : "implausible", to_string(info.arch) + " " + info.name, info.sm_count,
        info.smem_bytes_per_block, info.l2_bytes, info.memory_bytes, find_driver()->driver_version);
  });
  WARN(text);
  CHECK(text.starts_with("ok"));
}

TEST_CASE("memory goes to the device and back", "[gpu][device]") {
  test::expect_on_gpu(
      [] {
        const auto backend = open_device();
        std::vector<std::uint32_t> values(1 << 20);
        std::mt19937 random(1);
        for (auto& value : values) value = static_cast<std::uint32_t>(random());
        const Buffer buffer(*backend, static_cast<Index>(values.size() * 4));
        if (buffer.pointer() % 256 != 0) return std::string("misaligned");
        backend->copy_in(buffer.pointer(), bytes_of(values));
        if (read_back<std::uint32_t>(*backend, buffer.pointer(), values.size()) != values)
          return std::string("copy differs");
        backend->fill(buffer.pointer() + 4, 0xab, 8);
        const auto filled = read_back<std::uint32_t>(*backend, buffer.pointer(), 4);
        const bool right = filled[0] == values[0] && filled[1] == 0xabababab &&
                           filled[2] == 0xabababab && filled[3] == values[3];
        return std::string(right ? "ok" : "fill differs");
      },
      "ok");
}

TEST_CASE("a kernel runs from machine code and from PTX, in any stream", "[gpu][device]") {
  test::expect_on_gpu(
      [] {
        const auto backend = open_device();
        const Compiler compiler = test::test_compiler();
        const Source source = scale_source(backend->device_info().arch);
        const Stream stream = backend->create_stream();
        std::string result;
        for (const Output output : {Output::ptx_and_cubin, Output::ptx}) {
          const Kernel kernel = backend->load(compiler.compile(source, output));
          result += scale_on(*backend, kernel, {}) + " " + scale_on(*backend, kernel, stream) + " ";
        }
        return result;
      },
      "ok ok ok ok ");
}

TEST_CASE("parameters of every kind arrive", "[gpu][device]") {
  test::expect_on_gpu(
      [] {
        const auto backend = open_device();
        const Source source{.symbol = "gather",
                            .text = R"(struct alignas(64) Map { unsigned long long words[16]; };
struct Three { unsigned long long words[3]; };
extern "C" __global__ void gather(int a, unsigned long long* out, float b, const __grid_constant__ Map map,
                                  double c, unsigned d, long long e, unsigned long long f, int g,
                                  Three h) {
  out[0] = a;
  out[1] = __float_as_uint(b);
  out[2] = map.words[0];
  out[3] = map.words[15];
  out[4] = __double_as_longlong(c);
  out[5] = d;
  out[6] = e;
  out[7] = f;
  out[8] = g;
  out[9] = h.words[2];
}
)",
                            .arch = backend->device_info().arch,
                            .signature = parse_signature(
                                "(i32 a, pointer out, f32 b, tensor_map map, f64 c, u32 d, i64 e, "
                                "u64 f, i32 g, bytes[24:8] h)")};
        const Kernel kernel = compile_and_load(*backend, source);
        const Buffer out(*backend, 10 * 8);
        EncodedTensorMap map;
        map.bytes[0] = std::byte{0x11};
        map.bytes[127] = std::byte{0x22};
        const std::array<std::uint64_t, 3> three{1, 2, 9};
        LaunchSpec spec;
        spec.arguments.i32(3).pointer(out.pointer()).f32(1.5F).tensor_map(map).f64(-2.5);
        spec.arguments.u32(5).i64(-6).u64(7).i32(8);
        spec.arguments.bytes(std::as_bytes(std::span(three)), 8);
        backend->launch(kernel, spec);
        backend->synchronize();
        const std::vector<std::uint64_t> expected{3,
                                                  std::bit_cast<std::uint32_t>(1.5F),
                                                  0x11,
                                                  std::uint64_t{0x22} << 56,
                                                  std::bit_cast<std::uint64_t>(-2.5),
                                                  5,
                                                  static_cast<std::uint64_t>(-6),
                                                  7,
                                                  8,
                                                  9};
        return std::string(
            read_back<std::uint64_t>(*backend, out.pointer(), 10) == expected ? "ok" : "differs");
      },
      "ok");
}

TEST_CASE("a block may use all the shared memory that the device has", "[gpu][device]") {
  test::expect_on_gpu(
      [] {
        const auto backend = open_device();
        const Source source{.symbol = "edges",
                            .text = R"(extern __shared__ unsigned dynamic[];
extern "C" __global__ void edges(unsigned* out, int words) {
  __shared__ unsigned fixed[64];
  fixed[threadIdx.x] = 1;
  dynamic[0] = 17;
  dynamic[words - 1] = 4;
  __syncthreads();
  out[0] = dynamic[0] + dynamic[words - 1] + fixed[0];
}
)",
                            .arch = backend->device_info().arch,
                            .signature = parse_signature("(pointer out, i32 words)")};
        const Kernel kernel = compile_and_load(*backend, source);
        const Buffer out(*backend, 4);
        LaunchSpec spec;
        spec.dynamic_smem_bytes = backend->device_info().smem_bytes_per_block - 256;
        spec.arguments.pointer(out.pointer()).i32(static_cast<int>(spec.dynamic_smem_bytes / 4));
        backend->launch(kernel, spec);
        backend->synchronize();
        return std::to_string(read_back<unsigned>(*backend, out.pointer(), 1)[0]);
      },
      "22");
}

TEST_CASE("clusters and overlapping launches run", "[gpu][device]") {
  test::expect_on_gpu(
      [] {
        const auto backend = open_device();
        if (backend->device_info().arch.number < 90) return std::string("4 4 8");
        const Source source{.symbol = "ranks",
                            .text = R"(extern "C" __global__ void ranks(unsigned* out) {
  unsigned count, rank;
  asm volatile("griddepcontrol.wait;" ::: "memory");
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(count));
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  atomicAdd(&out[0], rank == 3 ? 1u : 0u);
  atomicMax(&out[1], count);
  atomicAdd(&out[2], 1u);
}
)",
                            .arch = backend->device_info().arch,
                            .signature = parse_signature("(pointer out)")};
        const Kernel kernel = compile_and_load(*backend, source);
        const Buffer out(*backend, 12);
        backend->fill(out.pointer(), 0, 12);
        LaunchSpec spec{.grid = {4, 2, 1}, .block = {1, 1, 1}, .cluster = {2, 2, 1}};
        spec.arguments.pointer(out.pointer());
        backend->launch(kernel, spec);
        spec.order = LaunchOrder::overlap_previous;
        backend->launch(kernel, spec);
        backend->synchronize();
        const auto counts = read_back<unsigned>(*backend, out.pointer(), 3);
        return base::format("{} {} {}", counts[0], counts[1], counts[2] / 2);
      },
      "4 4 8");
}

TEST_CASE("events measure, and a launch costs little on the host", "[gpu][device]") {
  const std::string text = test::on_gpu([] {
    const auto backend = open_device();
    const Kernel kernel = compile_and_load(*backend, scale_source(backend->device_info().arch));
    const Buffer buffer(*backend, 4096);
    LaunchSpec spec{.block = {128, 1, 1}};
    spec.arguments.pointer(buffer.pointer()).f32(1).i32(128);
    const auto launch_many = [&](int count) {
      for (int i = 0; i < count; ++i) backend->launch(kernel, spec);
    };
    launch_many(100);
    backend->synchronize();
    const Event from = backend->record();
    const auto start = std::chrono::steady_clock::now();
    launch_many(500);
    const std::chrono::duration<double, std::micro> host = std::chrono::steady_clock::now() - start;
    const Event to = backend->record();
    const double device_ms = backend->elapsed_ms(from, to);
    const TensorMapSpec map{.type = DType::bf16,
                            .dims = {4096, 4096},
                            .strides_bytes = {8192},
                            .box = {64, 128},
                            .element_strides = {1, 1},
                            .swizzle = TmaSwizzle::b128};
    const auto encode_start = std::chrono::steady_clock::now();
    int differing = 0;
    for (int i = 0; i < 1000; ++i)
      differing += backend->encode(map, 1 << 20) == EncodedTensorMap{} ? 1 : 0;
    const std::chrono::duration<double, std::nano> encode =
        std::chrono::steady_clock::now() - encode_start;
    return base::format("{} launch {:.2f} us host, {:.2f} us period; tensor map {:.0f} ns",
                        device_ms > 0 && differing == 0 ? "ok" : "wrong", host.count() / 500,
                        device_ms * 1000 / 500, encode.count() / 1000);
  });
  WARN(text);
  CHECK(text.starts_with("ok"));
}

TEST_CASE("a kernel that reads a wild address is reported when the device is waited for",
          "[gpu][device][refusal]") {
  test::expect_on_gpu(
      [] {
        const auto backend = open_device();
        const Kernel kernel = compile_and_load(*backend, scale_source(backend->device_info().arch));
        LaunchSpec spec{.block = {32, 1, 1}};
        spec.arguments.pointer(0x10).f32(1).i32(32);
        backend->launch(kernel, spec);
        try {
          backend->synchronize();
        } catch (const Exception& exception) {
          const Error& error = exception.error();
          return std::string(code_name(error.code)) + " " + error.operand + " " + error.value;
        }
        return std::string("nothing was reported");
      },
      "launch_failed cuCtxSynchronize CUDA_ERROR_ILLEGAL_ADDRESS");
}

TEST_CASE("more memory than the device has is refused, and the device goes on",
          "[gpu][device][refusal]") {
  test::expect_on_gpu(
      [] {
        const auto backend = open_device();
        try {
          (void)backend->alloc(Index{1} << 46);
        } catch (const Exception& exception) {
          const Buffer buffer(*backend, 1024);
          return std::string(code_name(exception.error().code));
        }
        return std::string("allocated");
      },
      "out_of_memory");
}

TEST_CASE("a kernel whose parameters are not those of its signature is not loaded",
          "[gpu][device][refusal]") {
  test::expect_on_gpu(
      [] {
        const auto backend = open_device();
        std::string result;
        for (const char* other : {"(pointer x, f32 factor, i64 n)", "(pointer x, f32 factor)",
                                  "(pointer x, f32 factor, i32 n, i32 m)"}) {
          Source source = scale_source(backend->device_info().arch);
          source.signature = parse_signature(other);
          try {
            (void)compile_and_load(*backend, source);
            result += "loaded ";
          } catch (const Exception& exception) {
            result += std::string(code_name(exception.error().code)) + " ";
          }
        }
        return result;
      },
      "signature_mismatch signature_mismatch signature_mismatch ");
}

TEST_CASE("a damaged image is refused with the driver's log", "[gpu][device][refusal]") {
  test::expect_on_gpu(
      [] {
        const auto backend = open_device();
        Binary binary =
            test::test_compiler().compile(scale_source(backend->device_info().arch), Output::ptx);
        binary.ptx.replace(binary.ptx.find("ret;"), 4, "rat;");
        try {
          (void)backend->load(binary);
        } catch (const Exception& exception) {
          const Error& error = exception.error();
          const bool has_log = error.detail.find("rat") != std::string::npos;
          return error.operand + " " + error.value + (has_log ? " with log" : error.detail);
        }
        return std::string("loaded");
      },
      "cuModuleLoadDataEx CUDA_ERROR_INVALID_PTX with log");
}

TEST_CASE("a caller's context and stream are adopted", "[gpu][device]") {
  test::expect_on_gpu(
      [] {
        const auto driver = device::load_driver(base::system_loader());
        driver->require("cuInit", driver->init(0));
        device::ContextHandle context = nullptr;
        driver->require("retain", driver->primary_retain(&context, 0));
        driver->require("push", driver->context_push(context));
        device::StreamHandle stream = nullptr;
        driver->require("stream", driver->stream_create(&stream, 0));
        std::string result;
        {
          const auto backend =
              open_device({.adopt_context = reinterpret_cast<std::uintptr_t>(context)});
          const Kernel kernel =
              compile_and_load(*backend, scale_source(backend->device_info().arch));
          result = scale_on(*backend, kernel, {reinterpret_cast<std::uintptr_t>(stream)});
        }
        device::ContextHandle current = nullptr;
        driver->require("current", driver->context_current(&current));
        driver->require("sync", driver->stream_synchronize(stream));
        return result + (current == context ? " kept" : " lost");
      },
      "ok kept");
}
