// One prepared product for every number of rows up to 300, each judged against whole numbers.
#include <jute/jute.hpp>

#include <algorithm>
#include <cstdio>
#include <vector>

int main() try {
  jute::Problem problem;
  problem.m = 300, problem.n = 72, problem.k = 64;
  problem.m_range = jute::MRange{1, 300};  // prepare holds kernels for all of these
  problem.a.type = problem.b.type = problem.c.type = problem.d.type = jute::DType::bf16;
  problem.b.order = jute::Order::col;

  jute::Context context({.device = jute::DeviceChoice::emulator});
  const jute::Gemm gemm = jute::prepare(context, problem);

  const std::vector<std::byte> a = encode(problem.a.type, std::vector<double>(300 * 64, 1.0));
  const std::vector<std::byte> b = encode(problem.b.type, std::vector<double>(64 * 72, 0.5));
  jute::Backend& backend = context.backend();
  const jute::Buffer device_a(backend, static_cast<jute::Index>(a.size()));
  const jute::Buffer device_b(backend, static_cast<jute::Index>(b.size()));
  const jute::Buffer device_d(backend, 300 * 72 * 2);
  const jute::Buffer workspace(backend, gemm.workspace_bytes());
  backend.copy_in(device_a.pointer(), a);
  backend.copy_in(device_b.pointer(), b);
  gemm.clear_workspace(workspace.pointer());

  bool is_right = true;
  for (const jute::Index rows : {1, 17, 64, 300}) {
    gemm.run({.a = device_a.pointer(),
              .b = device_b.pointer(),
              .d = device_d.pointer(),
              .workspace = workspace.pointer(),
              .m = rows});  // never compiles
    backend.synchronize();
    std::vector<std::byte> d(static_cast<size_t>(rows * 72 * 2));
    backend.copy_out(d, device_d.pointer());
    is_right &= d == encode(problem.d.type, std::vector<double>(d.size() / 2, 32.0));
    const jute::KernelChoice choice = gemm.choice(rows);
    std::printf("%lld rows: kernel %zu of %zu; one of their own would save %.1f %%\n",
                static_cast<long long>(rows), choice.kernel + 1, gemm.plans().size(),
                100 * choice.gain());
  }
  return is_right ? 0 : 1;
} catch (const jute::Exception& refusal) {
  std::fprintf(stderr, "%s\n", refusal.what());
  return 1;
}
