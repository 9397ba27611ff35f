// Reading LAUNCH.json, with every rule of the file itself checked before anything runs; writing it
// elsewhere.
#include "emulate/launch/launch_file.hpp"

#include <jute/base/nearest_name.hpp>

#include <algorithm>
#include <filesystem>

#include "emulate/launch/launch_words.hpp"

namespace jute::command {
namespace {

/// How the memory is called that argument `index` of a file of one launch brings.
std::string memory_of_argument(Index index) { return "args[" + std::to_string(index) + "]"; }

/// throws  bad_file: an argument names memory that the file does not
class NameCheck {
 public:
  explicit NameCheck(const LaunchFile& file) : file_(file) {
    for (const NamedBuffer& buffer : file.buffers) names_.push_back(buffer.name);
  }
  void check(std::vector<Argument>& arguments) const {
    for (Argument& argument : arguments) {
      if (const auto* address = std::get_if<BufferAddress>(&argument.value)) {
        // A number that JSON has no spelling for is one unless memory is called so.
        if (const auto number = floating_word(address->buffer); number && !is_name(address->buffer))
          argument.value = PlainNumber{*number};
        else
          check(address->buffer, argument.place);
      }
      if (const auto* map = std::get_if<TensorMapArgument>(&argument.value))
        check(map->of.buffer, argument.place + ".of");
      if (const auto* texture = std::get_if<TextureArgument>(&argument.value))
        check(texture->of.buffer, argument.place + ".of");
      if (auto* fields = std::get_if<FieldsArgument>(&argument.value)) check(fields->fields);
    }
  }

 private:
  [[nodiscard]] bool is_name(const std::string& name) const {
    return std::ranges::find(names_, name) != names_.end();
  }
  void check(const std::string& name, const std::string& place) const {
    if (is_name(name)) return;
    if (name.starts_with("args["))
      JsonObject::refuse_at(file_.path, place, "it must be the index of a buffer argument");
    const std::string all = names_.empty() ? "and there is none" : joined(names_);
    JsonObject::refuse_at(file_.path, place, "'" + name + "' must be a name of buffers: " + all,
                          nearest_name(name, names_));
  }

  const LaunchFile& file_;
  std::vector<std::string> names_;
};

/// throws  bad_file: memory is saved where other memory is, of which nothing would be left
void check_saves(const LaunchFile& file) {
  const std::vector<PlannedFile> saved = saved_files(file);
  const auto shared = shared_place(saved);
  if (!shared) return;
  const PlannedFile& first = saved[shared->first];
  JsonObject::refuse_at(file.path, saved[shared->second].writer,
                        "it must be another file than that of " + first.writer + ", " + first.path);
}

CompileChoices read_compile(JsonObject object) {
  CompileChoices choices;
  choices.arch = object.text_or("arch", "");
  if (object.has("options")) choices.options = object.texts("options");
  object.refuse_unknown_keys();
  return choices;
}

/// The keys of a launch but its arguments.
NamedLaunch read_launch_shape(JsonObject& object) {
  NamedLaunch launch;
  launch.place = object.place();
  launch.module = beside(object, object.text_or("module", ""));
  launch.kernel = object.text("kernel");
  launch.grid = read_extents(object, "grid");
  launch.block = read_extents(object, "block");
  if (object.has("cluster")) launch.cluster = read_extents(object, "cluster");
  launch.dynamic_smem_bytes = object.integer_or("dynamic_smem_bytes", 0);
  if (launch.dynamic_smem_bytes < 0)
    object.refuse("dynamic_smem_bytes", "it must not be negative", "0");
  launch.is_cooperative = object.flag("cooperative");
  launch.is_dependent = object.flag("dependent");
  return launch;
}

void read_memories(JsonObject& object, LaunchFile& file) {
  if (object.has("buffers")) {
    JsonObject buffers = object.object("buffers");
    for (const std::string& name : buffers.keys())
      file.buffers.push_back(read_buffer(buffers.object(name), name));
  }
  if (!object.has("globals")) return;
  JsonObject globals = object.object("globals");
  for (const std::string& name : globals.keys())
    file.globals.push_back(read_global(globals.object(name), name));
}

void read_launches(JsonObject& object, LaunchFile& file) {
  const auto* items = object.value("launches").as<JsonValue::Array>();
  if (items == nullptr || items->empty())
    object.refuse("launches", "it must be an array of at least one launch");
  for (JsonObject& launch : object.objects("launches")) {
    file.launches.push_back(read_launch_shape(launch));
    file.launches.back().arguments = read_arguments(launch);
    launch.refuse_unknown_keys();
  }
}

/// A file of one launch, whose arguments bring their own memory.
void read_single_launch(JsonObject& object, LaunchFile& file) {
  NamedLaunch launch = read_launch_shape(object);
  for (JsonObject& argument : object.objects("args")) {
    const std::string kind = read_word(argument, "kind", {"in", "inout", "out", "scalar", "tmap"});
    launch.arguments.push_back({argument.place(), NullPointer{}});
    Argument& read = launch.arguments.back();
    if (kind == "scalar") {
      read.value = read_scalar(argument);
    } else if (kind == "tmap") {
      const std::string of = memory_of_argument(argument.integer("of"));
      read.value = TensorMapArgument{{of}, read_tensor_map(argument)};
    } else {
      NamedBuffer& buffer = file.buffers.emplace_back();
      buffer.name = buffer.place = argument.place();
      read.value = BufferAddress{buffer.name};
      if (argument.flag("hidden")) launch.arguments.pop_back();
      if (kind == "out") {
        buffer.type = &read_type(argument, "dtype");
        buffer.shape = read_shape(argument, "shape");
      } else {
        buffer.contents = FromFile{beside(argument, argument.text("npy"))};
      }
      if (kind != "in") buffer.save = read_save(argument);
    }
    argument.refuse_unknown_keys();
  }
  file.launches.push_back(std::move(launch));
}

/// Names files from another folder.
class PathMover {
 public:
  PathMover(const std::string& from, const std::string& to)
      : from_(folder_of(from)), to_(folder_of(to)) {}

