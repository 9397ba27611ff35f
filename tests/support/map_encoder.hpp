#pragma once
// Encodes tensor maps as text that a test can look at: nothing is launched with them.
#include <jute/launch/backend.hpp>

#include <vector>

namespace jute::test {

/// Remembers every map that it was asked for.
class RecordingEncoder : public TensorMapEncoder {
 public:
  [[nodiscard]] EncodedTensorMap encode(const TensorMapSpec& spec, DevicePointer base) override {
    specs.push_back(spec);
    bases.push_back(base);
    EncodedTensorMap map;
    map.bytes[0] = static_cast<std::byte>(specs.size());
    return map;
  }
  std::vector<TensorMapSpec> specs;
  std::vector<DevicePointer> bases;
};

}  // namespace jute::test
