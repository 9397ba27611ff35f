#pragma once
// Manifests of bundles as anybody may have written them. Of the command, so a header of its own.
#include <jute/base/error.hpp>
#include <jute/bundle/bundle.hpp>

#include <cstdint>
#include <fstream>
#include <span>
#include <string>
#include <string_view>

#include "fuzz/input_bytes.hpp"
#include "ready/bundle_file.hpp"
#include "support/temporary_folder.hpp"

namespace jute::test {

/// A folder with the image that the corpus names, and this manifest.
inline std::string folder_with(const TemporaryFolder& folder, std::string_view manifest) {
  std::ofstream(folder.file("ex.0.sm_90.ptx")) << ".version 8.0";
  std::ofstream(folder.file("manifest.json"), std::ios::binary) << manifest;
  return folder.path().string();
}

/// The bytes are a manifest whose image is there. It is refused by a rule, or everything in it
/// has a place that is there.
inline void fuzz_manifest(std::span<const std::uint8_t> bytes) {
  static const TemporaryFolder kFolder;
  const std::string folder =
      folder_with(kFolder, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  try {
    const Bundle bundle = command::read_bundle(folder);
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
