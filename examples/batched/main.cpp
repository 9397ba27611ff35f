// A batch of products with one B for all of them, judged by the reference and its error bound.
#include <jute/jute.hpp>

#include <cstdio>
#include <vector>

int main() try {
  jute::Problem problem;
  problem.m = 64, problem.n = 48, problem.k = 32, problem.batch = 6;
  problem.a.type = problem.b.type = jute::DType::bf16;
  problem.b.broadcast = true;  // every product of the batch reads the same B

  jute::Context context({.device = jute::DeviceChoice::emulator});
  const jute::Gemm gemm = jute::prepare(context, problem);

  const std::vector<double> ones(64 * 32 * 6, 1.0), halves(32 * 48, 0.5);
  const std::vector<std::byte> a = encode(problem.a.type, ones), b = encode(problem.b.type, halves);
  jute::Backend& backend = context.backend();
  const jute::Buffer device_a(backend, static_cast<jute::Index>(a.size()));
  const jute::Buffer device_b(backend, static_cast<jute::Index>(b.size()));
  const jute::Buffer device_d(backend, 64 * 48 * 6 * 4);
  const jute::Buffer workspace(backend, gemm.workspace_bytes());
  backend.copy_in(device_a.pointer(), a);
  backend.copy_in(device_b.pointer(), b);

  gemm.run({.a = device_a.pointer(),
            .b = device_b.pointer(),
            .d = device_d.pointer(),
            .workspace = workspace.pointer(),
            .alpha = 2.0});
  backend.synchronize();

  std::vector<float> d(64 * 48 * 6);
  backend.copy_out(std::as_writable_bytes(std::span(d)), device_d.pointer());
  const bool is_right = d == std::vector<float>(d.size(), 32.0F);  // 2 * 32 * 1 * 0.5
  std::printf("%s: %s\n", gemm.binaries().back().symbol.c_str(), is_right ? "right" : "wrong");
  return is_right ? 0 : 1;
} catch (const jute::Exception& refusal) {
  std::fprintf(stderr, "%s\n", refusal.what());
  return 1;
}
