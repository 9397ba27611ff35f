// The manifest: every value of a bundle under its name, written and read by one description.
#include <jute/base/json_object.hpp>
#include <jute/base/parsed_number.hpp>
#include <jute/bundle/bundle.hpp>
#include <jute/bundle/lz4_frame.hpp>
#include <jute/epilogue/expression.hpp>
#include <jute/launch/tensor_map_spec.hpp>
#include <jute/version.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <limits>
#include <span>

#include "base/format.hpp"

namespace jute {
namespace {

using ParameterRole = decltype(KernelParameter::role);

/// A number that everything after rests on.
struct NumberRange {
  Index least = 0, most = std::numeric_limits<std::int32_t>::max();
};
constexpr NumberRange kAnyNumber{std::numeric_limits<Index>::min(),
                                 std::numeric_limits<Index>::max()},
    kNotNegative{}, kOfBytes{0, Index{1} << 48}, kOfThreads{1, 1024};
constexpr Index kMostCluster = 16;

Json spelled(const std::convertible_to<Json> auto& value) { return value; }
Json spelled(double value) { return base::format("{}", value); }
Json spelled(const Count& value) { return to_string(value); }
Json spelled(DType value) { return name(value); }
Json spelled(ParameterKind value) { return name(value); }
Json spelled(TmaSwizzle value) { return swizzle_span_bytes(value); }
Json spelled(const Dim3& value) { return Json::array({value.x, value.y, value.z}); }
Json spelled(const std::vector<Index>& values) { return Json::array(values); }
Json spelled(std::span<const Count> values) {
  return Json::array(values, [](const Count& value) { return spelled(value); });
}

/// Makes an object of what is described.
class ManifestWriter {
 public:
  Json json = Json::object();

  template <class Value>
  void operator()(const char* key, const Value& value, const NumberRange& /*range*/ = {}) {
    json.add(key, spelled(value));
  }
  template <class Value>
  void if_any(const char* key, const Value& value) {
    if (!(value == Value())) json.add(key, spelled(value));
  }
  template <class Word>
  void is(const char* key, Word value, Word said) {
    json.add(key, value == said);
  }
  static const char* called(const char* now, const char* /*before*/) { return now; }
  /// `d`, or a region of the workspace.
  void base(const Base& value) {
    if (const auto* argument = std::get_if<Argument>(&value))
      json.add("tensor", name(argument->tensor));
    else
      json.add("region", std::get<InWorkspace>(value).region);
  }
  void role(const ParameterRole& value) {
    std::visit([this](const auto& role) { add(role); }, value);
  }
  [[nodiscard]] bool refused(const BundleProduct& product) {
    if (product.kernels.empty()) json.add("refused", product.refused);
    return product.kernels.empty();
  }
  template <class List, class Describe>
  void each(const char* key, const List& list, const Describe& describe) {
    Json items = Json::array();
    for (const auto& one : list) {
      ManifestWriter item;
      describe(item, one);
      items.push_back(item.json);
    }
    json.add(key, items);
  }

 private:
  void add(const Base& value) { base(value); }
  void add(const Count& value) { json.add("count", spelled(value)); }
  void add(ScaleFactor factor) {
    json.add("factor", factor == ScaleFactor::alpha ? "alpha" : "beta");
  }
  void add(const InputValue& input) { json.add("input", input.place); }
  void add(const MapOf& map);
};

/// Takes what is described from an object.
class ManifestReader {
 public:
  JsonObject json;

