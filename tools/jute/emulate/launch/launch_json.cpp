// Writes launch files.
#include "emulate/launch/launch_file.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <variant>

namespace jute::command {
namespace {

Json json_of(const Number& number) {
  if (const auto* value = std::get_if<double>(&number); value != nullptr && !std::isfinite(*value))
    return std::isnan(*value) ? Json("nan") : Json(*value > 0 ? "inf" : "-inf");
  return std::visit([](const auto value) { return Json(value); }, number);
}

Json json_of(const ScalarArgument& scalar) {
  const ElementType& type = *scalar.type;
  std::array<std::byte, 8> bytes{};
  std::memcpy(bytes.data(), &scalar.bits, bytes.size());
  const long double value = decode(type, bytes, 0);
  const Number number =
      type.kind == ElementType::Kind::floating           ? Number(static_cast<double>(value))
      : type.kind == ElementType::Kind::unsigned_integer ? Number(static_cast<std::uint64_t>(value))
                                                         : Number(static_cast<std::int64_t>(value));
  return {{"kind", "scalar"}, {"dtype", std::string(type.name)}, {"value", json_of(number)}};
}

class DraftWriter {
 public:
  explicit DraftWriter(const std::string& path)
      : folder_(std::filesystem::absolute(path).parent_path()) {}

  [[nodiscard]] Json memory(const NamedBuffer& buffer) const {
    Json json = Json::object();
    if (buffer.type != nullptr) json.add("dtype", std::string(buffer.type->name));
    if (buffer.shape) json.add("shape", Json::array(*buffer.shape));
    if (!std::holds_alternative<Unset>(buffer.contents))
      json.add("init",
               std::visit([this](const auto& each) { return contents(each); }, buffer.contents));
    if (buffer.expect)
      json.add("expect",
               std::visit([this](const auto& each) { return contents(each); }, *buffer.expect));
    if (!buffer.tolerance.npy.empty())
      json.add("tolerance", {{"npy", beside(buffer.tolerance.npy)}});
    if (!buffer.save.empty()) json.add("save", beside(buffer.save));
    return json;
  }

  [[nodiscard]] Json launch(const NamedLaunch& launch) const {
    Json json = Json::object();
    if (!launch.kernel.empty()) json.add("kernel", launch.kernel);
    json.add("module", beside(launch.module));
    json.add("grid", to_json(launch.grid));
    json.add("block", to_json(launch.block));
    if (!(launch.cluster == Dim3{})) json.add("cluster", to_json(launch.cluster));
    if (launch.dynamic_smem_bytes != 0) json.add("dynamic_smem_bytes", launch.dynamic_smem_bytes);
    if (launch.is_cooperative) json.add("cooperative", true);
    if (launch.is_dependent) json.add("dependent", true);
    Json arguments = Json::array();
    for (const Argument& argument : launch.arguments) arguments.push_back(of(argument));
    json.add("args", arguments);
    return json;
  }

 private:
  /// As a launch file names it, which looks from its own folder.
  [[nodiscard]] std::string beside(const std::string& name) const {
    return std::filesystem::absolute(name).lexically_relative(folder_).string();
  }

  [[nodiscard]] static Json contents(const Unset& /*none*/) { return {}; }
  [[nodiscard]] static Json contents(const FillNumber& fill) {
    return {{"fill", json_of(fill.value)}};
  }
  [[nodiscard]] static Json contents(const Iota& iota) {
    return {{"iota", Json{{"start", json_of(iota.start)}, {"step", json_of(iota.step)}}}};
  }
  [[nodiscard]] static Json contents(const Random& random) { return {{"random", random.seed}}; }
  [[nodiscard]] static Json contents(const Listed& listed) {
    Json values = Json::array();
    for (const Number& value : listed.values) values.push_back(json_of(value));
    return {{"values", values}};
  }
  [[nodiscard]] Json contents(const FromFile& file) const {
    return {{file.is_npy ? "npy" : "bin", beside(file.path)}};
  }

  [[nodiscard]] Json of(const Argument& argument) const {
    if (const auto* address = std::get_if<BufferAddress>(&argument.value)) {
      if (address->offset_bytes == 0) return address->buffer;
      return {{"kind", "buffer"}, {"of", address->buffer}, {"offset_bytes", address->offset_bytes}};
    }
    if (const auto* number = std::get_if<PlainNumber>(&argument.value))
      return json_of(number->value);
    if (const auto* scalar = std::get_if<ScalarArgument>(&argument.value)) return json_of(*scalar);
    if (const auto* map = std::get_if<TensorMapArgument>(&argument.value)) return of(*map);
    const auto* structure = std::get_if<FieldsArgument>(&argument.value);
    if (structure == nullptr) return {};
    Json fields = Json::array();
    for (const Argument& field : structure->fields) fields.push_back(of(field));
    return {{"kind", "struct"}, {"fields", fields}};
  }

  [[nodiscard]] static Json of(const TensorMapArgument& map) {
    constexpr std::array<std::string_view, 4> kSwizzles{"none", "32B", "64B", "128B"};
    const TensorMapSpec& spec = map.spec;
    Json json{{"kind", "tmap"}, {"of", map.of.buffer}};
    if (map.of.offset_bytes != 0) json.add("offset_bytes", map.of.offset_bytes);
    json.add("dtype", name(spec.type));
    json.add("dims", Json::array(spec.dims));
    json.add("strides_bytes", Json::array(spec.strides_bytes));
    json.add("box", Json::array(spec.box));
    json.add("elem_strides", Json::array(spec.element_strides));
    json.add("swizzle", kSwizzles.at(static_cast<size_t>(spec.swizzle)));
    json.add("oob", spec.out_of_bounds == TmaOutOfBounds::nan ? "nan" : "zero");
    return json;
  }

  std::filesystem::path folder_;
};

}  // namespace

Json launch_json(const LaunchFile& file, const std::string& path) {
  const DraftWriter writer(path);
  Json buffers = Json::object(), globals = Json::object(), launches = Json::array();
  for (const NamedBuffer& buffer : file.buffers) buffers.add(buffer.name, writer.memory(buffer));
  for (const NamedBuffer& global : file.globals) globals.add(global.name, writer.memory(global));
  for (const NamedLaunch& launch : file.launches) launches.push_back(writer.launch(launch));
  Json json = Json::object();
  if (!file.buffers.empty()) json.add("buffers", buffers);
  if (!file.globals.empty()) json.add("globals", globals);
  json.add("launches", launches);
  return json;
}

}  // namespace jute::command
