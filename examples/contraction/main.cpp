// einsum("abk,kcd->acdb") as one product: no operand is reshaped, permuted or copied by its caller.
#include <jute/jute.hpp>

#include <cstdio>
#include <vector>

namespace {

using jute::Index;

constexpr Index kA = 3, kB = 64, kK = 32, kC = 8, kD = 16;

/// Small whole numbers, so that sums are exact.
std::vector<double> numbers(Index count, Index step) {
  std::vector<double> values;
  for (Index i = 0; i < count; ++i) values.push_back(static_cast<double>(i * step % 7 - 3));
  return values;
}

/// The definition: a loop over every letter, of arrays in C order.
std::vector<float> by_loops(const std::vector<double>& x, const std::vector<double>& y) {
  std::vector<float> d;
  for (Index a = 0; a < kA; ++a)
    for (Index c = 0; c < kC; ++c)
      for (Index e = 0; e < kD; ++e)
        for (Index b = 0; b < kB; ++b) {
          double sum = 0;
          for (Index k = 0; k < kK; ++k)
            sum += x[static_cast<std::size_t>((a * kB + b) * kK + k)] *
                   y[static_cast<std::size_t>((k * kC + c) * kD + e)];
          d.push_back(static_cast<float>(sum));
        }
  return d;
}

}  // namespace

int main() try {
  jute::Problem like;
  like.a.type = like.b.type = jute::DType::bf16;
  like.alpha = jute::Factor::one;
  like.beta = jute::Factor::zero;
  const std::vector<jute::StridedArray> arrays{{{kA, kB, kK}, {}}, {{kK, kC, kD}, {}}};
  const jute::Contraction made =
      jute::contraction(jute::parse_subscripts("abk,kcd->acdb"), arrays, like);
  for (const jute::ContractionMode& mode : made.modes.modes)
    std::printf("%-5s %-2s %lld\n", std::string(name(mode.role)).c_str(), mode.letters.c_str(),
                static_cast<long long>(mode.extent));

  jute::Context context({.device = jute::DeviceChoice::emulator});
  const jute::Gemm gemm = jute::prepare(context, made.problem);
  const std::vector<double> x = numbers(kA * kB * kK, 3), y = numbers(kK * kC * kD, 5);
  const std::vector<std::byte> operands[] = {encode(jute::DType::bf16, x),
                                             encode(jute::DType::bf16, y)};
  jute::Backend& backend = context.backend();
  const auto on_device = [&](std::size_t operand) {
    jute::Buffer buffer(backend, static_cast<Index>(operands[operand].size()));
    backend.copy_in(buffer.pointer(), operands[operand]);
    return buffer;
  };
  // The side that lies nearest in the result is the product's columns: here the text's first.
  const jute::Buffer a = on_device(made.modes.a), b = on_device(made.modes.b);
  std::vector<float> d(static_cast<std::size_t>(kA * kC * kD * kB));
  const jute::Buffer result(backend, static_cast<Index>(d.size() * sizeof(float)));
  const jute::Buffer workspace(backend, gemm.workspace_bytes());
  gemm.clear_workspace(workspace.pointer());
  gemm.run({.a = a.pointer(),
            .b = b.pointer(),
            .d = result.pointer(),
            .workspace = workspace.pointer()});
  backend.synchronize();
  backend.copy_out(std::as_writable_bytes(std::span(d)), result.pointer());
  const bool is_right = d == by_loops(x, y);
  std::printf("%s: %s\n", gemm.binaries().back().symbol.c_str(), is_right ? "right" : "wrong");
  return is_right ? 0 : 1;
} catch (const jute::Exception& refusal) {
  std::fprintf(stderr, "%s\n", refusal.what());
  return 1;
}
