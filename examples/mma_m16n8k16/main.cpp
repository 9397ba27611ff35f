// One tensor-core instruction from end to end: compiles mma.cu, runs it, checks each element.
#include "lane_maps.hpp"

#include <jute/gemm/context.hpp>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <span>
#include <sstream>
#include <vector>

namespace {

constexpr int kM = 16, kN = 8, kK = 16;

struct Tile {
  std::vector<float> a, b, c, d;  // row-major; d is the host's result
};

/// Small integers, so that every sum is exact in float and the results are exact in half.
Tile make_tile() {
  Tile tile{
      std::vector<float>(kM * kK), std::vector<float>(kK * kN), std::vector<float>(kM * kN), {}};
  unsigned state = 1;
  for (auto* matrix : {&tile.a, &tile.b, &tile.c})
    for (float& value : *matrix) {
      state = state * 1664525 + 1013904223;
      value = static_cast<float>(static_cast<int>((state >> 24) % 9) - 4);
    }
  tile.d = tile.c;
  for (int m = 0; m < kM; ++m)
    for (int n = 0; n < kN; ++n)
      for (int k = 0; k < kK; ++k) tile.d[m * kN + n] += tile.a[m * kK + k] * tile.b[k * kN + n];
  return tile;
}

std::string read_text(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

jute::Kernel compile(jute::Backend& backend, const std::string& symbol) {
  jute::Source source;
  source.symbol = symbol;
  source.text = read_text(JUTE_EXAMPLE_KERNEL);
  source.arch = backend.device_info().arch;
  source.signature = jute::parse_signature("(pointer a, pointer b, pointer c, pointer d)");
  source.threads_per_block = 32;
  const auto output = backend.image_kind() == jute::ImageKind::ptx ? jute::Output::ptx
                                                                   : jute::Output::ptx_and_cubin;
  return backend.load(jute::Compiler(jute::settings_from_environment()).compile(source, output));
}

/// The bytes of D after one launch.
std::vector<std::byte> run(jute::Backend& backend, const std::string& symbol, const Tile& tile,
                           jute::DType d_type) {
  const auto on_device = [&](std::span<const float> host) {
    jute::Buffer buffer(backend, static_cast<jute::Index>(host.size_bytes()));
    backend.copy_in(buffer.pointer(), std::as_bytes(host));
    return buffer;
  };
  const jute::Buffer a = on_device(tile.a), b = on_device(tile.b), c = on_device(tile.c);
  const jute::Buffer d(backend, kM * kN * jute::width_bytes(d_type));
  jute::LaunchSpec launch;
  launch.block = {32, 1, 1};
  launch.arguments.pointer(a.pointer())
      .pointer(b.pointer())
      .pointer(c.pointer())
      .pointer(d.pointer());
  backend.launch(compile(backend, symbol), launch);
  backend.synchronize();
  std::vector<std::byte> result(static_cast<size_t>(d.size_bytes()));
  backend.copy_out(result, d.pointer());
  return result;
}

/// Elements of D that are not what the host computed.
int check(jute::Backend& backend, const std::string& symbol, const Tile& tile, jute::DType d_type) {
  const std::vector<double> d = jute::decode(d_type, run(backend, symbol, tile, d_type));
  int wrong = 0;
  for (int i = 0; i < kM * kN; ++i)
    if (d[i] != static_cast<double>(tile.d[i])) {
      if (wrong++ == 0)
        std::printf("%s: d(%d,%d) is %g, not %g\n", symbol.c_str(), i / kN, i % kN, d[i],
                    static_cast<double>(tile.d[i]));
    }
  std::printf("%s on %s: %d of %d elements right\n", symbol.c_str(), backend.name().c_str(),
              kM * kN - wrong, kM * kN);
  return wrong;
}

jute::DeviceChoice device_from(int argc, char** argv) {
  if (argc == 1) return jute::DeviceChoice::automatic;
  if (argc == 3 && std::string(argv[1]) == "--device") return jute::parse_device_choice(argv[2]);
  std::fprintf(stderr, "usage: %s [--device auto|cuda|emulator]\n", argv[0]);
  std::exit(2);
}

}  // namespace

int main(int argc, char** argv) try {
  jute::ContextOptions options;
  options.device = device_from(argc, argv);
  const jute::Context context(options);

  int wrong = 0;
  for (const LaneMap& map : lane_maps(context.catalogue())) {
    print(map);
    wrong += count_differences(map);
  }
  std::printf("\nlayouts, lane arithmetic and copies %s\n", wrong == 0 ? "agree" : "differ");

  jute::Backend& backend = context.backend();
  const Tile tile = make_tile();
  wrong += check(backend, "mma_store_values", tile, jute::DType::f32);
  if (provides(backend.device_info().arch, {90, '\0'}))
    wrong += check(backend, "mma_store_matrix", tile, jute::DType::f16);
  else
    std::printf("mma_store_matrix: left out, stmatrix needs sm_90\n");
  return wrong == 0 ? 0 : 1;
} catch (const jute::Exception& refusal) {
  std::fprintf(stderr, "%s\n", refusal.what());
  return 1;
}
