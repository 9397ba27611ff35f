// Reading launches typed by hand.
#include "emulate/launch/argument_words.hpp"

#include <jute/base/error.hpp>
#include <jute/base/nearest_name.hpp>
#include <jute/base/parsed_number.hpp>
#include <jute/base/split_at.hpp>

#include <algorithm>
#include <map>

#include "command/delivery.hpp"
#include "emulate/launch/launch_words.hpp"
#include "files/files.hpp"

namespace jute::command {
namespace {

[[noreturn]] void refuse_word(const std::string& option, const std::string& word,
                              const std::string& rule,
                              const std::optional<std::string>& nearest = std::nullopt) {
  refuse(ErrorCode::syntax, option, word, rule, nearest);
}

std::optional<Number> number_in(std::string_view text) {
  if (const auto value = parsed_number<std::int64_t>(text)) return *value;
  if (const auto value = parsed_number<std::uint64_t>(text)) return *value;
  if (const auto value = parsed_number<double>(text)) return *value;
  return std::nullopt;
}

std::optional<Dim3> try_extents(const std::string& text) {
  std::vector<Index> extents;
  for (const std::string_view part : split_at(',', text)) {
    const auto extent = parsed_number<std::int32_t>(part);
    if (!extent || *extent < 1) return std::nullopt;
    extents.push_back(*extent);
  }
  if (extents.size() > 3) return std::nullopt;
  extents.resize(3, 1);
  return Dim3{extents[0], extents[1], extents[2]};
}

Dim3 extents_of(const std::string& option, const std::string& text) {
  if (const auto extents = try_extents(text)) return *extents;
  // 4x2, (4,2) and 4 2 are meant so too.
  std::string digits;
  for (const char c : text) {
    if (c >= '0' && c <= '9')
      digits += c;
    else if (c != '(' && c != ')' && c != '-' && !digits.empty() && digits.back() != ',')
      digits += ',';
  }
  refuse_word(option, text, "it must be one to three extents from 1 to 2147483647, such as 4,2,1",
              try_extents(digits) ? std::optional(digits) : std::nullopt);
}

constexpr const char* kOption = "--arg";

const ElementType& type_of(std::string_view name, const std::string& word) {
  if (const ElementType* type = find_element_type(name)) return *type;
  const std::vector<std::string> names = element_type_names();
  std::optional<std::string> nearest = nearest_name(name, names);
  if (nearest) nearest = *nearest + word.substr(name.size());
  refuse_word(kOption, word, "its element type must be one of " + joined(names), nearest);
}

Json contents_of(std::string_view text, const std::string& word, size_t begin) {
  const size_t colon = text.find(':');
  const std::string_view head = text.substr(0, colon);
  const std::string_view tail =
      colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
  if ((head == "zeros" || head == "iota") && tail.empty()) return head;
  if (head == "fill")
    if (const auto value = number_in(tail)) return {{"fill", spelled(*value)}};
  if (head == "random")
    if (const auto seed = parsed_number<std::uint64_t>(tail)) return {{"random", *seed}};
  for (const char* kind : {"npy", "bin"})
    if (text.ends_with(std::string(".") + kind)) return {{kind, text}};
  std::optional<std::string> nearest =
      nearest_name(text, std::vector<std::string>{"zeros", "iota", "fill:0", "random:0"});
  if (nearest) nearest = word.substr(0, begin) + *nearest;
  refuse_word(kOption, word,
              "memory must begin as zeros, iota, fill:NUMBER, random:SEED, FILE.npy or FILE.bin",
              nearest);
}

Json shape_of(std::string_view text, const std::string& word) {
  Json shape = Json::array();
  Index bytes = 8;
  for (const std::string_view part : split_at(',', text)) {
    const auto extent = parsed_number<Index>(part);
    if (!extent || *extent < 0 || __builtin_mul_overflow(bytes, *extent, &bytes))
      refuse_word(kOption, word, "its shape must be extents from 0, whose bytes fit 63 bits");
    shape.push_back(*extent);
  }
  return shape;
}

/// `{a,b[1,2],{c,d}}` by its own commas; nothing where a bracket has no other.
std::optional<std::vector<std::string>> fields_in(std::string_view word) {
  if (word.size() < 3 || word.back() != '}') return std::nullopt;
  std::vector<std::string> fields(1);
  int depth = 0;
  for (const char c : word.substr(1, word.size() - 2)) {
    depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
    if (depth < 0) return std::nullopt;
    if (c == ',' && depth == 0) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  const bool has_empty = std::ranges::any_of(fields, &std::string::empty);
  return depth != 0 || has_empty ? std::nullopt : std::optional(fields);
}

/// Memory that a word brings, as a launch file describes it.
struct TypedMemory {
  Json json;
  const ElementType* type = nullptr;  ///< null: what the file says
  Index offset_bytes = 0;             ///< of the address inside it
  std::string name{};
};

/// Bytes of the elements that `+N` passes over; none where no `+` stands.
Index offset_of(const std::string& word, size_t plus, const ElementType* type) {
  if (plus == std::string::npos) return 0;
  const size_t end = std::min(word.find('=', plus), word.size());
  const auto count = parsed_number<Index>(std::string_view(word).substr(plus + 1, end - plus - 1));
  Index bytes = 0;
  if (type == nullptr || !count || *count < 0 ||
      __builtin_mul_overflow(*count, type->bytes, &bytes))
    refuse_word(kOption, word,
                "behind + there must be a number of elements of memory whose type is typed");
  return bytes;
}

/// Nothing where the word brings none.
std::optional<TypedMemory> memory_of(const std::string& word) {
  const std::string_view text(word);
  const size_t open = text.find('['), close = text.find(']');
  if (open == std::string_view::npos) {
    if (!word.ends_with(".npy")) return std::nullopt;
    return TypedMemory{.json = {{"init", {{"npy", word}}}}};
  }
  const bool has_rest = close != std::string_view::npos && close + 1 < text.size();
  const bool is_inside = has_rest && text[close + 1] == '+';
  if (close == std::string_view::npos || close < open ||
      (has_rest && !is_inside && text[close + 1] != '='))
    refuse_word(kOption, word, "memory must be TYPE[SHAPE] or TYPE[SHAPE]=CONTENTS");
  const ElementType& type = type_of(text.substr(0, open), word);
  TypedMemory memory{.json = {{"dtype", type.name},
                              {"shape", shape_of(text.substr(open + 1, close - open - 1), word)}},
                     .type = &type};
  if (is_inside) memory.offset_bytes = offset_of(word, close + 1, &type);
  const size_t equals = text.find('=', close);
  if (equals != std::string_view::npos)
    memory.json.add("init", contents_of(text.substr(equals + 1), word, equals + 1));
  return memory;
}

/// A number behind its type.
struct TypedNumber {
  std::string_view type;
  Json value;
};
TypedNumber typed_number(const std::string& word) {
  const size_t colon = word.find(':');
  if (colon == std::string::npos)
    refuse_word(kOption, word,
                "it must be a number, TYPE:NUMBER, null, TYPE[SHAPE], TYPE[SHAPE]=CONTENTS, "
                "FILE.npy, @N or a structure of such, {TYPE:NUMBER,…}");
  const ElementType& type = type_of(std::string_view(word).substr(0, colon), word);
  const auto number = number_in(std::string_view(word).substr(colon + 1));
  if (!number || !encode(type, *number))
    refuse_word(kOption, word, "its value must be " + range_text(type));
  return {type.name, spelled(*number)};
}

/// Words as the launch file that says the same.
class WordReader {
 public:
  void read(const std::string& word, size_t index) {
    const std::string number = std::to_string(index);
    arguments_.push_back(argument_of(word, "launches[0].args[" + number + "]", "arg" + number, 0));
  }

  /// `NAME=f32[4]=iota`, `NAME=i32:7`, `NAME=FILE.npy`: a variable of the module.
  void read_global(const std::string& given) {
    const size_t equals = given.find('=');
    const std::string name = given.substr(0, equals);
    if (equals == std::string::npos || name.empty())
      refuse_word("--global", given,
                  "it must be NAME=TYPE[SHAPE]=CONTENTS, NAME=TYPE:NUMBER or NAME=FILE.npy");
    const std::string word = given.substr(equals + 1);
    std::optional<TypedMemory> global = memory_of(word);
    if (global && global->offset_bytes != 0)
      refuse_word("--global", given, "a variable must begin at its first element");
    if (!global) {
      const TypedNumber number = typed_number(word);
      global = TypedMemory{.json = {{"dtype", number.type}, {"init", {{"fill", number.value}}}}};
    }
    global->name = name;
    words_["globals." + name] = word;
    globals_.push_back(*std::move(global));
  }

  /// The memory that arguments bring is saved.
  void save(const std::string& output) {
    if (output.empty()) return;
    refuse_standard_output(output);
    check_suffix(output, {".npy"});
    if (buffers_.empty()) refuse_word("-o", output, "it needs an --arg that brings memory");
    for (size_t i = 0; i < buffers_.size(); ++i)
      buffers_[i].json.add("save", buffers_.size() == 1 ? output : step_path(output, i));
  }

  /// The whole with a launch's other keys.
  [[nodiscard]] LaunchFile file(Json launch) const {
    launch.add("args", arguments_);
    Json json = Json::object();
    if (!buffers_.empty()) json.add("buffers", to_json(buffers_));
    if (!globals_.empty()) json.add("globals", to_json(globals_));
    json.add("launches", Json::array({launch}));
    try {
      LaunchFile file = parse_launch_file(json.text(), "command line");
      for (NamedBuffer& buffer : file.buffers) buffer.place = buffer.name;
      for (NamedBuffer& global : file.globals) global.place = "--global " + global.name;
      tell_as_typed(file.launches.front().arguments);
      return file;
    } catch (const Exception& exception) {
      refuse_as_typed(exception.error());
    }
  }

 private:
  Json argument_of(const std::string& word, const std::string& place, const std::string& name,
                   int depth) {
    words_[place] = word;
    if (word == "null") return {};
    if (word.starts_with('{')) return structure(word, place, name, depth);
    if (word.starts_with('@')) return again(word);
    if (const auto number = number_in(word)) {
      if (depth > 0)
        refuse_word(kOption, word, "the number of a field must have a type: i32:" + word);
      return spelled(*number);
    }
    if (std::optional<TypedMemory> memory = memory_of(word)) {
      memory->name = name;
      words_["buffers." + name] = word;
      buffers_.push_back(*std::move(memory));
      return address_json(name, buffers_.back().offset_bytes);
    }
    const TypedNumber number = typed_number(word);
    return {{"kind", "scalar"}, {"dtype", number.type}, {"value", number.value}};
  }

  Json structure(const std::string& word, const std::string& place, const std::string& name,
                 int depth) {
    constexpr int kDeepest = 16;
    const auto words = fields_in(word);
    if (!words || depth >= kDeepest)
      refuse_word(kOption, word,
                  "a structure must be its fields in braces with commas between them, such as "
                  "{f32:0.5,i32:3}, at most 16 deep");
    Json fields = Json::array();
    for (size_t i = 0; i < words->size(); ++i) {
      const std::string number = std::to_string(i);
      fields.push_back(argument_of((*words)[i], place + ".fields[" + number + "]",
                                   name + "." + number, depth + 1));
    }
    return {{"kind", "struct"}, {"fields", fields}};
  }

  [[nodiscard]] Json again(const std::string& word) const {
    const size_t plus = word.find('+');
    for (const TypedMemory& buffer : buffers_)
      if ("@" + buffer.name.substr(3) == word.substr(0, plus))
        return address_json(buffer.name, offset_of(word, plus, buffer.type));
    refuse_word(kOption, word, "@N must name an argument before it that brings memory");
  }

  static Json to_json(const std::vector<TypedMemory>& memories) {
    Json json = Json::object();
    for (const TypedMemory& memory : memories) json.add(memory.name, memory.json);
    return json;
  }

  void tell_as_typed(std::vector<Argument>& arguments) const {
    for (Argument& argument : arguments) {
      argument.place = kOption + (" " + words_.at(argument.place));
      if (auto* structure = std::get_if<FieldsArgument>(&argument.value))
        tell_as_typed(structure->fields);
    }
  }

  /// The word that made what is refused: the longest of those whose place its place begins with.
  [[noreturn]] void refuse_as_typed(const Error& error) const {
    const auto word = std::find_if(words_.rbegin(), words_.rend(), [&](const auto& each) {
      return error.value.starts_with(each.first);
    });
    if (word == words_.rend()) throw Exception(error);
    refuse_word(kOption, word->second, error.violated_rules.front());
  }

  Json arguments_ = Json::array();
  std::vector<TypedMemory> buffers_, globals_;
  std::map<std::string, std::string> words_;  ///< by places in the file
};

}  // namespace

LaunchFile launch_of_words(const LaunchWords& words, const std::string& module) {
  WordReader reader;
  for (size_t i = 0; i < words.arguments.size(); ++i) reader.read(words.arguments[i], i);
  for (const std::string& global : words.globals) reader.read_global(global);
  reader.save(words.output);
  const auto extents = [](const std::string& option, const std::string& text) {
    return to_json(extents_of(option, text.empty() ? "1" : text));
  };
  Json launch{{"kernel", words.kernel},
              {"module", module},
              {"grid", extents("--grid", words.grid)},
              {"block", extents("--block", words.block)}};
  if (!words.cluster.empty()) launch.add("cluster", extents("--cluster", words.cluster));
  if (words.dynamic_smem_bytes != 0) launch.add("dynamic_smem_bytes", words.dynamic_smem_bytes);
  if (words.is_cooperative) launch.add("cooperative", true);
  return reader.file(std::move(launch));
}

}  // namespace jute::command
