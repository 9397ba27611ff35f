// Reads the manifest of a bundle and its images.
#include "ready/bundle_file.hpp"

#include <jute/bundle/lz4_frame.hpp>
#include <jute/epilogue/expression.hpp>
#include <jute/launch/tensor_map_spec.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "files/files.hpp"
#include "files/json_reader.hpp"

namespace jute::command {
namespace {

constexpr Index kMostBytes = Index{1} << 48, kMostThreadsOfBlock = 1024, kMostCluster = 16;

/// One object of the manifest at a time, and the file's name for messages.
class ManifestReader {
 public:
  explicit ManifestReader(std::string folder)
      : folder_(std::move(folder)), file_(folder_ + "/manifest.json") {}

  Bundle read() {
    const JsonDocument document(read_text(file_), file_);
    JsonObject root = document.object();
    if (root.text("schema") != "jute.bundle") root.refuse("schema", "it must be jute.bundle");
    if (root.integer("version") != kBundleVersion)
      root.refuse("version", "it must be the version of bundles that this jute reads",
                  std::to_string(kBundleVersion));
    Bundle bundle{.name = root.text("name")};
    for (const std::string& text : texts(root, "problems"))
      bundle.problems.push_back(completed(parse_problem(text)));
    std::vector<std::string> archs;
    each(root, "targets", [&](JsonObject target) {
      archs.push_back(target.text("arch"));
      bundle.targets.push_back({parse_arch(archs.back()), target.flag("has_cubins")});
      each(target, "products",
           [&](JsonObject product) { bundle.products.push_back(product_of(product)); });
    });
    each(root, "images",
         [&](JsonObject image) { bundle.images.push_back(image_of(image, archs)); });
    if (bundle.products.size() != bundle.targets.size() * bundle.problems.size())
      root.refuse("targets", "each must have a product for every problem");
    check_places(bundle, root);
    return bundle;
  }

 private:
  template <class Read>
  void each(JsonObject& object, const std::string& key, const Read& read) const {
    const JsonValue& list = object.value(key);
    if (!list.is_array()) object.refuse(key, "it must be a list");
    for (size_t i = 0; i < list.size(); ++i)
      read(JsonObject(list[i], file_, object.place() + "." + key + "[" + std::to_string(i) + "]"));
  }
  std::vector<std::string> texts(JsonObject& object, const std::string& key) const {
    const JsonValue& list = object.value(key);
    if (!list.is_array()) object.refuse(key, "it must be a list of texts");
    std::vector<std::string> result;
    for (const JsonValue& one : list) {
      if (!one.is_string()) object.refuse(key, "it must be a list of texts");
      result.push_back(one.get<std::string>());
    }
    return result;
  }
  template <size_t kCount>
  std::array<Count, kCount> counts(JsonObject& object, const std::string& key) const {
    const std::vector<std::string> list = texts(object, key);
    if (list.size() != kCount)
      object.refuse(key, "it must have " + std::to_string(kCount) + " counts");
    std::array<Count, kCount> result;
    std::ranges::transform(list, result.begin(),
                           [](const std::string& text) { return Count(text); });
    return result;
  }

  std::vector<Count> list_of_counts(JsonObject& object, const std::string& key) const {
    std::vector<Count> result;
    for (const std::string& text : texts(object, key)) result.emplace_back(text);
    return result;
  }

  /// A number that everything after rests on.
  static Index in_range(JsonObject& object, const std::string& key, Index least,
                        Index most = std::numeric_limits<std::int32_t>::max()) {
    const Index value = object.integer(key);
    if (value < least || value > most)
      object.refuse(key, "it must be from " + std::to_string(least) + " to " + std::to_string(most),
                    std::to_string(std::clamp(value, least, most)));
    return value;
  }