  template <class Word>
  void is(const char* key, Word& value, Word said) {
    if (json.flag(key)) value = said;
  }
  template <class Value>
  void if_any(const char* key, Value& value) {
    if (json.has(key)) (*this)(key, value);
  }
  void operator()(const char* key, std::string& value) { value = json.text(key); }
  void operator()(const char* key, bool& value) { value = json.flag(key); }
  template <std::integral Number>
  void operator()(const char* key, Number& value, const NumberRange& range = kAnyNumber) {
    const Index given = json.integer(key);
    if (given < range.least || given > range.most)
      json.refuse(key, base::format("it must be from {} to {}", range.least, range.most),
                  std::to_string(std::clamp(given, range.least, range.most)));
    value = static_cast<Number>(given);
  }
  const char* called(const char* now, const char* before) const {
    return json.has(before) ? before : now;
  }
  void operator()(const char* key, double& value) {
    const auto number = parsed_number<double>(json.text(key));
    if (!number) json.refuse(key, "it must be a number");
    value = *number;
  }
  void operator()(const char* key, Dim3& value) {
    const std::vector<Index> given = json.integers(key);
    if (given.size() != 3 ||
        !std::ranges::all_of(given, [](Index each) { return each > 0 && each <= kMostCluster; }))
      json.refuse(key, base::format("it must have 3 extents, each from 1 to {}", kMostCluster));
    value = {given[0], given[1], given[2]};
  }
  void operator()(const char* key, std::vector<Index>& values) { values = json.integers(key); }
  void operator()(const char* key, Count& value) { value = Count(json.text(key)); }
  void operator()(const char* key, std::vector<Count>& values) {
    for (const std::string& text : json.texts(key)) values.emplace_back(text);
  }
  void operator()(const char* key, std::array<Count, 3>& values) {
    std::vector<Count> given;
    (*this)(key, given);
    if (given.size() != values.size()) json.refuse(key, "it must have 3 counts");
    std::ranges::move(given, values.begin());
  }
  void operator()(const char* key, DType& value) { value = parse_dtype(json.text(key)); }
  /// A signature spells kinds, and is read already.
  void operator()(const char* key, ParameterKind& value) {
    value = parse_signature("(" + json.text(key) + " p)").parameters.front().kind;
  }
  void operator()(const char* key, TmaSwizzle& value) {
    const Index span = json.integer(key);
    for (const TmaSwizzle one :
         {TmaSwizzle::none, TmaSwizzle::b32, TmaSwizzle::b64, TmaSwizzle::b128})
      if (swizzle_span_bytes(one) == span) {
        value = one;
        return;
      }
    json.refuse(key, "it must be 16, 32, 64 or 128");
  }
  void base(Base& value) {
    if (json.has("region")) {
      value = InWorkspace{json.text("region")};
      return;
    }
    const std::string wanted = json.text("tensor");
    for (int i = 0; i < kTensorRoles; ++i)
      if (const auto role = static_cast<TensorRole>(i); name(role) == wanted) {
        value = Argument{role};
        return;
      }
    json.refuse("tensor", "it must be a, b, c, d, an input or an output: in0, out0");
  }
  void role(ParameterRole& value);
  [[nodiscard]] bool refused(BundleProduct& product) {
    product.refused = json.text_or("refused", "");
    return json.has("refused");
  }
  template <class List, class Describe>
  void each(const char* key, List& list, const Describe& describe) {
    for (JsonObject& item : json.objects(key)) {
      ManifestReader reader{std::move(item)};
      describe(reader, list.emplace_back());
    }
  }
};

// One description a value; `io` is a writer or a reader.

constexpr auto kOfMap = [](auto& io, auto& map) {
  io.base(map.base);
  io("type", map.type);
  io("dims", map.dims);
  io("strides", map.strides);
  io("box", map.box);
  io("swizzle_bytes", map.swizzle);
  io.if_any("steps", map.steps);
  io.if_any("offset_elems", map.offset_elems);
};

constexpr auto kOfParameter = [](auto& io, auto& parameter) {
  io("name", parameter.name);
  io("kind", parameter.kind);
  io.role(parameter.role);
};

constexpr auto kOfStep = [](auto& io, auto& step) {
  auto& head = step.head;
  io("image", step.image, kNotNegative);
  io("symbol", head.symbol);
  io("grid", head.grid);
  io("threads", head.threads, kOfThreads);
  io("cluster", head.cluster);
  io("smem_bytes", head.dynamic_smem_bytes, kNotNegative);
  io.is("overlaps", head.order, LaunchOrder::overlap_previous);
  io.is("whole_grid", head.residency, Residency::whole_grid);
  io.each("parameters", head.parameters, kOfParameter);
};

constexpr auto kOfRegion = [](auto& io, auto& region) {
  io("name", region.name);
  io("bytes", region.bytes);
  io("zeroed", region.zeroed);
};

constexpr auto kOfLiteral = [](auto& io, auto& rule) {
  io("number", rule.number);
  io("value", rule.value);
};

constexpr auto kOfStride = [](auto& io, auto& rule) {
  io("stride", rule.stride);
  io("multiple_of", rule.multiple_of, NumberRange{.least = 1});
  io("batch_only", rule.batch_only);
};

constexpr auto kOfKernel = [](auto& io, auto& kernel) {
  io.each("steps", kernel.steps, kOfStep);
  io("workspace_offset", kernel.workspace_offset, kOfBytes);
  io("workspace_bytes", kernel.workspace_bytes, kOfBytes);
  io.each("workspace", kernel.workspace, kOfRegion);
  io.each("literals", kernel.rules.literals, kOfLiteral);
  io.each("strides", kernel.rules.strides, kOfStride);
};

constexpr auto kOfChoice = [](auto& io, auto& choice) {
  io("last_m", choice.last_m);
  io("kernel", choice.kernel, kNotNegative);
  io("width", choice.width, kNotNegative);
  io("stages", choice.stages, kNotNegative);
  io(io.called("split_k", "slices"), choice.split_k, kNotNegative);
};

constexpr auto kOfProduct = [](auto& io, auto& product) {
  if (io.refused(product)) return;
  io("workspace_bytes", product.workspace_bytes, kOfBytes);
  io("zeroed_bytes", product.zeroed_bytes, NumberRange{0, product.workspace_bytes});
  io("roundoff", product.roundoff);
  io.each("choices", product.choices, kOfChoice);
  io.each("kernels", product.kernels, kOfKernel);
};

void ManifestWriter::add(const MapOf& map) {
  ManifestWriter inner;
  kOfMap(inner, map);
  json.add("map", inner.json);
}

MapOf map_of(ManifestReader from) {
  MapOf map;
  kOfMap(from, map);
  constexpr size_t kMostDimensions = 5;
  if (map.dims.empty() || map.dims.size() > kMostDimensions)
    from.json.refuse("dims", "a map must have 1 to 5 of them");
  if (map.strides.size() + 1 != map.dims.size())
    from.json.refuse("strides", "there must be one fewer than dims");
  if (map.box.size() > map.dims.size()) from.json.refuse("box", "there must be no more than dims");
  if (!map.steps.empty() && map.steps.size() != map.dims.size())
    from.json.refuse("steps", "there must be as many as dims");
  return map;
}

void ManifestReader::role(ParameterRole& value) {
  if (json.has("count")) {
    value = Count(json.text("count"));
  } else if (json.has("factor")) {
    value = json.text("factor") == "beta" ? ScaleFactor::beta : ScaleFactor::alpha;
  } else if (json.has("input")) {
    InputValue input;
    (*this)("input", input.place, {0, kMostEpilogueInputs - 1});
    value = input;
  } else if (json.has("map")) {
    value = map_of({json.object("map")});
  } else {
    base(value.emplace<Base>());
  }
}

BundleImage image_of(JsonObject& json, const std::vector<std::string>& archs,
                     const ReadBundleFile& read) {
  BundleImage image{.symbol = json.text("symbol")};
  ManifestReader{json}("smem_bytes", image.smem_bytes, kNotNegative);
  const std::string ptx = json.text("ptx"), cubin = json.text("cubin");
  image.stem = ptx.substr(0, ptx.rfind('.'));
  const auto target = std::ranges::find(archs, json.text("target"));
  if (target == archs.end()) json.refuse("target", "it must be one of the bundle's");
  image.target = static_cast<size_t>(target - archs.begin());
  // Beside the manifest, wherever else the name leads to.
  const auto bytes_of = [&](const std::string& name) {
    return read(name.substr(name.rfind('/') + 1));
  };
  const std::vector<std::byte> text = bytes_of(ptx);
  image.ptx.assign(reinterpret_cast<const char*>(text.data()), text.size());
  if (cubin.empty()) return image;
  image.cubin = bytes_of(cubin);
  if (cubin.ends_with(".lz4")) try {
      image.cubin = content_of_lz4_frame(image.cubin);
    } catch (const Exception& exception) {
      json.refuse("cubin", exception.error().violated_rules.front());
    }
  return image;
}

/// Is all there that a bundle refers to by number?
bool has_its_parts(const Bundle& bundle) {
  return std::ranges::all_of(bundle.products, [&](const BundleProduct& product) {
    return product.kernels.empty() == product.choices.empty() &&
           std::ranges::all_of(product.choices,
                               [&](const BundleChoice& choice) {
                                 return choice.kernel < product.kernels.size();
                               }) &&
           std::ranges::all_of(product.kernels, [&](const BundleKernel& kernel) {
             return std::ranges::all_of(kernel.steps, [&](const BundleStep& step) {
               return step.image < bundle.images.size();
             });
           });
  });
}

}  // namespace

Json manifest_of(const Bundle& bundle) {
  ManifestWriter all;
  all.json = {{"schema", "jute.bundle"},
              {"version", kBundleVersion},
              {"written_by", "jute " JUTE_VERSION_TEXT},
              {"name", bundle.name}};
  const auto text = [](const Problem& problem) { return to_string(problem); };
  all.json.add("problems", Json::array(bundle.problems, text));
  all.each("images", bundle.images, [&](ManifestWriter& io, const BundleImage& image) {
    io("ptx", image.stem + ".ptx");
    io("cubin", image.cubin.empty() ? std::string() : image.stem + ".cubin.lz4");
    io("symbol", image.symbol);
    io("target", to_string(bundle.targets[image.target].arch));
    io("smem_bytes", image.smem_bytes);
  });
  auto products = std::span(bundle.products);
  all.each("targets", bundle.targets, [&](ManifestWriter& io, const BundleTarget& target) {
    io("arch", to_string(target.arch));
    io("has_cubins", target.has_cubins);
    io("also_later_chips", target.arch.suffix == '\0');
    io.each("products", products.first(bundle.problems.size()), kOfProduct);
    products = products.subspan(bundle.problems.size());
  });
  return all.json;
}

Bundle read_bundle(const std::string& manifest, const std::string& file,
                   const ReadBundleFile& read) {
  const JsonValue json = parse_json(manifest, file);
  JsonObject root(json, file, "");
  if (root.text("schema") != "jute.bundle") root.refuse("schema", "it must be jute.bundle");
  if (root.integer("version") != kBundleVersion)
    root.refuse("version", "it must be the version of bundles that this jute reads",
                std::to_string(kBundleVersion));
  Bundle bundle{.name = root.text("name")};
  for (const std::string& text : root.texts("problems"))
    bundle.problems.push_back(completed(parse_problem(text)));
  std::vector<std::string> archs;
  for (JsonObject& target : root.objects("targets")) {
    archs.push_back(target.text("arch"));
    bundle.targets.push_back({parse_arch(archs.back()), target.flag("has_cubins")});
    ManifestReader{target}.each("products", bundle.products, kOfProduct);
  }
  for (JsonObject& image : root.objects("images"))
    bundle.images.push_back(image_of(image, archs, read));
  if (bundle.products.size() != bundle.targets.size() * bundle.problems.size())
    root.refuse("targets", "each must have a product for every problem");
  if (!has_its_parts(bundle))
    root.refuse("targets", "kernels and images must be those of the manifest");
  return bundle;
}

}  // namespace jute
