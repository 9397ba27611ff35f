// The rules of tensor maps against the driver of a real GPU.

#include <map>
#include <random>

#include "base/format.hpp"
#include "device/context.hpp"
#include "device/tensor_map.hpp"
#include "support/catch.hpp"
#include "support/gpu.hpp"

using namespace jute;

namespace {

/// A spec that is legal about half of the time; each field is now and then at or over its limit.
TensorMapSpec random_spec(std::mt19937_64& random) {
  const auto below = [&](Index limit) {
    return static_cast<Index>(random() % static_cast<std::uint64_t>(limit));
  };
  TensorMapSpec spec;
  spec.type = static_cast<DType>(random() % kDTypeCount);
  const Index granule = std::max<Index>(1, 16 / width_bytes(spec.type));
  const size_t rank = 1 + random() % 5;
  for (size_t d = 0; d < rank; ++d) {
    const Index rare = below(60);
    Index extent = 1 + below(5000);
    if (rare == 0) extent = below(3);
    if (rare == 1) extent = (Index{1} << 32) - 1 + below(3);
    spec.dims.push_back(extent);
    Index box = d == 0 ? std::min<Index>(256, granule * (1 + below(10))) : 1 + below(16);
    if (rare == 2) box = below(3);
    if (rare == 3) box = 255 + below(3);
    if (rare == 4) ++box;
    spec.box.push_back(box);
    spec.element_strides.push_back(rare == 5 ? below(11) : 1);
    if (d == 0) continue;
    Index stride = 16 * (1 + below(5000));
    if (rare == 6) stride = (Index{1} << 40) - 16 * below(3);
    if (rare == 7) stride = below(4096);
    if (rare == 8) stride = 0;
    spec.strides_bytes.push_back(stride);
  }
  spec.swizzle = static_cast<TmaSwizzle>(random() % 4);
  spec.out_of_bounds = below(4) == 0 ? TmaOutOfBounds::nan : TmaOutOfBounds::zero;
  return spec;
}

/// "agree …", or every kind of disagreement with its count and three examples.
std::string compare_with_driver(int count) {
  const auto driver = device::load_driver(base::system_loader());
  driver->require("cuInit", driver->init(0));
  const auto context = device::DriverContext::retain_primary(driver, 0);
  if (context->device_info().arch.number < 90) return "agree: no tensor maps here";
  std::mt19937_64 random(11);
  int legal = 0;
  std::map<std::string, int> kinds;
  std::string examples;
  for (int i = 0; i < count; ++i) {
    const TensorMapSpec spec = random_spec(random);
    const std::uint64_t base = (1 << 20) + (random() % 40 == 0 ? 8 : 0);
    EncodedTensorMap map;
    const bool driver_takes = device::encode_unchecked(*context, spec, base, map) == 0;
    const auto error = check(spec, base);
    legal += driver_takes ? 1 : 0;
    if (driver_takes == !error) continue;
    const std::string kind =
        driver_takes ? "only we refuse " + error->operand : "only the driver refuses";
    if (++kinds[kind] <= 3)
      examples += base::format("{}: {} base {}\n", kind, to_string(spec), base);
  }
  std::string disagreements;
  for (const auto& [kind, times] : kinds) disagreements += base::format("{} x{}; ", kind, times);
  if (!disagreements.empty()) return disagreements + "\n" + examples;
  return base::format("agree: {} of {} legal", legal, count);
}

}  // namespace

TEST_CASE("our rules for tensor maps are the driver's", "[gpu][device][tensor_map][law]") {
  const std::string text = test::on_gpu([] { return compare_with_driver(20000); });
  WARN(text);
  CHECK(text.starts_with("agree"));
}
