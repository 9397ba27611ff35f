// Reading LAUNCH.json, with every rule checked before anything runs.
#include "launch_file.hpp"

#include <jute/base/checked.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "files.hpp"
#include "json_reader.hpp"

namespace jute::command {
namespace {

// Element types of output memory, with numpy's spelling and the bytes of one.
struct MemoryType {
  std::string_view name, descr;
  Index bytes;
};
constexpr std::array<MemoryType, 18> kMemoryTypes{{
    {"f16", "<f2", 2},
    {"bf16", "<u2", 2},
    {"f32", "<f4", 4},
    {"tf32", "<f4", 4},
    {"f64", "<f8", 8},
    {"e4m3", "|u1", 1},
    {"e5m2", "|u1", 1},
    {"s8", "|i1", 1},
    {"i8", "|i1", 1},
    {"u8", "|u1", 1},
    {"i16", "<i2", 2},
    {"u16", "<u2", 2},
    {"s32", "<i4", 4},
    {"i32", "<i4", 4},
    {"u32", "<u4", 4},
    {"s64", "<i8", 8},
    {"i64", "<i8", 8},
    {"u64", "<u8", 8},
}};

std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash + 1);
}

class LaunchReader {
 public:
  explicit LaunchReader(const std::string& path)
      : path_(path), folder_(folder_of(path)), json_(parse_json(read_text(path), path)) {}

  LaunchFile read() {
    JsonObject object(json_, path_, "");
    LaunchFile launch;
    launch.kernel = object.text("kernel");
    launch.grid = read_extents(object, "grid");
    launch.block = read_extents(object, "block");
    if (object.has("cluster")) launch.cluster = read_extents(object, "cluster");
    launch.dynamic_smem_bytes = object.integer_or("dynamic_smem_bytes", 0);
    if (launch.dynamic_smem_bytes < 0)
      object.refuse("dynamic_smem_bytes", "it must not be negative");
    const JsonValue& arguments = object.value("args");
    if (!arguments.is_array()) object.refuse("args", "it must be an array");
    for (size_t i = 0; i < arguments.size(); ++i)
      launch.arguments.push_back(
          read_argument(JsonObject(arguments[i], path_, "args[" + std::to_string(i) + "]")));
    object.refuse_unknown_keys();
    check_tensor_maps(launch);
    return launch;
  }

 private:
  static Dim3 read_extents(JsonObject& object, const std::string& key) {
    const std::vector<Index> extents = object.integers(key);
    constexpr Index kMost = std::numeric_limits<std::int32_t>::max();
    const bool legal = extents.size() == 3 && std::ranges::all_of(extents, [](Index extent) {
                         return extent >= 1 && extent <= kMost;
                       });
    if (!legal) object.refuse(key, "it must have three positive extents [x,y,z]");
    return {extents[0], extents[1], extents[2]};
  }

  LaunchArgument read_argument(JsonObject object) {
    const std::string kind = object.text("kind");
    LaunchArgument argument;
    if (kind == "in" || kind == "inout" || kind == "out") {
      argument = read_buffer(object, kind);
    } else if (kind == "scalar") {
      argument = read_scalar(object);
    } else if (kind == "tmap") {
      argument = read_tensor_map(object);
    } else {
      object.refuse("kind", "it must be in, inout, out, scalar or tmap");
    }
    object.refuse_unknown_keys();
    return argument;
  }

  [[nodiscard]] std::string beside(const std::string& name) const {
    return name.empty() || name.starts_with('/') ? name : folder_ + name;
  }

  BufferArgument read_buffer(JsonObject& object, const std::string& kind) const {
    BufferArgument buffer;
    buffer.hidden = object.flag("hidden");
    if (kind == "in") {
      buffer.npy = beside(object.text("npy"));
      return buffer;
    }
    buffer.save = beside(object.text_or("save", ""));
    buffer.kind = kind == "out" ? BufferArgument::Kind::out : BufferArgument::Kind::inout;
    if (kind == "inout") {
      buffer.npy = beside(object.text("npy"));
      return buffer;
    }
    const std::string dtype = object.text("dtype");
    const auto type = std::ranges::find(kMemoryTypes, dtype, &MemoryType::name);
    if (type == kMemoryTypes.end())
      object.refuse("dtype", "'" + dtype + "' must be an element type");
    buffer.descr = type->descr;
    buffer.shape = object.integers("shape");
    buffer.bytes = type->bytes;
    for (const Index extent : buffer.shape) {
      if (extent < 0) object.refuse("shape", "every extent must be at least 0");
      if (__builtin_mul_overflow(buffer.bytes, extent, &buffer.bytes))
        object.refuse("shape", "its bytes must fit 64 bits");
    }
    return buffer;
  }

  static double read_number(JsonObject& object) {
    const JsonValue& value = object.value("value");
    if (value.is_number()) return value.get<double>();
    const std::string text = value.is_string() ? value.get<std::string>() : std::string();
    if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
    if (text == "inf") return std::numeric_limits<double>::infinity();
    if (text == "-inf") return -std::numeric_limits<double>::infinity();
    object.refuse("value", "it must be a number, \"nan\", \"inf\" or \"-inf\"");
  }

