// Reading launches typed by hand.
#include "emulate/launch/argument_words.hpp"

#include <jute/base/error.hpp>
#include <jute/base/nearest_name.hpp>

#include <algorithm>
#include <charconv>

#include "command/delivery.hpp"
#include "files/files.hpp"

namespace jute::command {
namespace {

[[noreturn]] void refuse_word(const std::string& option, const std::string& word,
                              const std::string& rule,
                              const std::optional<std::string>& nearest = std::nullopt) {
  refuse(ErrorCode::syntax, option, word, rule, nearest);
}

template <class T>
std::optional<T> parsed(std::string_view text) {
  T value{};
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<Number> number_in(std::string_view text) {
  if (const auto value = parsed<std::int64_t>(text)) return *value;
  if (const auto value = parsed<std::uint64_t>(text)) return *value;
  if (const auto value = parsed<double>(text)) return *value;
  return std::nullopt;
}

std::vector<std::string_view> split(std::string_view text, char mark) {
  std::vector<std::string_view> parts;
  for (;;) {
    const size_t at = text.find(mark);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::optional<Dim3> try_extents(const std::string& text) {
  std::vector<Index> extents;
  for (const std::string_view part : split(text, ',')) {
    const auto extent = parsed<std::int32_t>(part);
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

Contents contents_of(std::string_view text, const std::string& word, size_t begin) {
  const size_t colon = text.find(':');
  const std::string_view head = text.substr(0, colon);
  const std::string_view tail =
      colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
  if (head == "zeros" && tail.empty()) return FillNumber{std::int64_t{0}};
  if (head == "iota" && tail.empty()) return Iota{std::int64_t{0}, std::int64_t{1}};
  if (head == "fill")
    if (const auto value = number_in(tail)) return FillNumber{*value};
  if (head == "random")
    if (const auto seed = parsed<std::uint64_t>(tail)) return Random{*seed, {}, {}};
  if (text.ends_with(".npy")) return FromFile{std::string(text), true};
  if (text.ends_with(".bin")) return FromFile{std::string(text), false};
  std::optional<std::string> nearest =
      nearest_name(text, std::vector<std::string>{"zeros", "iota", "fill:0", "random:0"});
  if (nearest) nearest = word.substr(0, begin) + *nearest;
  refuse_word(kOption, word,
              "memory must begin as zeros, iota, fill:NUMBER, random:SEED, FILE.npy or FILE.bin",
              nearest);
}

std::vector<Index> shape_of(std::string_view text, const std::string& word) {
  std::vector<Index> shape;
  Index bytes = 8;
  for (const std::string_view part : split(text, ',')) {
    const auto extent = parsed<Index>(part);
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

/// Arguments in order; those that bring memory add buffers.
class WordReader {
 public:
  explicit WordReader(LaunchFile& file) : file_(file) {}

  void read(const std::string& word, size_t index) {
    file_.launches.front().arguments.push_back(argument_of(word, "arg" + std::to_string(index), 0));
  }

  /// `NAME=f32[4]=iota`, `NAME=i32:7`, `NAME=FILE.npy`: a variable of the module.
  void read_global(const std::string& given) {
    const size_t equals = given.find('=');
    const std::string name = given.substr(0, equals);
    if (equals == std::string::npos || name.empty())
      refuse_word("--global", given,
                  "it must be NAME=TYPE[SHAPE]=CONTENTS, NAME=TYPE:NUMBER or NAME=FILE.npy");
    const std::string word = given.substr(equals + 1);
    NamedBuffer global;
    if (word.find('[') != std::string::npos) {
      Index offset = 0;
      global = memory(word, offset);
      if (offset != 0) refuse_word("--global", given, "a variable must begin at its first element");
    } else if (word.ends_with(".npy")) {
      global.contents = FromFile{word};
    } else {
      global.type = typed(word).type;
      global.contents = FillNumber{*number_in(std::string_view(word).substr(word.find(':') + 1))};
    }
    global.name = name;
    global.place = "--global " + name;
    file_.globals.push_back(std::move(global));
  }

 private:
  Argument argument_of(const std::string& word, const std::string& name, int depth) {
    Argument argument{kOption + (" " + word), NullPointer{}};
    name_ = name;
    if (word == "null") {
      // as it is
    } else if (word.starts_with('{')) {
      argument.value = structure(word, name, depth);
    } else if (word.starts_with('@')) {
      argument.value = again(word);
    } else if (const auto number = number_in(word)) {
      if (depth > 0)
        refuse_word(kOption, word, "the number of a field must have a type: i32:" + word);
      argument.value = PlainNumber{*number};
    } else if (word.find('[') != std::string::npos) {
      Index offset = 0;
      NamedBuffer buffer = memory(word, offset);
      argument.value = add(std::move(buffer), offset);
    } else if (word.ends_with(".npy")) {
      NamedBuffer buffer;
      buffer.contents = FromFile{word};
      argument.value = add(std::move(buffer));
    } else {
      argument.value = typed(word);
    }
    return argument;
  }

  FieldsArgument structure(const std::string& word, const std::string& name, int depth) {
    constexpr int kDeepest = 16;
    const auto words = fields_in(word);
    if (!words || depth >= kDeepest)
      refuse_word(kOption, word,
                  "a structure must be its fields in braces with commas between them, such as "
                  "{f32:0.5,i32:3}, at most 16 deep");
    FieldsArgument fields;
    for (size_t i = 0; i < words->size(); ++i)
      fields.fields.push_back(argument_of((*words)[i], name + "." + std::to_string(i), depth + 1));
    return fields;
  }

  [[nodiscard]] BufferAddress again(const std::string& word) const {
    const size_t plus = word.find('+');
    for (const NamedBuffer& buffer : file_.buffers)
      if ("@" + buffer.name.substr(3) == word.substr(0, plus))
        return {buffer.name, offset_of(word, plus, buffer.type)};
    refuse_word(kOption, word, "@N must name an argument before it that brings memory");
  }

  /// Bytes of the elements that `+N` passes over; none where no `+` stands.
  static Index offset_of(const std::string& word, size_t plus, const ElementType* type) {
    if (plus == std::string::npos) return 0;
    const size_t end = std::min(word.find('=', plus), word.size());
    const auto count = parsed<Index>(std::string_view(word).substr(plus + 1, end - plus - 1));
    Index bytes = 0;
    if (type == nullptr || !count || *count < 0 ||
        __builtin_mul_overflow(*count, type->bytes, &bytes))
      refuse_word(kOption, word,
                  "behind + there must be a number of elements of memory whose type is typed");
    return bytes;
  }

  static ScalarArgument typed(const std::string& word) {
    const size_t colon = word.find(':');
    if (colon == std::string::npos)
      refuse_word(kOption, word,
                  "it must be a number, TYPE:NUMBER, null, TYPE[SHAPE], TYPE[SHAPE]=CONTENTS, "
                  "FILE.npy, @N or a structure of such, {TYPE:NUMBER,…}");
    const ElementType& type = type_of(std::string_view(word).substr(0, colon), word);
    const auto number = number_in(std::string_view(word).substr(colon + 1));
    const auto bits = number ? encode(type, *number) : std::nullopt;
    if (!bits) refuse_word(kOption, word, "its value must be " + range_text(type));
    return {&type, *bits};
  }

  static NamedBuffer memory(const std::string& word, Index& offset_bytes) {
    const std::string_view text(word);
    const size_t open = text.find('['), close = text.find(']');
    const bool has_rest = close != std::string_view::npos && close + 1 < text.size();
    const bool is_inside = has_rest && text[close + 1] == '+';
    if (close == std::string_view::npos || close < open ||
        (has_rest && !is_inside && text[close + 1] != '='))
      refuse_word(kOption, word, "memory must be TYPE[SHAPE] or TYPE[SHAPE]=CONTENTS");
    NamedBuffer buffer;
    buffer.type = &type_of(text.substr(0, open), word);
    buffer.shape = shape_of(text.substr(open + 1, close - open - 1), word);
    if (is_inside) offset_bytes = offset_of(word, close + 1, buffer.type);
    const size_t equals = text.find('=', close);
    if (equals != std::string_view::npos)
      buffer.contents = contents_of(text.substr(equals + 1), word, equals + 1);
    check(buffer, word);
    return buffer;
  }

  static void check(const NamedBuffer& buffer, const std::string& word) {
    try {
      (void)made_bytes(buffer.contents, *buffer.type, 1);
    } catch (const Exception& exception) {
      refuse_word(kOption, word, exception.error().value + " must be " + range_text(*buffer.type));
    }
  }

  BufferAddress add(NamedBuffer buffer, Index offset_bytes = 0) {
    buffer.name = buffer.place = name_;
    file_.buffers.push_back(std::move(buffer));
    return {name_, offset_bytes};
  }

  LaunchFile& file_;
  std::string name_;
};

}  // namespace

LaunchFile launch_of_words(const LaunchWords& words, const std::string& module) {
  LaunchFile file{
      .path = "command line", .compile = {}, .buffers = {}, .globals = {}, .launches = {}};
  NamedLaunch launch;
  launch.module = module;
  launch.kernel = words.kernel;
  launch.grid = extents_of("--grid", words.grid.empty() ? "1" : words.grid);
  launch.block = extents_of("--block", words.block.empty() ? "1" : words.block);
  if (!words.cluster.empty()) launch.cluster = extents_of("--cluster", words.cluster);
  launch.dynamic_smem_bytes = words.dynamic_smem_bytes;
  launch.is_cooperative = words.is_cooperative;
  file.launches.push_back(std::move(launch));
  WordReader reader(file);
  for (size_t i = 0; i < words.arguments.size(); ++i) reader.read(words.arguments[i], i);
  for (const std::string& global : words.globals) reader.read_global(global);
  if (words.output.empty()) return file;
  refuse_standard_output(words.output);
  check_suffix(words.output, {".npy"});
  if (file.buffers.empty()) refuse_word("-o", words.output, "it needs an --arg that brings memory");
  for (size_t i = 0; i < file.buffers.size(); ++i)
    file.buffers[i].save = file.buffers.size() == 1 ? words.output : step_path(words.output, i);
  return file;
}

}  // namespace jute::command
