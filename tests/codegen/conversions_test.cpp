// Conversions of element types on old chips and new ones, against encode and decode.
#include <jute/emit/copy_functions.hpp>
#include <jute/emulator/emulator.hpp>

#include <cmath>
#include <limits>

#include "support/catch.hpp"
#include "support/compiler.hpp"

using namespace jute;

namespace {

/// Every value that a type of 8 bits has, and what lies between: halves, their neighbours; ends,
/// subnormals, no number.
std::vector<double> around_values(DType type) {
  const double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> values{infinity, -infinity, std::nan(""), 1e30, -1e30, 1e-40};
  const bool is_small = width_bits(type) == 8;
  for (unsigned bits = 0; bits < (is_small ? 128U : 65536U); bits += is_small ? 1 : 97) {
    const unsigned low = is_small ? bits : bits << 15,
                   next = is_small ? bits + 1 : low + (1U << 13);
    const double value = decode(type, low), half = (value + decode(type, next)) / 2;
    for (const double x : {value, half, std::nextafter(static_cast<float>(half), 0.0F) * 1.0,
                           std::nextafter(static_cast<float>(half), 1e38F) * 1.0}) {
      values.push_back(x);
      values.push_back(-x);
    }
  }
  return decode(DType::f32, encode(DType::f32, values));
}

/// What a kernel for the architecture stores of f32 values, and what it reads again.
std::pair<std::vector<std::byte>, std::vector<double>> converted(
    DType type, Arch arch, const std::vector<double>& values) {
  const TemplateSet set = TemplateSet::built_in();
  const std::string word(name(type));
  const std::string text =
      element_type(set, type, arch) + conversions(set, {type}, DType::f32, arch) +
      "extern \"C\" __global__ void run(const float* in, " + word +
      "* out, float* again, int count) {\n"
      "const int i = blockIdx.x * blockDim.x + threadIdx.x;\nif (i >= count) return;\n"
      "from_compute(in[i], out + i);\nagain[i] = to_compute(out[i]);\n}\n";
  Signature signature;
  for (const char* const pointer : {"in", "out", "again"})
    signature.parameters.push_back({pointer, ParameterKind::pointer});
  signature.parameters.push_back({"count", ParameterKind::i32});
  static const Compiler compiler = test::test_compiler();
  const auto backend = open_emulator({});
  const Kernel kernel = backend->load(compiler.compile({.symbol = "run",
                                                        .text = text,
                                                        .arch = arch,
                                                        .signature = signature,
                                                        .threads_per_block = 128},
                                                       Output::ptx));
  const auto count = static_cast<Index>(values.size());
  const Buffer in(*backend, 4 * count), again(*backend, 4 * count),
      out(*backend, width_bytes(type) * count);
  backend->copy_in(in.pointer(), encode(DType::f32, values));
  backend->launch(kernel, {.grid = {(count + 127) / 128, 1, 1},
                           .block = {128, 1, 1},
                           .arguments = ArgumentBlock()
                                            .pointer(in.pointer())
                                            .pointer(out.pointer())
                                            .pointer(again.pointer())
                                            .i32(static_cast<std::int32_t>(count))});
  std::vector<std::byte> stored(static_cast<size_t>(out.size_bytes())),
      read(static_cast<size_t>(again.size_bytes()));
  backend->copy_out(stored, out.pointer());
  backend->copy_out(read, again.pointer());
  return {stored, decode(DType::f32, read)};
}

}  // namespace

TEST_CASE("what is stored is rounded once, by an instruction or by arithmetic", "[codegen]") {
  for (const DType type : {DType::e4m3, DType::e5m2, DType::tf32, DType::bf16})
    for (const Arch arch : {Arch{75}, Arch{90}}) {
      INFO(name(type) << " on " << to_string(arch));
      const std::vector<double> values = around_values(type);
      const auto& [stored, again] = converted(type, arch, values);
      CHECK(stored == encode(type, values));
      const std::vector<double> expected = decode(type, stored);
      size_t wrong = 0;
      for (size_t i = 0; i < expected.size(); ++i)
        wrong += std::isnan(expected[i]) ? !std::isnan(again[i])
                                         : expected[i] != again[i] ||
                                               std::signbit(expected[i]) != std::signbit(again[i]);
      CHECK(wrong == 0);
    }
}
