#pragma once
// Kernels that leave jute: what a program needs to launch the matrix products of a list, as a value
// that is written as files.
#include <jute/base/export.hpp>
#include <jute/base/json.hpp>
#include <jute/jit/cache.hpp>
#include <jute/plan/ask/config.hpp>
#include <jute/plan/choose/m_range.hpp>
#include <jute/plan/run/number_rules.hpp>
#include <jute/plan/values/plan.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace JUTE_API jute {

/// The chips of a bundle. A target's kernels are planned for the preset that stands for it.
struct BundleTarget {
  Arch arch = {};
  bool has_cubins = true;  ///< else PTX alone, for this chip and all later ones
  bool operator==(const BundleTarget&) const = default;
};

/// A compiled kernel. Its files are STEM.ptx and, where the target has machine code,
/// STEM.cubin.lz4.
struct BundleImage {
  std::string stem = {};
  std::string symbol = {};
  std::size_t target = 0;
  Index smem_bytes = 0;  ///< dynamic, the most that a step asks for
  std::string ptx = {};
  std::vector<std::byte> cubin = {};
};

struct BundleStep {
  std::size_t image = 0;
  StepHead head = {};
};

/// One plan's way through its steps. Its workspace begins at an offset in the one that all kernels
/// of the product share: what must be zero lies together, right before what need not.
struct BundleKernel {
  std::vector<BundleStep> steps = {};
  std::vector<WorkspaceRegion> workspace = {};  ///< zeroed regions are numbers
  NumberRules rules = {};
  Index workspace_offset = 0;
  Index workspace_bytes = 0;  ///< what there is from the offset on
};

/// Which kernel serves runs of up to so many rows, and what the launch says of its tiles.
struct BundleChoice {
  Index last_m = 0;
  std::size_t kernel = 0;                    ///< of its product's
  Index width = 0, stages = 0, split_k = 1;  ///< 0: the kernel has them itself
  bool operator==(const BundleChoice&) const = default;
};

/// A problem on a target. Without kernels where the target cannot have any: `refused` says why.
struct BundleProduct {
  std::vector<BundleKernel> kernels;
  std::vector<BundleChoice> choices;  ///< by ascending rows; the last serves all that are more
  Index workspace_bytes = 0, zeroed_bytes = 0;
  double roundoff = 0;  ///< of the sums, by which results are judged
  std::string refused = {};
};

/// Where in the product's workspace the word is that keeps the first fault of lists of groups: one
/// more than the entry. None without groups or tables of rows, and without kernels.
[[nodiscard]] std::optional<Index> fault_place(const BundleProduct& product,
                                               const Problem& problem);
/// Its bytes, and how many words there are: of the list, of A's table of rows, of D's.
inline constexpr Index kFaultWordBytes = 4, kFaultWords = 3;

struct Bundle {
  std::string name = {};  ///< a C identifier: the prefix of the launcher's symbols
  std::vector<Problem> problems = {};
  std::vector<BundleTarget> targets = {};
  std::vector<BundleImage> images = {};
  std::vector<BundleProduct> products = {};  ///< by target, then by problem

  [[nodiscard]] const BundleProduct& product(std::size_t target, std::size_t problem) const {
    return products.at(target * problems.size() + problem);
  }
};

struct BundleOptions {
  std::string name = "kernels";
  std::vector<BundleTarget> targets = default_targets();
  Config config{};
  RangeLimits limits{};  ///< how many kernels a range of M gets
  /// The choices for one of the problems on a target, in place of `config`.
  std::function<Config(std::size_t problem, const BundleTarget& target)> choices{};
  /// Called when a kernel has been compiled.
  std::function<void(std::size_t done, std::size_t all)> on_kernel{};

  /// sm_80 and sm_90a with machine code, and PTX of sm_90's own plans for all later chips.
  [[nodiscard]] static std::vector<BundleTarget> default_targets();
};

/// Plans every problem for every target, and compiles what is not the same.
///   throws  illegal_config: no problem, no target, one twice, a name that is no identifier; what
///           make_plans throws of a target with machine code, with the problem; what compiling
///           throws
[[nodiscard]] Bundle make_bundle(std::span<const Problem> problems, const BundleOptions& options,
                                 const KernelCache& kernels);

/// A file of a bundle: its name in the folder, and its bytes.
struct BundleFile {
  std::string name;
  std::string bytes;
};
/// Images, NAME.h, NAME.c, NAME.cmake; all but manifest.json, which is manifest_of(bundle).
[[nodiscard]] std::vector<BundleFile> files_of(const Bundle& bundle);

/// The manifest's version: a reader refuses another.
inline constexpr int kBundleVersion = 1;
/// manifest.json: everything that the launcher holds. Counts are texts that Count reads.
[[nodiscard]] Json manifest_of(const Bundle& bundle);

/// The bytes of a file in the bundle's folder.
using ReadBundleFile = std::function<std::vector<std::byte>(const std::string& name)>;
/// The bundle that a manifest describes, with the images that it names. `file` is how messages call
/// the manifest.
///   throws  bad_file: no manifest of a bundle, or one of another version, with the place; what
///           Count, parse_problem, parse_arch and `read` throw
[[nodiscard]] Bundle read_bundle(const std::string& manifest, const std::string& file,
                                 const ReadBundleFile& read);

}  // namespace jute
