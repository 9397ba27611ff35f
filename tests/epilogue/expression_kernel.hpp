#pragma once
// An expression as a kernel over arrays, compiled by NVRTC and run on the emulator.
#include <jute/emit/template_set.hpp>
#include <jute/emulator/emulator.hpp>
#include <jute/epilogue/cuda_text.hpp>
#include <jute/jit/compile.hpp>

#include <cstddef>
#include <string>
#include <vector>

#include "support/compiler.hpp"

namespace jute::test {

inline std::string template_text(const std::string& name) {
  static const TemplateSet kSet = TemplateSet::built_in();
  return kSet.text(name);
}

/// A kernel's operands: x is the accumulator, y and z are the inputs of an expression.
struct Samples {
  std::vector<double> x{}, y{}, z{};
};

/// Thread i takes x[i], y[i], z[i], all of the type that is computed in, and writes every output's
/// value; a bit is 0 or 1. The values are those of output 0, then of output 1, ….
inline std::vector<double> run_on_emulator(const std::string& text, DType compute,
                                           EpilogueAccuracy accuracy, const Samples& samples) {
  const EpilogueArithmetic arithmetic = arithmetic_of(parse_epilogue(text));
  const std::size_t inputs = arithmetic.expression.inputs.size();
  EpilogueSpelling spelling{.acc = "x", .alpha = "y", .beta = "z", .c = "y"};
  for (std::size_t i = 0; i < inputs; ++i) spelling.inputs.emplace_back(i == 0 ? "y" : "z");
  const EpilogueCudaText cuda = cuda_text(arithmetic, compute, spelling, accuracy);
  std::string source;
  for (const std::string& function : cuda.functions) source += template_text(function);
  const std::string type = compute == DType::f64   ? "double"
                           : compute == DType::s32 ? "int"
                                                   : "float";
  source += "typedef " + type +
            " Compute;\nextern \"C\" __global__ void run(const Compute* xs, "
            "const Compute* ys, const Compute* zs, Compute* out, int count) {\n"
            "const int i = blockIdx.x * blockDim.x + threadIdx.x;\nif (i >= count) return;\n"
            "const Compute x = xs[i], y = ys[i], z = zs[i];\n(void)y; (void)z;\n" +
            cuda.lines;
  for (std::size_t i = 0; i < cuda.values.size(); ++i)
    source += "out[" + std::to_string(i) + " * count + i] = " + cuda.values[i] + ";\n";
  source += "}\n";

  Signature signature;
  for (const char* const name : {"xs", "ys", "zs", "out"})
    signature.parameters.push_back({name, ParameterKind::pointer});
  signature.parameters.push_back({"count", ParameterKind::i32});
  static const Compiler compiler = test_compiler();
  const Binary binary = compiler.compile({.symbol = "run",
                                          .text = source,
                                          .arch = {90},
                                          .signature = signature,
                                          .threads_per_block = 128},
                                         Output::ptx);
  EmulatorOptions options;
  options.check = Check::memory;
  const auto backend = open_emulator(options);
  const auto upload = [&](const std::vector<double>& values) {
    const std::vector<std::byte> bytes = encode(compute, values);
    const DevicePointer pointer = backend->alloc(static_cast<Index>(bytes.size()));
    backend->copy_in(pointer, bytes);
    return pointer;
  };
  const auto padded = [&](std::vector<double> values) {
    values.resize(samples.x.size());
    return values;
  };
  std::vector<std::byte> results(samples.x.size() * cuda.values.size() *
                                 static_cast<std::size_t>(width_bytes(compute)));
  const DevicePointer out = backend->alloc(static_cast<Index>(results.size()));
  const int count = static_cast<int>(samples.x.size());
  backend->launch(backend->load(binary), {.grid = {(count + 127) / 128, 1, 1},
                                          .block = {128, 1, 1},
                                          .arguments = ArgumentBlock()
                                                           .pointer(upload(samples.x))
                                                           .pointer(upload(padded(samples.y)))
                                                           .pointer(upload(padded(samples.z)))
                                                           .pointer(out)
                                                           .i32(count)});
  backend->copy_out(results, out);
  return decode(compute, results);
}

}  // namespace jute::test
