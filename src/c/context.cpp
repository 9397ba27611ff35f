// Contexts of the C interface: opening, settings, memory.
#include <pthread.h>
#include <jute/base/refuse.hpp>
#include <jute/device/device.hpp>
#include <jute/plan/cost/chip_tables.hpp>
#include <jute/plan/values/fields.hpp>

#include <atomic>
#include <utility>

#include "base/format.hpp"
#include "c/emulator.hpp"
#include "c/objects.hpp"

namespace jute::c {
namespace {

constexpr std::size_t kFirstContextOptions = offsetof(jute_context_options, allocator_user);

/// How often this process and its ancestors have forked since the library was loaded.
std::atomic<int> forks{0};
const int kWatchesForks = pthread_atfork(nullptr, nullptr, [] { ++forks; });

Settings settings_of(const jute_context_options& given) {
  Settings settings = settings_from_environment();
  require_list(given.settings, given.setting_count, "context_options.settings");
  for (std::size_t i = 0; i < given.setting_count; ++i) {
    const std::string_view word = required_text(given.settings[i], "context_options.settings");
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos)
      jute::refuse(ErrorCode::syntax, "context_options.settings", std::string(word),
                   "a setting must be NAME=VALUE, as in JUTE_CACHE=off");
    choose(settings, word.substr(0, equals), word.substr(equals + 1));
  }
  require_list(given.cache_layers, given.cache_layer_count, "context_options.cache_layers");
  for (std::size_t i = 0; i < given.cache_layer_count; ++i)
    settings.cache_layers.emplace_back(
        required_text(given.cache_layers[i], "context_options.cache_layers"));
  return settings;
}

std::unique_ptr<Backend> opened(const jute_context_options& given, const Settings& settings) {
  auto device = static_cast<DeviceChoice>(given.device);
  if (device == DeviceChoice::automatic && !settings.device.empty())
    device = parse_device_choice(settings.device);
  if (device == DeviceChoice::emulator) return opened_emulator(given, settings);
  try {
    return open_device({given.ordinal, given.cuda_context});
  } catch (const Exception& exception) {
    const bool may_do_without = device == DeviceChoice::automatic && given.cuda_context == 0;
    if (!may_do_without || exception.error().code != ErrorCode::no_gpu) throw;
  }
  return opened_emulator(given, settings);
}

void check(const jute_context_options& given) {
  require_enumerator(given.device, JUTE_DEVICE_EMULATOR, "context_options.device");
  require_enumerator(given.check, JUTE_CHECK_FULL, "context_options.check");
  require_enumerator(given.reserved, 0, "context_options.reserved");
  if ((given.allocate == nullptr) != (given.release == nullptr))
    jute::refuse(ErrorCode::wrong_type, "context_options.allocate",
                 given.allocate == nullptr ? "NULL" : "a function",
                 "allocate and release must both be given, or neither");
}

Json json_of(const DeviceInfo& device, const std::string& backend) {
  Json object{{"backend", backend}};
  for (const Field& field : fields(device))
    if (field.name != "backend") object.add(field.name, to_json(field));
  return object;
}

Backend& usable_backend(jute_context* context) { return object_of(context).usable().backend(); }

}  // namespace

ContextObject::ContextObject(std::unique_ptr<Backend> backend, const ContextOptions& options,
                             const jute_context_options& given)
    : settings(options.settings),
      context(std::move(backend), options),
      log_lines{given.log, given.log_user},
      allocator{given.allocate, given.release, given.allocator_user},
      is_on_gpu(context.backend().name() == "cuda"),
      process(forks) {}

Context& ContextObject::usable() {
  if (!is_on_gpu || process == forks.load(std::memory_order_relaxed)) return context;
  jute::refuse(ErrorCode::unsupported, "jute_context",
               "of the process that this one was forked from",
               "a context on a GPU must be used by the process that created it: CUDA's own "
               "rule; a child creates one of its own");
}

void ContextObject::keep(DevicePointer allocated) {
  const std::lock_guard lock(memory_mutex);
  if (allocated != 0) memory.insert(allocated);
}

void ContextObject::give_up(DevicePointer address) {
  const std::lock_guard lock(memory_mutex);
  const auto found = memory.find(address);
  if (found == memory.end())
    jute::refuse(ErrorCode::out_of_range, "address", base::format("{:#x}", address),
                 "it must be one that jute_memory_allocate gave of this "
                 "context, and be freed once");
  memory.erase(found);
}

void ContextObject::log(const std::string& line) {
  if (log_lines.write == nullptr) return;
  const std::lock_guard lock(log_lines.mutex);
  log_lines.write(log_lines.user, line.c_str());
}

}  // namespace jute::c

using namespace jute;
using namespace jute::c;

int32_t jute_context_create(const jute_context_options* options, jute_context** context) {
  return guarded([&] {
    expect(context, "context");
    jute_context_options given{};
    if (options != nullptr) given = read_struct(options, "context_options", kFirstContextOptions);
    check(given);
    ContextOptions chosen{.settings = settings_of(given)};
    if (given.planned_chip != nullptr) chosen.chip = parse_chip(given.planned_chip);
    give(context, std::make_shared<ContextObject>(opened(given, chosen.settings), chosen, given));
  });
}

int32_t jute_context_free(jute_context* context) {
  return guarded([&] { free_handle(context); });
}

const char* jute_context_device(const jute_context* context) {
  return guarded_text([&] {
    ContextObject& object = object_of(context);
    return object.texts.get("device", [&] {
      const Backend& backend = object.context.backend();
      return json_of(backend.device_info(), backend.name()).text();
    });
  });
}

int32_t jute_context_compile_count(const jute_context* context, int64_t* count) {
  return guarded([&] {
    require(count, "count");
    *count = object_of(context).context.compile_count();
  });
}

int32_t jute_memory_allocate(jute_context* context, int64_t bytes, uint64_t* address) {
  return guarded([&] {
    require(address, "address");
    *address = 0;
    require_count(bytes, "bytes");
    ContextObject& object = object_of(context);
    const DevicePointer allocated = object.usable().backend().alloc(bytes);
    object.keep(allocated);
    *address = allocated;
  });
}

int32_t jute_memory_free(jute_context* context, uint64_t address) {
  return guarded([&] {
    ContextObject& object = object_of(context);
    Backend& backend = object.usable().backend();
    if (address == 0) return;
    object.give_up(address);
    backend.free(address);
  });
}

int32_t jute_memory_copy_in(jute_context* context, uint64_t target, const void* source,
                            size_t bytes) {
  return guarded([&] {
    require_list(source, bytes, "source");
    usable_backend(context).copy_in(target, {static_cast<const std::byte*>(source), bytes});
  });
}

int32_t jute_memory_copy_out(jute_context* context, void* target, uint64_t source, size_t bytes) {
  return guarded([&] {
    require_list(target, bytes, "target");
    usable_backend(context).copy_out({static_cast<std::byte*>(target), bytes}, source);
  });
}

int32_t jute_memory_fill(jute_context* context, uint64_t target, uint8_t value, int64_t bytes) {
  return guarded([&] {
    require_count(bytes, "bytes");
    usable_backend(context).fill(target, value, bytes);
  });
}

int32_t jute_synchronize(jute_context* context) {
  return guarded([&] { usable_backend(context).synchronize(); });
}