  template <class Integer>
  static std::uint64_t read_integer(JsonObject& object) {
    const JsonValue& value = object.value("value");
    const bool fits =
        value.is_number_unsigned()
            ? std::in_range<Integer>(value.get<std::uint64_t>())
            : value.is_number_integer() && std::in_range<Integer>(value.get<std::int64_t>());
    if (!fits) object.refuse("value", "it must be an integer in the range of its dtype");
    const auto integer = value.get<Integer>();
    std::uint64_t bits = 0;
    std::memcpy(&bits, &integer, sizeof integer);
    return bits;
  }

  static ScalarArgument read_scalar(JsonObject& object) {
    const std::string dtype = object.text("dtype");
    if (dtype == "i32" || dtype == "s32")
      return {ParameterKind::i32, read_integer<std::int32_t>(object)};
    if (dtype == "u32") return {ParameterKind::u32, read_integer<std::uint32_t>(object)};
    if (dtype == "i64" || dtype == "s64")
      return {ParameterKind::i64, read_integer<std::int64_t>(object)};
    if (dtype == "u64") return {ParameterKind::u64, read_integer<std::uint64_t>(object)};
    if (dtype == "f32")
      return {ParameterKind::f32,
              std::bit_cast<std::uint32_t>(static_cast<float>(read_number(object)))};
    if (dtype == "f64")
      return {ParameterKind::f64, std::bit_cast<std::uint64_t>(read_number(object))};
    object.refuse("dtype", "a scalar must be i32, u32, i64, u64, f32 or f64");
  }

  static TensorMapArgument read_tensor_map(JsonObject& object) {
    TensorMapArgument argument;
    const Index of = object.integer("of");
    if (of < 0) object.refuse("of", "it must be the index of a buffer argument");
    argument.of = static_cast<size_t>(of);
    TensorMapSpec& spec = argument.spec;
    const auto type = find_dtype(object.text("dtype"));
    if (!type) object.refuse("dtype", "it must be an element type: f16, bf16, f32, …");
    spec.type = *type;
    spec.dims = object.integers("dims");
    spec.strides_bytes = object.integers("strides_bytes");
    // A stride for the innermost dimension may lead; it can only be the element's size.
    if (spec.strides_bytes.size() == spec.dims.size() && !spec.dims.empty() &&
        spec.strides_bytes.front() == width_bytes(spec.type))
      spec.strides_bytes.erase(spec.strides_bytes.begin());
    spec.box = object.integers("box");
    spec.element_strides = object.has("elem_strides") ? object.integers("elem_strides")
                                                      : std::vector<Index>(spec.dims.size(), 1);
    spec.swizzle =
        pick<TmaSwizzle>(object, "swizzle", {"none", "32B", "64B", "128B"},
                         {TmaSwizzle::none, TmaSwizzle::b32, TmaSwizzle::b64, TmaSwizzle::b128});
    spec.out_of_bounds = pick<TmaOutOfBounds>(object, "oob", {"zero", "nan"},
                                              {TmaOutOfBounds::zero, TmaOutOfBounds::nan});
    return argument;
  }

  /// The value beside a word; the first where the key is absent.
  template <class Value>
  static Value pick(JsonObject& object, const std::string& key,
                    const std::vector<std::string>& words, const std::vector<Value>& values) {
    const std::string word = object.text_or(key, words.front());
    for (size_t i = 0; i < words.size(); ++i)
      if (words[i] == word) return values[i];
    std::string rule = "it must be one of";
    for (const std::string& legal : words) rule += " " + legal;
    object.refuse(key, rule);
  }

  void check_tensor_maps(const LaunchFile& launch) const {
    for (size_t i = 0; i < launch.arguments.size(); ++i) {
      const auto* map = std::get_if<TensorMapArgument>(&launch.arguments[i]);
      if (map == nullptr) continue;
      if (map->of >= launch.arguments.size() ||
          !std::holds_alternative<BufferArgument>(launch.arguments[map->of]))
        throw Exception({.code = ErrorCode::bad_file,
                         .operand = path_,
                         .value = "args[" + std::to_string(i) + "].of",
                         .violated_rules = {"it must be the index of a buffer argument"}});
    }
  }

  std::string path_;
  std::string folder_;
  JsonValue json_;
};

}  // namespace

LaunchFile read_launch_file(const std::string& path) { return LaunchReader(path).read(); }

Signature signature_of(const LaunchFile& launch) {
  Signature signature;
  for (size_t i = 0; i < launch.arguments.size(); ++i) {
    Parameter parameter{.name = "arg" + std::to_string(i)};
    if (const auto* buffer = std::get_if<BufferArgument>(&launch.arguments[i])) {
      if (buffer->hidden) continue;
    } else if (const auto* scalar = std::get_if<ScalarArgument>(&launch.arguments[i])) {
      parameter.kind = scalar->kind;
    } else {
      parameter.kind = ParameterKind::tensor_map;
    }
    signature.parameters.push_back(parameter);
  }
  return signature;
}

}  // namespace jute::command
