#pragma once
// Sources, and what a compiler without NVRTC makes of them: texts that show which source they are
// of.
#include <jute/base/detail/hash.hpp>
#include <jute/jit/cache.hpp>

#include <atomic>
#include <memory>
#include <string>

namespace jute::test {

inline Source numbered_source(int number) {
  return {.symbol = "kernel_" + std::to_string(number),
          .text = "// source " + std::to_string(number) + "\n" + std::string(2000, 's'),
          .arch = {90, 'a'},
          .signature = parse_signature("(pointer a, i32 m)")};
}

/// What the fake compiler makes; all of it differs from source to source.
inline Binary numbered_binary(const Source& source, Output output) {
  Binary binary{.symbol = source.symbol, .arch = source.arch, .signature = source.signature};
  const std::string mark = to_string(hash_128(source.text));
  for (int i = 0; i < 200; ++i) binary.ptx += mark + " line " + std::to_string(i) + "\n";
  binary.log = "log of " + mark;
  binary.source_text = source.text;
  if (output == Output::ptx) return binary;
  for (const char c : binary.ptx) binary.cubin.push_back(static_cast<std::byte>(c ^ 0x55));
  const int number = static_cast<int>(mark[0]);
  binary.resources =
      Resources{number, number + 1, number + 2, number + 3, number + 4, number % 2 == 1};
  return binary;
}

struct CompileCounter {
  std::atomic<int> compiles = 0;
};

inline KernelCompiler fake_compiler(std::shared_ptr<CompileCounter> counter,
                                    const std::string& build = "build-1") {
  return {.build = [build] { return build; },
          .compile =
              [counter](const Source& source, Output output) {
                ++counter->compiles;
                return numbered_binary(source, output);
              }};
}

}  // namespace jute::test