  void move(JsonValue& json) const {
    if (auto* items = json.as<JsonValue::Array>())
      for (JsonValue& item : *items) move(item);
    if (auto* members = json.as<JsonValue::Object>())
      for (auto& [name, value] : *members) {
        auto* text = value.as<std::string>();
        const bool is_path = name == "module" || name == "npy" || name == "bin" || name == "save";
        if (text == nullptr)
          move(value);
        else if (is_path && !text->empty())
          *text = (from_ / *text).lexically_relative(to_).string();
      }
  }
  [[nodiscard]] std::string moved(const std::string& path) const {
    return std::filesystem::absolute(path).lexically_relative(to_).string();
  }

 private:
  static std::filesystem::path folder_of(const std::string& path) {
    return std::filesystem::absolute(path).parent_path();
  }
  std::filesystem::path from_, to_;
};

}  // namespace

std::vector<PlannedFile> saved_files(const LaunchFile& file) {
  std::vector<PlannedFile> saved;
  for (const auto* memories : {&file.buffers, &file.globals})
    for (const NamedBuffer& memory : *memories)
      if (!memory.save.empty()) saved.push_back({memory.place + ".save", memory.save});
  return saved;
}

LaunchFile parse_launch_file(const std::string& text, const std::string& path) {
  const JsonValue json = parse_json(text, path);
  LaunchFile file{
      .path = path, .text = text, .compile = {}, .buffers = {}, .globals = {}, .launches = {}};
  JsonObject object(json, path, "");
  (void)object.text_or("$schema", "");
  if (object.has("compile")) file.compile = read_compile(object.object("compile"));
  const bool is_single = object.has("kernel") || object.has("grid") || object.has("args");
  if (object.has("launches") || !is_single) {
    (void)object.value("launches");
    const std::string module = beside(object, object.text_or("module", ""));
    read_memories(object, file);
    read_launches(object, file);
    for (NamedLaunch& launch : file.launches)
      if (launch.module.empty()) launch.module = module;
  } else {
    object.refuse_unknown_keys_but({"kernel", "module", "grid", "block", "cluster",
                                    "dynamic_smem_bytes", "cooperative", "dependent", "args"});
    read_single_launch(object, file);
  }
  object.refuse_unknown_keys();
  for (NamedLaunch& launch : file.launches) NameCheck(file).check(launch.arguments);
  check_saves(file);
  return file;
}

LaunchFile read_launch_file(const std::string& path) {
  return parse_launch_file(read_text(path), path);
}

Json launch_json(const LaunchFile& file, const std::string& path) {
  const PathMover paths(file.path, path);
  JsonValue json = parse_json(file.text, file.path);
  paths.move(json);
  const auto add_module = [&](JsonValue& launch, const NamedLaunch& read) {
    if (launch.find("module") == nullptr && !read.module.empty())
      launch.as<JsonValue::Object>()->push_back({"module", {paths.moved(read.module)}});
  };
  JsonValue* const launches = json.find("launches");
  if (launches == nullptr) add_module(json, file.launches.front());
  const bool lacks_modules = launches != nullptr && json.find("module") == nullptr;
  for (size_t i = 0; lacks_modules && i < file.launches.size(); ++i)
    add_module((*launches->as<JsonValue::Array>())[i], file.launches[i]);
  return to_json(json);
}

}  // namespace jute::command
