#pragma once
// Runs kernels of tests/emulator/ptx on the emulator with vectors as arguments.
#include <jute/emulator/emulator.hpp>
#include <jute/emulator/ptx.hpp>

#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace jute::test {

inline std::string read_ptx(const std::string& name) {
  std::ifstream file(std::string(JUTE_SOURCE_DIR) + "/tests/emulator/ptx/" + name);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// An emulator with buffers that live as long as it.
class Bench {
 public:
  explicit Bench(const EmulatorOptions& options = {}) : backend(open_emulator(options)) {}

  template <class T>
  DevicePointer upload(const std::vector<T>& values) {
    const DevicePointer pointer = backend->alloc(static_cast<Index>(values.size() * sizeof(T)));
    backend->copy_in(pointer, std::as_bytes(std::span(values)));
    return pointer;
  }
  template <class T>
  std::vector<T> download(DevicePointer pointer, size_t count) {
    std::vector<T> values(count);
    backend->copy_out(std::as_writable_bytes(std::span(values)), pointer);
    return values;
  }
  DevicePointer alloc(size_t bytes) { return backend->alloc(static_cast<Index>(bytes)); }

  /// Launches and leaves findings to take_report.
  void run(const std::string& ptx, const std::string& kernel, Dim3 grid, Dim3 block,
           const ArgumentBlock& arguments, Index dynamic_smem_bytes = 0) {
    Binary binary = binary_from_ptx(ptx, kernel);
    // Tests say the kinds themselves; PTX does not tell a pointer from a number.
    for (size_t i = 0; i < binary.signature.parameters.size() && i < arguments.kinds().size(); ++i)
      binary.signature.parameters[i].kind = arguments.kinds()[i];
    backend->launch(backend->load(binary), {.grid = grid,
                                            .block = block,
                                            .dynamic_smem_bytes = dynamic_smem_bytes,
                                            .arguments = arguments});
  }

  std::unique_ptr<EmulatorBackend> backend;
};

}  // namespace jute::test
