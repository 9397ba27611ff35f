// Manifests of bundles as anybody may have written them.
#include <jute/base/error.hpp>
#include <jute/bundle/bundle.hpp>

#include <string>

#include "fuzz/input_bytes.hpp"
#include "fuzz/targets.hpp"

namespace jute::test {

void fuzz_manifest(std::span<const std::uint8_t> bytes) {
  const std::string manifest(bytes.begin(), bytes.end());
  try {
    const Bundle bundle = read_bundle(manifest, "manifest.json", [](const std::string& /*name*/) {
      return std::vector<std::byte>(12, std::byte{' '});
    });
    require_law(bundle.products.size() == bundle.targets.size() * bundle.problems.size(),
                "each target has a product for every problem");
    for (const BundleProduct& product : bundle.products) {
      require_law(0 <= product.zeroed_bytes && product.zeroed_bytes <= product.workspace_bytes,
                  "what is cleared is of the workspace");
      for (const BundleKernel& kernel : product.kernels)
        for (const BundleStep& step : kernel.steps)
          require_law(step.image < bundle.images.size() && step.head.threads > 0 &&
                          step.head.dynamic_smem_bytes >= 0,
                      "a step can be launched");
    }
  } catch (const Exception& exception) {
    require_law(!exception.error().violated_rules.empty() || !exception.error().detail.empty(),
                std::string("refused without a rule: ") + exception.what());
  }
}

}  // namespace jute::test