  BundleImage image_of(JsonObject& image, const std::vector<std::string>& archs) const {
    BundleImage result{.symbol = image.text("symbol"),
                       .smem_bytes = in_range(image, "smem_bytes", 0)};
    const std::string ptx = image.text("ptx");
    const std::string cubin = image.text("cubin");
    result.stem = ptx.substr(0, ptx.rfind('.'));
    const auto target = std::ranges::find(archs, image.text("target"));
    if (target == archs.end()) image.refuse("target", "it must be one of the bundle's");
    result.target = static_cast<size_t>(target - archs.begin());
    const auto path = [&](const std::string& name) {
      return (std::filesystem::path(folder_) / std::filesystem::path(name).filename()).string();
    };
    result.ptx = read_text(path(ptx));
    if (cubin.empty()) return result;
    result.cubin = read_bytes(path(cubin));
    if (cubin.ends_with(".lz4")) try {
        result.cubin = content_of_lz4_frame(result.cubin);
      } catch (const Exception& exception) {
        image.refuse("cubin", exception.error().violated_rules.front());
      }
    return result;
  }

  BundleProduct product_of(JsonObject& product) const {
    BundleProduct result;
    if (product.has("refused")) {
      result.refused = product.text("refused");
      return result;
    }
    result.workspace_bytes = in_range(product, "workspace_bytes", 0, kMostBytes);
    result.zeroed_bytes = in_range(product, "zeroed_bytes", 0, result.workspace_bytes);
    result.roundoff = number(product, "roundoff");
    each(product, "choices", [&](JsonObject choice) {
      result.choices.push_back(
          {.last_m = choice.integer("last_m"),
           .kernel = static_cast<size_t>(in_range(choice, "kernel", 0)),
           .width = in_range(choice, "width", 0),
           .stages = in_range(choice, "stages", 0),
           .split_k = in_range(choice, choice.has("slices") ? "slices" : "split_k", 0)});
    });
    each(product, "kernels",
         [&](JsonObject kernel) { result.kernels.push_back(kernel_of(kernel)); });
    return result;
  }

  BundleKernel kernel_of(JsonObject& kernel) const {
    BundleKernel result;
    result.workspace_offset = in_range(kernel, "workspace_offset", 0, kMostBytes);
    result.workspace_bytes = in_range(kernel, "workspace_bytes", 0, kMostBytes);
    each(kernel, "workspace", [&](JsonObject region) {
      result.workspace.push_back(
          {region.text("name"), Count(region.text("bytes")), region.flag("zeroed")});
    });
    each(kernel, "literals", [&](JsonObject rule) {
      result.rules.literals.push_back({Count(rule.text("number")), rule.integer("value")});
    });
    each(kernel, "strides", [&](JsonObject rule) {
      result.rules.strides.push_back({Count(rule.text("stride")),
                                      static_cast<int>(in_range(rule, "multiple_of", 1)),
                                      rule.flag("batch_only")});
    });
    each(kernel, "steps", [&](JsonObject step) { result.steps.push_back(step_of(step)); });
    return result;
  }

  BundleStep step_of(JsonObject& step) const {
    BundleStep result{.image = static_cast<size_t>(in_range(step, "image", 0))};
    StepHead& head = result.head;
    head.symbol = step.text("symbol");
    head.grid = counts<3>(step, "grid");
    head.threads = static_cast<int>(in_range(step, "threads", 1, kMostThreadsOfBlock));
    const std::vector<Index> cluster = step.integers("cluster");
    const bool are_extents =
        std::ranges::all_of(cluster, [](Index each) { return each > 0 && each <= kMostCluster; });
    if (cluster.size() != 3 || !are_extents)
      step.refuse("cluster", "it must have 3 extents, each from 1 to 16");
    head.cluster = {cluster[0], cluster[1], cluster[2]};
    head.dynamic_smem_bytes = in_range(step, "smem_bytes", 0);
    if (step.flag("overlaps")) head.order = LaunchOrder::overlap_previous;
    if (step.flag("whole_grid")) head.residency = Residency::whole_grid;
    each(step, "parameters",
         [&](JsonObject parameter) { head.parameters.push_back(parameter_of(parameter)); });
    return result;
  }

