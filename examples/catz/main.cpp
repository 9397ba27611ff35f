// Tile a matrix, then share the tile out over threads, in layouts: the kernel's indices follow.
#include "kernel_text.hpp"

#include <jute/gemm/context.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

struct Options {
  jute::DeviceChoice device = jute::DeviceChoice::automatic;
  MatmulShape shape{40, 20, 28};
  bool print_source = false;
};

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string flag = argv[i];
    if (flag == "--source") {
      options.print_source = true;
    } else if (flag == "--device" && i + 1 < argc) {
      options.device = jute::parse_device_choice(argv[++i]);
    } else if (flag == "--mnk" && i + 3 < argc) {
      for (int* extent : {&options.shape.m, &options.shape.n, &options.shape.k})
        *extent = std::atoi(argv[++i]);
    } else {
      std::fprintf(stderr, "usage: %s [--device auto|cuda|emulator] [--mnk M N K] [--source]\n",
                   argv[0]);
      std::exit(2);
    }
  }
  for (const int extent : {options.shape.m, options.shape.n, options.shape.k})
    if (extent < 1 || extent > 4096) {
      std::fprintf(stderr, "--mnk takes three extents from 1 to 4096\n");
      std::exit(2);
    }
  return options;
}

/// Integers from -4 to 4: their sums of products are exact in float.
std::vector<double> small_integers(int count, unsigned state) {
  std::vector<double> values(count);
  for (double& value : values) {
    state = state * 1664525 + 1013904223;
    value = static_cast<int>((state >> 24) % 9) - 4;
  }
  return values;
}

jute::Kernel compile(jute::Backend& backend, const std::string& text) {
  jute::Source source;
  source.symbol = "catz_matmul";
  source.text = text;
  source.arch = backend.device_info().arch;
  source.signature = jute::parse_signature("(pointer a, pointer b, pointer c)");
  source.threads_per_block = kThreads;
  const auto output = backend.image_kind() == jute::ImageKind::ptx ? jute::Output::ptx
                                                                   : jute::Output::ptx_and_cubin;
  return backend.load(jute::Compiler(jute::settings_from_environment()).compile(source, output));
}

std::vector<double> run(jute::Backend& backend, const jute::Kernel& kernel,
                        const MatmulShape& shape, const std::vector<double>& a,
                        const std::vector<double>& b) {
  const auto on_device = [&](const std::vector<double>& values) {
    const std::vector<std::byte> halves = jute::encode(jute::DType::f16, values);
    jute::Buffer buffer(backend, static_cast<jute::Index>(halves.size()));
    backend.copy_in(buffer.pointer(), halves);
    return buffer;
  };
  const jute::Buffer device_a = on_device(a), device_b = on_device(b);
  std::vector<std::byte> result(sizeof(float) * static_cast<size_t>(shape.m) * shape.n);
  const jute::Buffer device_c(backend, static_cast<jute::Index>(result.size()));
  jute::LaunchSpec launch;
  launch.grid = {(shape.m + kTileM - 1) / kTileM, (shape.n + kTileN - 1) / kTileN, 1};
  launch.block = {kThreads, 1, 1};
  launch.arguments.pointer(device_a.pointer())
      .pointer(device_b.pointer())
      .pointer(device_c.pointer());
  backend.launch(kernel, launch);
  backend.synchronize();
  backend.copy_out(result, device_c.pointer());
  return jute::decode(jute::DType::f32, result);
}

/// Elements of C that differ from the plain triple loop's.
int count_wrong(const MatmulShape& shape, const std::vector<double>& a,
                const std::vector<double>& b, const std::vector<double>& c) {
  int wrong = 0;
  for (int m = 0; m < shape.m; ++m)
    for (int n = 0; n < shape.n; ++n) {
      double sum = 0;
      for (int k = 0; k < shape.k; ++k) sum += a[m * shape.k + k] * b[k * shape.n + n];
      if (c[m * shape.n + n] != sum) ++wrong;
    }
  return wrong;
}

}  // namespace

int main(int argc, char** argv) try {
  const Options options = parse(argc, argv);
  const MatmulShape& shape = options.shape;
  jute::ContextOptions context_options;
  context_options.device = options.device;
  const jute::Context context(context_options);
  const KernelText kernel = write_kernel(shape, context.catalogue());
  std::printf("%s", options.print_source ? kernel.source.c_str() : kernel.layouts.c_str());

  jute::Backend& backend = context.backend();
  const std::vector<double> a = small_integers(shape.m * shape.k, 1);
  const std::vector<double> b = small_integers(shape.k * shape.n, 2);
  const std::vector<double> c = run(backend, compile(backend, kernel.source), shape, a, b);
  const int wrong = count_wrong(shape, a, b, c);
  std::printf("// C = A·B, M=%d N=%d K=%d on %s: %d of %d elements right\n", shape.m, shape.n,
              shape.k, backend.name().c_str(), shape.m * shape.n - wrong, shape.m * shape.n);
  return wrong == 0 ? 0 : 1;
} catch (const jute::Exception& refusal) {
  std::fprintf(stderr, "%s\n", refusal.what());
  return 1;
}
