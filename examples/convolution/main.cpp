// A convolution with its bias and relu in one kernel: images are read where they lie, padding and
// all, and nothing is unfolded.
#include <jute/jute.hpp>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace {

using jute::Index;

/// Small whole numbers, so that sums are exact.
std::vector<double> numbers(Index count, Index step) {
  std::vector<double> values;
  for (Index i = 0; i < count; ++i) values.push_back(static_cast<double>(i * step % 5 - 2));
  return values;
}

/// The definition, for images of 12x12 with 16 channels and filters of 3x3.
std::vector<float> by_loops(const std::vector<double>& x, const std::vector<double>& w,
                            const std::vector<double>& bias) {
  std::vector<float> y;
  for (Index n = 0; n < 2; ++n)
    for (Index p = 0; p < 12; ++p)
      for (Index q = 0; q < 12; ++q)
        for (Index f = 0; f < 32; ++f) {
          double sum = bias[static_cast<std::size_t>(f)];
          for (Index r = 0; r < 3; ++r)
            for (Index s = 0; s < 3; ++s) {
              const Index h = p + r - 1, v = q + s - 1;
              if (h < 0 || h >= 12 || v < 0 || v >= 12) continue;
              for (Index c = 0; c < 16; ++c)
                sum += x[static_cast<std::size_t>(((n * 12 + h) * 12 + v) * 16 + c)] *
                       w[static_cast<std::size_t>(((f * 3 + r) * 3 + s) * 16 + c)];
            }
          y.push_back(static_cast<float>(std::max(sum, 0.0)));
        }
  return y;
}

}  // namespace

int main() try {
  const jute::Convolution layer = jute::parse_convolution("x=2x12x12x16 w=32x3x3 padding=1");
  jute::Problem problem;
  problem.a.type = problem.b.type = jute::DType::bf16;
  problem = jute::convolution(layer, problem);
  problem.epilogue = jute::Epilogue{.expression = jute::parse_epilogue("relu(acc + bias[n])")};
  problem.epilogue->inputs.push_back(
      usual_operand(problem, problem.epilogue->expression.inputs[0]));
  std::printf("%s\n", to_string(*problem.a.view).c_str());

  jute::Context context({.device = jute::DeviceChoice::emulator});
  const jute::Gemm gemm = jute::prepare(context, problem);
  const std::vector<double> x = numbers(2 * 12 * 12 * 16, 3), w = numbers(32 * 9 * 16, 7),
                            bias = numbers(32, 1);
  jute::Backend& backend = context.backend();
  const auto on_device = [&](jute::DType type, const std::vector<double>& values) {
    const std::vector<std::byte> bytes = encode(type, values);
    jute::Buffer buffer(backend, static_cast<Index>(bytes.size()));
    backend.copy_in(buffer.pointer(), bytes);
    return buffer;
  };
  const jute::Buffer images = on_device(problem.a.type, x), filters = on_device(problem.b.type, w),
                     biases = on_device(problem.epilogue->inputs[0].type, bias);
  std::vector<float> y(2 * 12 * 12 * 32);
  const jute::Buffer outputs(backend, static_cast<Index>(y.size() * sizeof(float)));
  const jute::Buffer workspace(backend, gemm.workspace_bytes());
  gemm.clear_workspace(workspace.pointer());
  jute::GemmArgs args{.a = images.pointer(),
                      .b = filters.pointer(),
                      .d = outputs.pointer(),
                      .workspace = workspace.pointer()};
  args.inputs[gemm.input("bias")].base = biases.pointer();
  gemm.run(args);
  backend.synchronize();
  backend.copy_out(std::as_writable_bytes(std::span(y)), outputs.pointer());
  const bool is_right = y == by_loops(x, w, bias);
  std::printf("%s: %s\n", gemm.binaries().back().symbol.c_str(), is_right ? "right" : "wrong");
  return is_right ? 0 : 1;
} catch (const jute::Exception& refusal) {
  std::fprintf(stderr, "%s\n", refusal.what());
  return 1;
}
