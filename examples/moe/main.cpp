// A layer of experts in one launch: tokens sorted by expert, each multiplied by its expert's
// weights and scaled by its routing weight. How many each expert has only the device knows.
#include <jute/jute.hpp>

#include <cstdio>
#include <cstring>
#include <vector>

namespace {

using jute::Index;

constexpr Index kExperts = 8, kTokens = 96, kIn = 64, kOut = 128;

/// Small whole numbers, so that sums are exact.
std::vector<double> numbers(Index count, Index step) {
  std::vector<double> values;
  for (Index i = 0; i < count; ++i) values.push_back(static_cast<double>(i * step % 7 - 3));
  return values;
}

std::vector<std::byte> encoded(jute::DType type, const std::vector<double>& values) {
  const auto width = static_cast<std::size_t>(jute::width_bytes(type));
  std::vector<std::byte> bytes(values.size() * width);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint64_t bits = jute::encode(type, values[i]);
    std::memcpy(bytes.data() + i * width, &bits, width);
  }
  return bytes;
}

}  // namespace

int main() try {
  // Tokens (kTokens,kIn) and outputs (kTokens,kOut) are cut along their rows, weights are
  // (kExperts,kIn,kOut).
  const jute::Problem problem = jute::parse_problem(
      "M=96 N=128 K=64 batch=8 A=bf16:row B=bf16:row D=f32:row groups=rows "
      "epilogue=\"routing[m]*acc\" routing=f32");
  jute::Context context({.device = jute::DeviceChoice::emulator});
  const jute::Gemm gemm = jute::prepare(context, problem);

  const std::vector<double> tokens = numbers(kTokens * kIn, 3),
                            weights = numbers(kExperts * kIn * kOut, 5),
                            routing = numbers(kTokens, 1);
  const std::vector<std::int32_t> ends{10, 10, 31, 40,
                                       40, 77, 78, 96};  // experts 1 and 4 have no token
  jute::Backend& backend = context.backend();
  const auto on_device = [&](std::span<const std::byte> bytes) {
    jute::Buffer buffer(backend, static_cast<Index>(bytes.size()));
    backend.copy_in(buffer.pointer(), bytes);
    return buffer;
  };
  const jute::Buffer a = on_device(encoded(jute::DType::bf16, tokens)),
                     b = on_device(encoded(jute::DType::bf16, weights)),
                     r = on_device(encoded(jute::DType::f32, routing)),
                     list = on_device(std::as_bytes(std::span(ends))),
                     d(backend, kTokens * kOut * 4), workspace(backend, gemm.workspace_bytes());
  gemm.clear_workspace(workspace.pointer());
  jute::GemmArgs args{.a = a.pointer(),
                      .b = b.pointer(),
                      .d = d.pointer(),
                      .workspace = workspace.pointer(),
                      .ends = list.pointer()};
  args.inputs[gemm.input("routing")].base = r.pointer();
  gemm.run(args);
  backend.synchronize();
  if (const auto fault = gemm.group_fault(workspace.pointer())) {
    std::printf("entry %lld of the list is wrong\n", static_cast<long long>(*fault));
    return 1;
  }

  std::vector<float> result(static_cast<std::size_t>(kTokens * kOut));
  backend.copy_out(std::as_writable_bytes(std::span(result)), d.pointer());
  Index wrong = 0;
  for (Index expert = 0, token = 0; expert < kExperts; ++expert)
    for (; token < ends[static_cast<std::size_t>(expert)]; ++token)
      for (Index out = 0; out < kOut; ++out) {
        double sum = 0;
        for (Index in = 0; in < kIn; ++in)
          sum += tokens[static_cast<std::size_t>(token * kIn + in)] *
                 weights[static_cast<std::size_t>((expert * kIn + in) * kOut + out)];
        const double expected = sum * routing[static_cast<std::size_t>(token)];
        wrong +=
            result[static_cast<std::size_t>(token * kOut + out)] != static_cast<float>(expected);
      }
  std::printf("%lld tokens of %lld experts in one launch, %lld values wrong\n",
              static_cast<long long>(kTokens), static_cast<long long>(kExperts),
              static_cast<long long>(wrong));
  return wrong == 0 ? 0 : 1;
} catch (const jute::Exception& exception) {
  std::fprintf(stderr, "%s\n", exception.what());
  return 1;
}
