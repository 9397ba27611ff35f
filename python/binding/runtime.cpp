// Opens devices and finds memory for runs.
#include "runtime.hpp"

#include <map>
#include <utility>

#include "compiler.hpp"

namespace jute::python {

namespace {

ContextOptions options_of(int device, const std::string& chip) {
  ContextOptions options;
  if (!chip.empty()) options.chip = parse_chip(chip);
  options.device = device == kHost ? DeviceChoice::emulator : DeviceChoice::cuda;
  options.settings = settings_here();
  return options;
}

Context opened(int device, const std::string& chip) {
  if (device == kHost) {
    const ContextOptions options = options_of(device, chip);
    EmulatorOptions emulator;
    emulator.on_pause = see_signals;
    if (const std::string& arch = options.settings.arch; !arch.empty())
      emulator.device = preset_for(parse_arch(arch));
    return Context(open_emulator(emulator), options);
  }
  return Context(open_device({.ordinal = device}), options_of(device, chip));
}

/// Words of the chip that is planned for; guarded by the GIL.
std::string& planned_chip() {
  static auto* words = new std::string;
  return *words;
}

}  // namespace

void see_signals() {
  const nb::gil_scoped_acquire held;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

namespace {

/// Bytes in the memory of the operands' library.
nb::object new_bytes(nb::handle like, const Array& form, Index bytes) {
  return new_array(like, {.library = form.library, .type = DType::f64}, DType::u8, {bytes});
}

}  // namespace

Runtime::Runtime(int device, const std::string& chip) : context_(opened(device, chip)) {}

Runtime& runtime_of(int device) {
  // Never destroyed: at exit the driver may be gone before it.
  static auto* opened = new std::map<std::pair<int, std::string>, std::unique_ptr<Runtime>>;
  const std::pair key(device, planned_chip());
  if (const auto found = opened->find(key); found != opened->end()) return *found->second;
  // Opening asks Python, which may let another thread open it meanwhile: the first one stays.
  auto made = std::make_unique<Runtime>(key.first, key.second);
  return *opened->try_emplace(key, std::move(made)).first->second;
}

std::string plan_for(const std::string& chip) {
  if (!chip.empty()) static_cast<void>(parse_chip(chip));
  return std::exchange(planned_chip(), chip);
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
