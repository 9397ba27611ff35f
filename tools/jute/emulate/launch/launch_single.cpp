// Launch files of one launch whose arguments bring their own memory.
#include <nlohmann/json.hpp>

#include "emulate/launch/launch_words.hpp"

namespace jute::command {
namespace {

std::string name_of(size_t index) { return "args[" + std::to_string(index) + "]"; }

class SingleLaunchReader {
 public:
  SingleLaunchReader(const LaunchFolder& folder, LaunchFile& file) : folder_(folder), file_(file) {}

  void read(JsonObject& object) {
    file_.launches.push_back(read_launch_shape(object, folder_));
    const JsonValue& arguments = object.value("args");
    if (!arguments.is_array()) object.refuse("args", "it must be an array");
    for (size_t i = 0; i < arguments.size(); ++i)
      read_argument(JsonObject(arguments[i], folder_.file, name_of(i)), i);
    for (const auto& [place, of] : maps_) check_target(place, of, arguments.size());
  }

 private:
  void read_argument(JsonObject object, size_t index) {
    const std::string kind = read_word(object, "kind", {"in", "inout", "out", "scalar", "tmap"});
    Argument argument{object.place(), NullPointer{}};
    bool is_passed = true;
    if (kind == "scalar") {
      argument.value = read_scalar(object);
    } else if (kind == "tmap") {
      argument.value = read_map(object);
    } else {
      is_passed = !object.flag("hidden");
      file_.buffers.push_back(read_memory(object, kind, index));
      argument.value = BufferAddress{name_of(index)};
    }
    object.refuse_unknown_keys();
    if (is_passed) file_.launches.back().arguments.push_back(std::move(argument));
  }

  [[nodiscard]] NamedBuffer read_memory(JsonObject& object, const std::string& kind,
                                        size_t index) const {
    NamedBuffer buffer;
    buffer.name = buffer.place = name_of(index);
    if (kind == "out") {
      buffer.type = &read_type(object, "dtype");
      buffer.shape = read_shape(object, "shape");
    } else {
      buffer.contents = FromFile{folder_.beside(object.text("npy"))};
    }
    if (kind != "in") buffer.save = read_save(object, folder_);
    return buffer;
  }

  TensorMapArgument read_map(JsonObject& object) {
    const Index of = object.integer("of");
    if (of < 0) object.refuse("of", "it must be the index of a buffer argument");
    maps_.emplace_back(object.place(), static_cast<size_t>(of));
    return {BufferAddress{name_of(static_cast<size_t>(of))}, read_tensor_map(object)};
  }

  void check_target(const std::string& place, size_t of, size_t count) const {
    for (const NamedBuffer& buffer : file_.buffers)
      if (of < count && buffer.name == name_of(of)) return;
    JsonObject::refuse_at(folder_.file, place + ".of", "it must be the index of a buffer argument");
  }

  const LaunchFolder& folder_;
  LaunchFile& file_;
  std::vector<std::pair<std::string, size_t>> maps_;
};

}  // namespace

void read_single_launch(JsonObject& object, const LaunchFolder& folder, LaunchFile& file) {
  SingleLaunchReader(folder, file).read(object);
}

}  // namespace jute::command
