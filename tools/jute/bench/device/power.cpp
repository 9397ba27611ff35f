// NVML by its own declarations. Source: NVML API reference.
#include "bench/device/power.hpp"

#include "bench/device/shared_library.hpp"

namespace jute::bench {
namespace {

constexpr unsigned kPowerInstant = 186;  // NVML_FI_DEV_POWER_INSTANT, milliwatts, unsigned int

}  // namespace

struct PowerMeter::Api {
  /// nvmlFieldValue_t.
  struct FieldValue {
    unsigned field = 0, scope = 0;
    long long timestamp = 0, latency_us = 0;
    int value_type = 0, status = 0;
    union {
      double as_double;
      unsigned as_unsigned;
      unsigned long long as_long;
    } value = {};
  };

  int (*init)() = nullptr;
  int (*shutdown)() = nullptr;
  int (*device_by_pci)(const char* bus, void** device) = nullptr;
  int (*power)(void* device, unsigned* milliwatts) = nullptr;
  int (*fields)(void* device, int count, FieldValue* values) = nullptr;
};

PowerMeter::PowerMeter(const std::string& pci_bus) {
  auto library = SharedLibrary::open("libnvidia-ml.so.1");
  if (!library) return;
  Api api;
  library->bind(api.init, "nvmlInit_v2");
  library->bind(api.shutdown, "nvmlShutdown");
  library->bind(api.device_by_pci, "nvmlDeviceGetHandleByPciBusId_v2");
  library->bind(api.power, "nvmlDeviceGetPowerUsage");
  library->bind_if_there(api.fields, "nvmlDeviceGetFieldValues");
  if (!library->missing().empty() || api.init() != 0) return;
  if (api.device_by_pci(pci_bus.c_str(), &device_) == 0)
    api_ = new Api(api);
  else
    (void)api.shutdown();
}

PowerMeter::~PowerMeter() {
  if (api_ != nullptr) (void)api_->shutdown();
  delete api_;
}

double PowerMeter::watts() const {
  if (api_ == nullptr) return 0.0;
  Api::FieldValue now;
  now.field = kPowerInstant;
  if (api_->fields != nullptr && api_->fields(device_, 1, &now) == 0 && now.status == 0)
    return now.value.as_unsigned * 1e-3;
  unsigned milliwatts = 0;
  return api_->power(device_, &milliwatts) == 0 ? milliwatts * 1e-3 : 0.0;
}

}  // namespace jute::bench
