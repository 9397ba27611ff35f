// Reading LAUNCH.json, with every rule of the file itself checked before anything runs.
#include "emulate/launch/launch_file.hpp"

#include <jute/base/nearest_name.hpp>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "emulate/launch/launch_words.hpp"

namespace jute::command {
namespace {

/// throws  bad_file: an argument names memory that the file does not
class NameCheck {
 public:
  explicit NameCheck(const LaunchFile& file) : file_(file) {
    for (const NamedBuffer& buffer : file.buffers) names_.push_back(buffer.name);
  }
  void check(const std::vector<Argument>& arguments) const {
    for (const Argument& argument : arguments) {
      if (const auto* address = std::get_if<BufferAddress>(&argument.value))
        check(address->buffer, argument.place);
      if (const auto* map = std::get_if<TensorMapArgument>(&argument.value))
        check(map->of.buffer, argument.place + ".of");
      if (const auto* texture = std::get_if<TextureArgument>(&argument.value))
        check(texture->of.buffer, argument.place + ".of");
      if (const auto* fields = std::get_if<FieldsArgument>(&argument.value)) check(fields->fields);
    }
  }

 private:
  void check(const std::string& name, const std::string& place) const {
    if (std::ranges::find(names_, name) != names_.end()) return;
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
  if (object.has("options")) {
    const JsonValue& json = object.value("options");
    if (!json.is_array() ||
        !std::ranges::all_of(json, [](const JsonValue& each) { return each.is_string(); }))
      object.refuse("options", "it must be an array of strings");
    choices.options = json.get<std::vector<std::string>>();
  }
  object.refuse_unknown_keys();
  return choices;
}

void read_memories(JsonObject& object, const LaunchFolder& folder, LaunchFile& file) {
  if (object.has("buffers")) {
    JsonObject buffers = object.object("buffers");
    for (const std::string& name : buffers.keys())
      file.buffers.push_back(read_buffer(buffers.object(name), name, folder));
  }
  if (!object.has("globals")) return;
  JsonObject globals = object.object("globals");
  for (const std::string& name : globals.keys())
    file.globals.push_back(read_global(globals.object(name), name, folder));
}

void read_launches(JsonObject& object, const LaunchFolder& folder, LaunchFile& file) {
  const JsonValue& launches = object.value("launches");
  if (!launches.is_array() || launches.empty())
    object.refuse("launches", "it must be an array of at least one launch");
  for (size_t i = 0; i < launches.size(); ++i) {
    JsonObject launch(launches[i], file.path, "launches[" + std::to_string(i) + "]");
    file.launches.push_back(read_launch_shape(launch, folder));
    NamedLaunch& read = file.launches.back();
    const JsonValue& arguments = launch.value("args");
    if (!arguments.is_array()) launch.refuse("args", "it must be an array");
    for (size_t a = 0; a < arguments.size(); ++a)
      read.arguments.push_back(
          read_argument(arguments[a], read.place + ".args[" + std::to_string(a) + "]", folder));
    launch.refuse_unknown_keys();
  }
}

}  // namespace

std::vector<PlannedFile> saved_files(const LaunchFile& file) {
  std::vector<PlannedFile> saved;
  for (const auto* memories : {&file.buffers, &file.globals})
    for (const NamedBuffer& memory : *memories)
      if (!memory.save.empty()) saved.push_back({memory.place + ".save", memory.save});
  return saved;
}

NamedLaunch read_launch_shape(JsonObject& object, const LaunchFolder& folder) {
  NamedLaunch launch;
  launch.place = object.place();
  launch.module = folder.beside(object.text_or("module", ""));
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

LaunchFile parse_launch_file(const std::string& text, const std::string& path) {
  const JsonValue json = parse_json(text, path);
  const LaunchFolder folder(path);
  LaunchFile file{.path = path, .compile = {}, .buffers = {}, .globals = {}, .launches = {}};
  JsonObject object(json, path, "");
  (void)object.text_or("$schema", "");
  if (object.has("compile")) file.compile = read_compile(object.object("compile"));
  const bool is_single = object.has("kernel") || object.has("grid") || object.has("args");
  if (object.has("launches") || !is_single) {
    (void)object.value("launches");
    const std::string module = folder.beside(object.text_or("module", ""));
    read_memories(object, folder, file);
    read_launches(object, folder, file);
    for (NamedLaunch& launch : file.launches)
      if (launch.module.empty()) launch.module = module;
  } else {
    object.refuse_unknown_keys_but({"kernel", "module", "grid", "block", "cluster",
                                    "dynamic_smem_bytes", "cooperative", "dependent", "args"});
    read_single_launch(object, folder, file);
  }
  object.refuse_unknown_keys();
  for (const NamedLaunch& launch : file.launches) NameCheck(file).check(launch.arguments);
  check_saves(file);
  return file;
}

LaunchFile read_launch_file(const std::string& path) {
  return parse_launch_file(read_text(path), path);
}

}  // namespace jute::command
