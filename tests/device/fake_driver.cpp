#include "fake_driver.hpp"

#include <jute/launch/signature.hpp>

#include <algorithm>
#include <cstring>

namespace jute::test {
namespace {

using namespace jute::driver;

/// Records a call and gives the status that the test wants of it.
Status enter(const char* call) {
  fake_driver().calls.emplace_back(call);
  const auto found = fake_driver().fail.find(call);
  return found == fake_driver().fail.end() ? 0 : found->second;
}

Status enter_in_context(const char* call) {
  if (fake_driver().stack.empty()) ++fake_driver().calls_without_context;
  return enter(call);
}

/// A fresh handle; never a real address of anything.
template <class Handle>
Handle fresh_handle() {
  static std::uintptr_t next = 0x1000;
  return reinterpret_cast<Handle>(next += 0x10);
}

Status init(unsigned) { return enter("cuInit"); }
Status driver_version(int* version) {
  *version = fake_driver().version;
  return enter("cuDriverGetVersion");
}
Status error_name(Status status, const char** name) {
  if (!fake_driver().has_names) return 1;
  *name = status == 700 ? "CUDA_ERROR_ILLEGAL_ADDRESS" : "CUDA_ERROR_OTHER";
  return 0;
}
Status error_text(Status, const char** text) {
  *text = fake_driver().has_names ? "the driver's words" : nullptr;
  return 0;
}
Status device_count(int* count) {
  *count = fake_driver().device_count;
  return enter("cuDeviceGetCount");
}
Status device_get(DeviceOrdinal* device, int ordinal) {
  *device = ordinal + 10;
  return enter("cuDeviceGet");
}
Status device_name(char* name, int capacity, DeviceOrdinal device) {
  const std::string text = "Fake " + std::to_string(device);
  std::memset(name, 'x', static_cast<size_t>(capacity));
  std::memcpy(name, text.c_str(), text.size() + 1);
  return enter("cuDeviceGetName");
}
Status device_attribute(int* value, int attribute, DeviceOrdinal) {
  const std::map<int, int> values{{16, 132},
                                  {38, 52428800},
                                  {39, 2048},
                                  {75, fake_driver().major},
                                  {76, fake_driver().minor},
                                  {81, 233472},
                                  {82, 65536},
                                  {97, 232448}};
  *value = values.at(attribute);
  return enter("cuDeviceGetAttribute");
}
Status device_memory(size_t* bytes, DeviceOrdinal) {
  *bytes = size_t{141} << 30;
  return enter("cuDeviceTotalMem_v2");
}
Status primary_retain(ContextHandle* context, DeviceOrdinal) {
  *context = reinterpret_cast<ContextHandle>(std::uintptr_t{0x77});
  const Status status = enter("cuDevicePrimaryCtxRetain");
  if (status == 0) ++fake_driver().primary_references;
  return status;
}
Status primary_release(DeviceOrdinal) {
  --fake_driver().primary_references;
  return enter("cuDevicePrimaryCtxRelease_v2");
}
Status context_current(ContextHandle* context) {
  *context = fake_driver().stack.empty() ? nullptr : fake_driver().stack.back();
  return enter("cuCtxGetCurrent");
}
Status context_push(ContextHandle context) {
  const Status status = enter("cuCtxPushCurrent_v2");
  if (status == 0) fake_driver().stack.push_back(context);
  return status;
}
Status context_pop(ContextHandle* context) {
  *context = fake_driver().stack.back();
  fake_driver().stack.pop_back();
  return enter("cuCtxPopCurrent_v2");
}
Status context_device(DeviceOrdinal* device) {
  *device = 11;
  return enter_in_context("cuCtxGetDevice");
}
Status context_synchronize() { return enter_in_context("cuCtxSynchronize"); }

Status memory_alloc(DriverAddress* address, size_t bytes) {
  const Status status = enter_in_context("cuMemAlloc_v2");
  if (status != 0) return status;
  std::vector<char> memory(bytes);
  *address = reinterpret_cast<std::uintptr_t>(memory.data());
  fake_driver().memory.emplace(*address, std::move(memory));
  return 0;
}
Status memory_free(DriverAddress address) {
  fake_driver().memory.erase(address);
  return enter_in_context("cuMemFree_v2");
}
Status memory_info(size_t* free, size_t* all) {
  *free = 40960, *all = 81920;
  return enter_in_context("cuMemGetInfo_v2");
}
Status copy_in(DriverAddress target, const void* source, size_t bytes, StreamHandle) {
  std::memcpy(reinterpret_cast<void*>(target), source, bytes);
  return enter_in_context("cuMemcpyHtoDAsync_v2");
}
Status copy_out(void* target, DriverAddress source, size_t bytes, StreamHandle) {
  std::memcpy(target, reinterpret_cast<const void*>(source), bytes);
  return enter_in_context("cuMemcpyDtoHAsync_v2");
}
Status fill(DriverAddress target, unsigned char value, size_t bytes, StreamHandle) {
  std::memset(reinterpret_cast<void*>(target), value, bytes);
  return enter_in_context("cuMemsetD8Async");
}

Status stream_create(StreamHandle* stream, unsigned) {
  const Status status = enter_in_context("cuStreamCreate");
  if (status != 0) return status;
  *stream = fresh_handle<StreamHandle>();
  fake_driver().streams.insert(*stream);
  return 0;
}
Status stream_destroy(StreamHandle stream) {
  fake_driver().streams.erase(stream);
  return enter_in_context("cuStreamDestroy_v2");
}
Status stream_synchronize(StreamHandle) { return enter_in_context("cuStreamSynchronize"); }
Status event_create(EventHandle* event, unsigned) {
  const Status status = enter_in_context("cuEventCreate");
  if (status != 0) return status;
  *event = fresh_handle<EventHandle>();
  fake_driver().events.insert(*event);
  return 0;
}
Status event_destroy(EventHandle event) {
  fake_driver().events.erase(event);
  return enter_in_context("cuEventDestroy_v2");
}
Status event_record(EventHandle, StreamHandle) { return enter_in_context("cuEventRecord"); }
Status event_synchronize(EventHandle) { return enter_in_context("cuEventSynchronize"); }
Status event_elapsed(float* milliseconds, EventHandle, EventHandle) {
  *milliseconds = 1.5F;
  return enter_in_context("cuEventElapsedTime");
}

Status module_load(ModuleHandle* module, const void* image, unsigned option_count, int* options,
                   void** values) {
  const std::string opening(static_cast<const char*>(image), 4);
  Status status = enter_in_context("cuModuleLoadDataEx");
  if (fake_driver().fail.contains("load " + opening))
    status = fake_driver().fail["load " + opening];
  for (unsigned i = 0; status != 0 && i < option_count; ++i)
    if (options[i] == kJitErrorLog)
      std::strcpy(static_cast<char*>(values[i]), fake_driver().image_log.c_str());
  if (status != 0) return status;
  *module = fresh_handle<ModuleHandle>();
  fake_driver().modules.emplace(*module, opening);
  return 0;
}
Status module_unload(ModuleHandle module) {
  fake_driver().modules.erase(module);
  return enter_in_context("cuModuleUnload");
}
Status module_function(FunctionHandle* function, ModuleHandle, const char*) {
  *function = fresh_handle<FunctionHandle>();
  return enter_in_context("cuModuleGetFunction");
}
Status function_attribute(int* value, int attribute, FunctionHandle) {
  *value = fake_driver().function_attributes[attribute];
  return enter_in_context("cuFuncGetAttribute");
}
Status function_set_attribute(FunctionHandle, int attribute, int value) {
  fake_driver().function_attributes[attribute] = value;
  return enter_in_context("cuFuncSetAttribute");
}
Status function_parameter(FunctionHandle, size_t index, size_t* offset, size_t* bytes) {
  const Signature signature = parse_signature(fake_driver().kernel_signature);
  const Status status = enter_in_context("cuFuncGetParamInfo");
  if (status != 0 || index >= signature.parameters.size()) return status != 0 ? status : 1;
  *offset = static_cast<size_t>(signature.offset_bytes(index));
  *bytes = static_cast<size_t>(size_bytes(signature.parameters[index]));
  return 0;
}
Status launch(const LaunchConfig* config, FunctionHandle, void** parameters, void** extra) {
  const Status status = enter_in_context("cuLaunchKernelEx");
  if (status != 0 || extra != nullptr) return status != 0 ? status : 1;
  FakeLaunch record{.config = *config, .attributes = {}, .parameters = {}};
  record.attributes.assign(config->attributes, config->attributes + config->attribute_count);
  const Signature signature = parse_signature(fake_driver().kernel_signature);
  for (size_t i = 0; i < signature.parameters.size(); ++i) {
    const auto* value = static_cast<const std::byte*>(parameters[i]);
    record.parameters.emplace_back(value, value + size_bytes(signature.parameters[i]));
  }
  fake_driver().launches.push_back(std::move(record));
  return 0;
}

Status encode_tiled(void* map, int type, std::uint32_t rank, void* base, const std::uint64_t* dims,
                    const std::uint64_t* strides, const std::uint32_t* box,
                    const std::uint32_t* steps, int interleave, int swizzle, int promotion,
                    int oob) {
  auto& encoded = fake_driver().encoded;
  encoded = {static_cast<std::uint64_t>(type), rank, reinterpret_cast<std::uintptr_t>(base)};
  encoded.insert(encoded.end(), dims, dims + rank);
  encoded.insert(encoded.end(), strides, strides + rank - 1);
  encoded.insert(encoded.end(), box, box + rank);
  encoded.insert(encoded.end(), steps, steps + rank);
  for (const int mode : {interleave, swizzle, promotion, oob})
    encoded.push_back(static_cast<std::uint64_t>(mode));
  std::memset(map, 0x5a, 128);
  return enter_in_context("cuTensorMapEncodeTiled");
}

template <class Function>
void* address(Function* function) {
  return reinterpret_cast<void*>(function);
}

const std::map<std::string, void*>& functions() {
  static const std::map<std::string, void*> table{
      {"cuInit", address(init)},
      {"cuDriverGetVersion", address(driver_version)},
      {"cuGetErrorName", address(error_name)},
      {"cuGetErrorString", address(error_text)},
      {"cuDeviceGetCount", address(device_count)},
      {"cuDeviceGet", address(device_get)},
      {"cuDeviceGetName", address(device_name)},
      {"cuDeviceGetAttribute", address(device_attribute)},
      {"cuDeviceTotalMem_v2", address(device_memory)},
      {"cuDevicePrimaryCtxRetain", address(primary_retain)},
      {"cuDevicePrimaryCtxRelease_v2", address(primary_release)},
      {"cuCtxGetCurrent", address(context_current)},
      {"cuCtxPushCurrent_v2", address(context_push)},
      {"cuCtxPopCurrent_v2", address(context_pop)},
      {"cuCtxGetDevice", address(context_device)},
      {"cuCtxSynchronize", address(context_synchronize)},
      {"cuMemAlloc_v2", address(memory_alloc)},
      {"cuMemFree_v2", address(memory_free)},
      {"cuMemGetInfo_v2", address(memory_info)},
      {"cuMemcpyHtoDAsync_v2", address(copy_in)},
      {"cuMemcpyDtoHAsync_v2", address(copy_out)},
      {"cuMemsetD8Async", address(fill)},
      {"cuStreamCreate", address(stream_create)},
      {"cuStreamDestroy_v2", address(stream_destroy)},
      {"cuStreamSynchronize", address(stream_synchronize)},
      {"cuEventCreate", address(event_create)},
      {"cuEventDestroy_v2", address(event_destroy)},
      {"cuEventRecord", address(event_record)},
      {"cuEventSynchronize", address(event_synchronize)},
      {"cuEventElapsedTime", address(event_elapsed)},
      {"cuModuleLoadDataEx", address(module_load)},
      {"cuModuleUnload", address(module_unload)},
      {"cuModuleGetFunction", address(module_function)},
      {"cuFuncGetAttribute", address(function_attribute)},
      {"cuFuncSetAttribute", address(function_set_attribute)},
      {"cuFuncGetParamInfo", address(function_parameter)},
      {"cuLaunchKernelEx", address(launch)},
      {"cuTensorMapEncodeTiled", address(encode_tiled)},
  };
  return table;
}

}  // namespace

int FakeDriver::count(const std::string& call) const {
  return static_cast<int>(std::count(calls.begin(), calls.end(), call));
}

FakeDriver& fake_driver() {
  static FakeDriver fake;
  return fake;
}

void reset_fake_driver() { fake_driver() = {}; }

base::LibraryLoader fake_driver_loader(const std::string& missing) {
  base::LibraryLoader loader;
  loader.open = [](const std::string& path) -> void* {
    static char library;
    return path == "libcuda.so.1" ? &library : nullptr;
  };
  loader.symbol = [missing](void*, const char* name) -> void* {
    if (name == missing) return nullptr;
    const auto found = functions().find(name);
    return found == functions().end() ? nullptr : found->second;
  };
  loader.error = [] { return std::string("no such file"); };
  loader.path_of = [](void*) { return std::string("libcuda.so.1"); };
  return loader;
}

std::shared_ptr<driver::Driver> fake_driver_table() {
  return std::make_shared<driver::Driver>(*driver::load_driver(fake_driver_loader()));
}

std::vector<std::string> fake_driver_functions() {
  std::vector<std::string> names;
  for (const auto& [name, unused] : functions())
    if (name != "cuTensorMapEncodeTiled" && name != "cuFuncGetParamInfo") names.push_back(name);
  return names;
}

}  // namespace jute::test
