// An instruction as a row: proved by executing it, then used in a product.
#include <jute/jute.hpp>

#include <cstdio>
#include <string>
#include <vector>

int main() try {
  const jute::AtomText row{{{"name", "MY_16x8x16"},
                            {"arch", "sm80"},
                            {"shape_mnk", "(16,8,16)"},
                            {"thr_id", "32:1"},
                            {"a_layout", "((4,8),(2,2,2)):((32,1),(16,8,128))"},
                            {"b_layout", "((4,8),(2,2)):((16,1),(8,64))"},
                            {"c_layout", "((4,8),(2,2)):((32,1),(16,8))"},
                            {"d_type", "f32"},
                            {"a_type", "f16"},
                            {"b_type", "f16"},
                            {"form", "mma"},
                            {"ptx", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"}}};

  jute::Context context(
      {.device = jute::DeviceChoice::emulator, .catalogue = jute::Catalogue().with(row)});
  const jute::AtomProof proof = verify(context, context.catalogue().mma("MY_16x8x16"));

  jute::Problem problem;
  problem.m = 72, problem.n = 40, problem.k = 48;
  problem.a.type = problem.b.type = jute::DType::f16;
  const jute::Gemm gemm = jute::prepare(context, problem, {.mma_atom = "MY_16x8x16"});

  const std::vector<std::byte> a = encode(problem.a.type, std::vector<double>(72 * 48, 0.5));
  const std::vector<std::byte> b = encode(problem.b.type, std::vector<double>(48 * 40, 3.0));
  jute::Backend& backend = context.backend();
  const jute::Buffer device_a(backend, static_cast<jute::Index>(a.size()));
  const jute::Buffer device_b(backend, static_cast<jute::Index>(b.size()));
  const jute::Buffer device_d(backend, 72 * 40 * 4);
  const jute::Buffer workspace(backend, gemm.workspace_bytes());
  backend.copy_in(device_a.pointer(), a);
  backend.copy_in(device_b.pointer(), b);
  gemm.clear_workspace(workspace.pointer());
  gemm.run({.a = device_a.pointer(),
            .b = device_b.pointer(),
            .d = device_d.pointer(),
            .workspace = workspace.pointer()});
  backend.synchronize();
  std::vector<std::byte> d(72 * 40 * 4);
  backend.copy_out(d, device_d.pointer());

  const bool is_right = d == encode(problem.d.type, std::vector<double>(72 * 40, 72.0));
  const std::string result(name(proof.result));
  std::printf("%s, %s\n", result.c_str(), is_right ? "right" : "wrong");
  return is_right && proof.result == jute::AtomResult::proved ? 0 : 1;
} catch (const jute::Exception& refusal) {
  std::fprintf(stderr, "%s\n", refusal.what());
  return 1;
}
