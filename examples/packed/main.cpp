// Weights that stay: transposed along K once, multiplied many times.
#include <jute/jute.hpp>

#include <cstdio>
#include <vector>

int main() try {
  jute::Problem problem;
  problem.m = 64, problem.n = 80, problem.k = 96;
  problem.a.type = problem.b.type =
      jute::DType::s8;  // B lies along N: tensor cores read it along K
  problem.c.type = problem.d.type = jute::DType::s32;

  jute::Context context({.device = jute::DeviceChoice::emulator});
  jute::Config config;
  config.transpose = true;  // however small the problem
  const jute::Gemm gemm = jute::prepare(context, problem, config);

  const std::vector<std::byte> a = encode(problem.a.type, std::vector<double>(64 * 96, 2.0));
  const std::vector<std::byte> b = encode(problem.b.type, std::vector<double>(96 * 80, 3.0));
  jute::Backend& backend = context.backend();
  const jute::Buffer device_a(backend, static_cast<jute::Index>(a.size()));
  const jute::Buffer device_b(backend, static_cast<jute::Index>(b.size()));
  const jute::Buffer device_d(backend, 64 * 80 * 4);
  const jute::Buffer workspace(backend, gemm.workspace_bytes());
  backend.copy_in(device_a.pointer(), a);
  backend.copy_in(device_b.pointer(), b);
  gemm.clear_workspace(workspace.pointer());

  const jute::Buffer packed(backend, gemm.packed_bytes(jute::TensorRole::b));
  gemm.pack(jute::TensorRole::b, packed.pointer(), {.b = device_b.pointer()});

  bool is_right = packed.size_bytes() > 0;
  for (int run = 0; run < 2; ++run) {
    gemm.run({.a = device_a.pointer(),
              .d = device_d.pointer(),
              .workspace = workspace.pointer(),
              .packed_b = packed.pointer()});  // in place of b
    backend.synchronize();
    std::vector<std::byte> d(64 * 80 * 4);
    backend.copy_out(d, device_d.pointer());
    is_right &= d == encode(problem.d.type, std::vector<double>(64 * 80, 96 * 6.0));
  }
  std::printf("%s\n", is_right ? "right" : "wrong");
  return is_right ? 0 : 1;
} catch (const jute::Exception& refusal) {
  std::fprintf(stderr, "%s\n", refusal.what());
  return 1;
}