  KernelParameter parameter_of(JsonObject& parameter) const {
    const std::string kind = parameter.text("kind");
    // A signature spells kinds, and is read already.
    KernelParameter result{.name = parameter.text("name"),
                           .kind = parse_signature("(" + kind + " p)").parameters.front().kind,
                           .role = Count(0)};
    if (parameter.has("count"))
      result.role = Count(parameter.text("count"));
    else if (parameter.has("factor"))
      result.role = parameter.text("factor") == "beta" ? ScaleFactor::beta : ScaleFactor::alpha;
    else if (parameter.has("input"))
      result.role =
          InputValue{static_cast<int>(in_range(parameter, "input", 0, kMostEpilogueInputs - 1))};
    else if (parameter.has("map"))
      result.role = map_of(parameter.object("map"));
    else
      result.role = base_of(parameter);
    return result;
  }

  static Base base_of(JsonObject& object) {
    if (object.has("region")) return InWorkspace{object.text("region")};
    const std::string wanted = object.text("tensor");
    for (int i = 0; i < kTensorRoles; ++i)
      if (const auto role = static_cast<TensorRole>(i); name(role) == wanted) return Argument{role};
    object.refuse("tensor", "it must be a, b, c, d, an input or an output: in0, out0");
  }

  MapOf map_of(JsonObject map) const {
    MapOf result{.base = base_of(map),
                 .type = parse_dtype(map.text("type")),
                 .dims = list_of_counts(map, "dims"),
                 .strides = list_of_counts(map, "strides"),
                 .box = list_of_counts(map, "box")};
    constexpr size_t kMostDimensions = 5;
    if (result.dims.empty() || result.dims.size() > kMostDimensions)
      map.refuse("dims", "a map must have 1 to 5 of them");
    if (result.strides.size() + 1 != result.dims.size())
      map.refuse("strides", "there must be one fewer than dims");
    if (result.box.size() > result.dims.size())
      map.refuse("box", "there must be no more than dims");
    if (map.has("steps")) result.steps = map.integers("steps");
    if (!result.steps.empty() && result.steps.size() != result.dims.size())
      map.refuse("steps", "there must be as many as dims");
    if (map.has("offset_elems")) result.offset_elems = map.integer("offset_elems");
    const Index span = map.integer("swizzle_bytes");
    for (const TmaSwizzle swizzle :
         {TmaSwizzle::none, TmaSwizzle::b32, TmaSwizzle::b64, TmaSwizzle::b128})
      if (swizzle_span_bytes(swizzle) == span) {
        result.swizzle = swizzle;
        return result;
      }
    map.refuse("swizzle_bytes", "it must be 16, 32, 64 or 128");
  }

  static double number(JsonObject& object, const std::string& key) {
    const std::string text = object.text(key);
    double value = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (status != std::errc() || end != text.data() + text.size())
      object.refuse(key, "it must be a number");
    return value;
  }

  /// Checks that all is there that a bundle refers to by number.
  static void check_places(const Bundle& bundle, const JsonObject& root) {
    for (const BundleProduct& product : bundle.products) {
      bool is_whole = product.kernels.empty() == product.choices.empty();
      for (const BundleChoice& choice : product.choices)
        is_whole = is_whole && choice.kernel < product.kernels.size();
      for (const BundleKernel& kernel : product.kernels)
        for (const BundleStep& step : kernel.steps)
          is_whole = is_whole && step.image < bundle.images.size();
      if (!is_whole) root.refuse("targets", "kernels and images must be those of the manifest");
    }
  }

  std::string folder_, file_;
};

}  // namespace

Bundle read_bundle(const std::string& folder) { return ManifestReader(folder).read(); }

}  // namespace jute::command
