// D = gelu(A·B + bias) in 16 bits, and the largest magnitude in it, in one kernel: what a layer of
// a network asks for, written in C++.
#include <jute/jute.hpp>

#include <cstdio>
#include <vector>

namespace {

jute::Buffer uploaded(jute::Backend& backend, const std::vector<std::byte>& bytes) {
  jute::Buffer buffer(backend, static_cast<jute::Index>(bytes.size()));
  backend.copy_in(buffer.pointer(), bytes);
  return buffer;
}

}  // namespace

int main() try {
  using namespace jute::epilogue;
  jute::Problem problem;
  problem.m = 96, problem.n = 64, problem.k = 32;
  problem.a.type = problem.b.type = problem.d.type = jute::DType::bf16;
  const auto y = let("y", gelu(acc() + input("bias[n]")));
  problem.epilogue = jute::Epilogue{.expression = outputs({{"d", y}, amax("most", y)})};

  jute::Context context({.device = jute::DeviceChoice::emulator});
  const jute::Gemm gemm = jute::prepare(context, problem);

  jute::Backend& backend = context.backend();
  const std::vector<double> quarters(96 * 32, 0.25), ones(32 * 64, 1.0), bias(64, -4.0);
  const std::vector<std::byte> host_a = encode(jute::DType::bf16, quarters);
  const std::vector<std::byte> host_b = encode(jute::DType::bf16, ones);
  const std::vector<std::byte> host_bias = encode(jute::DType::bf16, bias);
  const jute::Buffer a = uploaded(backend, host_a), b = uploaded(backend, host_b);
  const jute::Buffer device_bias = uploaded(backend, host_bias), d(backend, 96 * 64 * 2);
  const jute::Buffer most(backend, sizeof(float)), workspace(backend, gemm.workspace_bytes());
  gemm.clear_workspace(workspace.pointer());  // once: every run leaves it as it needs it

  jute::GemmArgs args{.a = a.pointer(), .b = b.pointer(), .d = d.pointer()};
  args.workspace = workspace.pointer();
  args.inputs[gemm.input("bias")].base = device_bias.pointer();
  args.outputs[gemm.output("most")].base = most.pointer();
  gemm.run(args);
  backend.synchronize();

  std::vector<std::byte> bytes(96 * 64 * 2);
  backend.copy_out(bytes, d.pointer());
  jute::HostOperands operands;
  operands.memory[jute::TensorRole::a] = host_a;
  operands.memory[jute::TensorRole::b] = host_b;
  operands.memory[jute::TensorRole::first_input] = host_bias;
  const double roundoff =
      jute::accumulator_roundoff(jute::DType::f32, jute::ProductUnit::tensor_core);
  const jute::Verdict verdict = compare(
      problem, reference_gemm(problem, operands, 1.0, 0.0, roundoff), bytes);  // gelu(8 - 4)
  float largest = 0;
  backend.copy_out(std::as_writable_bytes(std::span(&largest, 1)), most.pointer());
  std::printf("%s\n%s\nlargest %g\n", to_string(gemm.plan().problem).c_str(),
              to_string(verdict).c_str(), largest);
  return verdict.ok && largest > 3.99F && largest < 4.0F ? 0 : 1;
} catch (const jute::Exception& refusal) {
  std::fprintf(stderr, "%s\n", refusal.what());
  return 1;
}
