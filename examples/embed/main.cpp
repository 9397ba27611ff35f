// D = A·B from a program of one's own: on the GPU if there is one, else on the emulator.
#include <jute/jute.hpp>

#include <cstdio>
#include <span>
#include <vector>

int main() try {
  jute::Problem problem;  // float, rows contiguous, alpha = 1 and beta = 0 unless told otherwise
  problem.m = 48, problem.n = 40, problem.k = 32;

  jute::Context context;
  const jute::Gemm gemm = jute::prepare(context, problem);  // plans, writes, compiles, loads

  std::vector<float> a(48 * 32, 0.5F), b(32 * 40, 2.0F), d(48 * 40);
  jute::Backend& backend = context.backend();
  const auto on_device = [&](std::span<const float> host) {
    jute::Buffer buffer(backend, static_cast<jute::Index>(host.size_bytes()));
    backend.copy_in(buffer.pointer(), std::as_bytes(host));
    return buffer;
  };
  const jute::Buffer device_a = on_device(a), device_b = on_device(b), device_d = on_device(d);
  const jute::Buffer workspace(backend, gemm.workspace_bytes());
  gemm.clear_workspace(workspace.pointer());

  gemm.run({.a = device_a.pointer(),
            .b = device_b.pointer(),
            .d = device_d.pointer(),
            .workspace = workspace.pointer()});
  backend.synchronize();
  backend.copy_out(std::as_writable_bytes(std::span(d)), device_d.pointer());

  std::printf("%s: d[0] = %g\n", backend.name().c_str(), d[0]);
  return d[0] == 32.0F && d == std::vector<float>(d.size(), d[0]) ? 0 : 1;
} catch (const jute::Exception& refusal) {
  std::fprintf(stderr, "%s\n", refusal.what());
  return 1;
}
