// Opens devices and finds memory for runs.
#include "runtime.hpp"

#include <map>

#include "compiler.hpp"

namespace jute::python {

namespace {

ContextOptions options_of(int device) {
  ContextOptions options;
  options.device = device == kHost ? DeviceChoice::emulator : DeviceChoice::cuda;
  options.settings = settings_here();
  return options;
}

Context opened(int device) {
  if (device == kHost) return Context(options_of(device));
  return Context(open_device({.ordinal = device}), options_of(device));
}

/// Bytes in the memory of the operands' library.
nb::object new_bytes(nb::handle like, const Array& form, Index bytes) {
  return new_array(like, {.library = form.library, .type = DType::f64}, DType::u8, {bytes});
}

}  // namespace

Runtime::Runtime(int device) : context_(opened(device)) {}

Runtime& runtime_of(int device) {
  // Never destroyed: at exit the driver may be gone before it.
  static auto* opened = new std::map<int, std::unique_ptr<Runtime>>;
  std::unique_ptr<Runtime>& runtime = (*opened)[device];
  if (!runtime) runtime = std::make_unique<Runtime>(device);
  return *runtime;
}

DevicePointer workspace_of(Runtime& runtime, Prepared& prepared, nb::handle like, const Array& form,
                           Stream stream, nb::object& keep) {
  const Index bytes = prepared.gemm.workspace_bytes();
  if (bytes == 0) return 0;
  if (form.library != Library::torch) {
    Buffer& buffer = prepared.buffers[stream.handle];
    if (buffer.pointer() == 0) {
      buffer = Buffer(runtime.context().backend(), bytes);
      prepared.gemm.clear_workspace(buffer.pointer(), stream);
    }
    return buffer.pointer();
  }
  const auto fresh = [&] {
    nb::object array = new_bytes(like, form, bytes);
    prepared.gemm.clear_workspace(array_of(array, "workspace").address, stream);
    return array;
  };
  if (is_capturing(form)) {
    keep = fresh();  // of the graph's own pool, which lives as long as the graph
  } else {
    nb::object& kept = prepared.arrays[stream.handle];
    if (!kept.is_valid()) kept = fresh();
    keep = kept;
  }
  return array_of(keep, "workspace").address;
}

std::optional<DevicePointer> kept_workspace(const Prepared& prepared, Stream stream) {
  if (const auto kept = prepared.arrays.find(stream.handle);
      kept != prepared.arrays.end() && kept->second.is_valid())
    return array_of(kept->second, "workspace").address;
  const auto kept = prepared.buffers.find(stream.handle);
  if (kept == prepared.buffers.end() || kept->second.pointer() == 0) return std::nullopt;
  return kept->second.pointer();
}

}  // namespace jute::python
