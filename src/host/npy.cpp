// Reader and writer of .npy files, as strict as the format allows.
#include <jute/base/checked.hpp>
#include <jute/base/refuse.hpp>
#include <jute/host/array_types.hpp>
#include <jute/host/npy.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <utility>

namespace jute {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr size_t kMostHeaderBytes = size_t{1} << 20;
constexpr size_t kMostDimensions = 32;

[[noreturn]] void refuse_npy(const std::string& name, std::string rule) {
  throw Exception(
      {.code = ErrorCode::bad_file, .operand = name, .violated_rules = {std::move(rule)}});
}

// Every element type that numpy writes and this reader knows; V are the types that ml_dtypes adds.
constexpr std::array<std::string_view, 15> kSpellings{"<f2", "<f4", "<f8", "|i1", "|u1",
                                                      "<i4", "<u2", "<i2", "<u4", "<i8",
                                                      "<u8", "|b1", "<V2", "|V2", "|V1"};

/// The type of elements by their spelling alone.
std::optional<DType> numpys_type(std::string_view descr) {
  for (const ArrayType& row : array_types())
    if (row.is_numpys && row.npy == descr) return row.type;
  return std::nullopt;
}

Index element_bytes(std::string_view descr, const std::string& name) {
  if (std::ranges::count(kSpellings, descr) > 0) return descr.back() - '0';
  if (descr.starts_with('>'))
    refuse_npy(name, "its elements must be little-endian, not big-endian (" + std::string(descr) +
                         "): save it with array.astype(array.dtype.newbyteorder('<'))");
  if (names_complex_type(descr))
    refuse_npy(name, std::string(rule_of_complex_types()) + " (" + std::string(descr) + ")");
  std::string known;
  for (const std::string_view each : kSpellings)
    known += (known.empty() ? "" : " ") + std::string(each);
  refuse_npy(name, "its element type '" + std::string(descr) + "' must be one of " + known);
}

/// The Python dictionary of a header: exactly the keys descr, fortran_order and shape.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  NpyArray parse() {
    NpyArray array;
    expect('{');
    while (!accept('}')) {
      read_entry(array);
      if (accept(',')) continue;
      expect('}');
      break;
    }
    skip_spaces();
    if (at_ != text_.size()) wrong("nothing must follow the closing brace");
    for (const Key& key : keys_)
      if (!key.seen) refuse_npy(name_, "its header must have '" + std::string(key.name) + "'");
    return array;
  }

 private:
  struct Key {
    std::string_view name;
    bool seen = false;
  };

  [[noreturn]] void wrong(const std::string& what) const {
    refuse_npy(name_, "its header must be well formed; at character " + std::to_string(at_ + 1) +
                          " " + what);
  }

  void skip_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t'))
      ++at_;
  }
  bool accept(char c) {
    skip_spaces();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) wrong(std::string("it must be '") + c + "'");
  }

  std::string read_string() {
    skip_spaces();
    if (at_ < text_.size() && text_[at_] == '[')
      refuse_npy(name_, "it must hold plain numbers, not records");
    if (at_ >= text_.size() || (text_[at_] != '\'' && text_[at_] != '"'))
      wrong("it must be a quoted string");
    const char quote = text_[at_++];
    const size_t end = text_.find(quote, at_);
    if (end == std::string_view::npos) wrong("a string must have an end");
    const std::string_view value = text_.substr(at_, end - at_);
    const bool plain = std::ranges::all_of(
        value, [](char c) { return c > ' ' && c < 127 && c != '\\' && c != '\''; });
    if (!plain || value.empty()) wrong("it must be a plain name");
    at_ = end + 1;
    return std::string(value);
  }

  bool read_bool() {
    skip_spaces();
    for (const auto& [word, value] : {std::pair{"True", true}, std::pair{"False", false}})
      if (text_.substr(at_).starts_with(word)) {
        at_ += std::string_view(word).size();
        return value;
      }
    wrong("it must be True or False");
  }

  Index read_extent() {
    skip_spaces();
    Index value = 0;
    const char* first = text_.data() + at_;
    const auto [end, status] = std::from_chars(first, text_.data() + text_.size(), value);
    if (status == std::errc::result_out_of_range) wrong("an extent must fit 64 bits");
    if (status != std::errc() || value < 0) wrong("it must be a non-negative integer");
    at_ += static_cast<size_t>(end - first);
    if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // how Python 2 wrote long integers
    return value;
  }

  std::vector<Index> read_shape() {
    std::vector<Index> shape;
    expect('(');
    while (!accept(')')) {
      shape.push_back(read_extent());
      if (shape.size() > kMostDimensions) wrong("it must have at most 32 dimensions");
      if (accept(',')) continue;
      expect(')');
      if (shape.size() == 1) wrong("a tuple of one extent must end with a comma");
      break;
    }
    return shape;
  }

  void read_entry(NpyArray& array) {
    const std::string key = read_string();
    const auto found = std::ranges::find(keys_, key, &Key::name);
    if (found == keys_.end()) refuse_npy(name_, "its header must not have the key '" + key + "'");
    if (found->seen) refuse_npy(name_, "its header must have '" + key + "' once");
    found->seen = true;
    expect(':');
    if (key == "descr") array.descr = read_string();
    if (key == "fortran_order") array.fortran_order = read_bool();
    if (key == "shape") array.shape = read_shape();
  }

  std::string_view text_;
  const std::string& name_;
  size_t at_ = 0;
  std::array<Key, 3> keys_{{{"descr"}, {"fortran_order"}, {"shape"}}};
};

std::string shape_text(const std::vector<Index>& shape) {
  std::string text = "(";
  for (const Index extent : shape) {
    if (text.size() > 1) text += ", ";
    text += std::to_string(extent);
  }
  return text + (shape.size() == 1 ? ",)" : ")");
}

Index promised_bytes(const NpyArray& array, const std::string& name) {
  Index bytes = element_bytes(array.descr, name);
  try {
    for (const Index extent : array.shape) bytes = checked_mul(bytes, extent);
  } catch (const Exception&) {
    refuse_npy(name, "its shape " + shape_text(array.shape) +
                         " must have no more bytes than 64 bits can count");
  }
  return bytes;
}

/// Where the header's text lies in the file.
std::string_view header_of(std::string_view file, const std::string& name) {
  if (!file.starts_with(kMagic)) {
    if (kMagic.starts_with(file))
      refuse_npy(name, "it must be whole: it ends within the .npy magic");
    refuse_npy(name, "it must be a .npy file, which begins with \\x93NUMPY");
  }
  size_t at = kMagic.size() + 2;
  if (file.size() < at) refuse_npy(name, "it must be whole: it ends within the header");
  const int major = static_cast<unsigned char>(file[kMagic.size()]);
  const int minor = static_cast<unsigned char>(file[kMagic.size() + 1]);
  if (major < 1 || major > 3 || minor != 0)
    refuse_npy(name, "its format version " + std::to_string(major) + "." + std::to_string(minor) +
                         " must be one of 1.0, 2.0, 3.0");
  const size_t length_bytes = major == 1 ? 2 : 4;
  if (file.size() < at + length_bytes)
    refuse_npy(name, "it must be whole: it ends within the header");
  size_t length = 0;
  for (size_t i = length_bytes; i-- > 0;)
    length = length << 8 | static_cast<unsigned char>(file[at + i]);
  at += length_bytes;
  if (length > kMostHeaderBytes)
    refuse_npy(name, "its header of " + std::to_string(length) + " bytes must be no longer than " +
                         std::to_string(kMostHeaderBytes));
  if (file.size() - at < length)
    refuse_npy(name, "its header of " + std::to_string(length) +
                         " bytes must be whole; it is cut short after " +
                         std::to_string(file.size() - at));
  return file.substr(at, length);
}

}  // namespace

NpyArray parse_npy(std::vector<std::byte> file, const std::string& name) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  const std::string_view header = header_of(text, name);
  NpyArray array = HeaderParser(header, name).parse();
  const Index promised = promised_bytes(array, name);
  const auto data_at = (header.data() - text.data()) + static_cast<std::ptrdiff_t>(header.size());
  const auto present = static_cast<Index>(file.size()) - data_at;
  if (promised != present)
    refuse_npy(name, "its shape " + shape_text(array.shape) + " of " + array.descr + " needs " +
                         std::to_string(promised) + " bytes, but " + std::to_string(present) +
                         " follow the header");
  file.erase(file.begin(), file.begin() + data_at);
  array.bytes = std::move(file);
  return array;
}

NpyArray parse_npy_header(std::span<const std::byte> start, const std::string& name) {
  const std::string_view text(reinterpret_cast<const char*>(start.data()), start.size());
  return HeaderParser(header_of(text, name), name).parse();
}

std::string npy_header(const NpyArray& array) {
  std::string text = "{'descr': '" + array.descr +
                     "', 'fortran_order': " + (array.fortran_order ? "True" : "False") +
                     ", 'shape': " + shape_text(array.shape) + ", }";
  constexpr size_t kPrefixBytes = 10;
  constexpr size_t kAlignment = 64;
  const size_t unpadded = kPrefixBytes + text.size() + 1;
  text.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ');
  text += '\n';
  std::string header(kMagic);
  header += '\x01';
  header += '\x00';
  header += static_cast<char>(text.size() & 0xFF);
  header += static_cast<char>(text.size() >> 8);
  return header + text;
}

std::string_view npy_descr(DType type) { return array_type(type).npy; }

std::optional<GroupIndex> index_type(const NpyArray& array) {
  if (array.descr == "<i4") return GroupIndex::i32;
  return array.descr == "<i8" ? std::optional(GroupIndex::i64) : std::nullopt;
}

std::optional<DType> round_elements(NpyArray& array, DType type) {
  const std::optional<DType> own = numpys_type(array.descr);
  if (!own || is_integer(*own) || is_integer(type) || npy_descr(type) == array.descr)
    return std::nullopt;
  constexpr size_t kAtOnce = 1 << 16;  // as doubles a whole file would not fit everywhere
  const auto from = static_cast<size_t>(width_bytes(*own));
  std::vector<std::byte> rounded;
  rounded.reserve(array.bytes.size() / from * static_cast<size_t>(width_bytes(type)));
  for (std::span<const std::byte> rest(array.bytes); !rest.empty();) {
    const auto some = rest.first(std::min(rest.size(), kAtOnce * from));
    const auto part = encode(type, decode(*own, some));
    rounded.insert(rounded.end(), part.begin(), part.end());
    rest = rest.subspan(some.size());
  }
  array.descr = npy_descr(type);
  array.bytes = std::move(rounded);
  return own;
}

namespace {

bool is_raw(const NpyArray& array) { return array.descr.find('V') != std::string::npos; }

bool travels_as(const NpyArray& array, DType type) {
  const std::string_view descr = npy_descr(type);
  return descr == array.descr ||
         (is_raw(array) && !is_integer(type) && descr.back() == array.descr.back());
}

[[noreturn]] void refuse_type(const NpyArray& array, const TypedName& name, std::string rule) {
  refuse(ErrorCode::unsupported, name.file, array.descr, std::move(rule));
}

}  // namespace

DType element_type(const NpyArray& array, std::optional<DType> asked, const TypedName& name) {
  if (asked && !travels_as(array, *asked))
    refuse_type(array, name,
                std::string(jute::name(*asked)) + " must travel as " +
                    std::string(npy_descr(*asked)) + " in .npy files");
  if (asked) return *asked;
  if (const std::optional<DType> own = numpys_type(array.descr)) return *own;
  const bool two_bytes = array.descr == "<u2" || array.descr.ends_with("V2");
  const bool one_byte = array.descr.ends_with("V1");
  const std::string needs = " that hold the bits of another type need its name: " + name.option;
  if (two_bytes) refuse_type(array, name, "two bytes" + needs + "bf16");
  if (one_byte) refuse_type(array, name, "bytes" + needs + "e4m3");
  refuse_type(array, name, "it must be an element type that kernels multiply");
}

DType usual_or_own_type(const NpyArray& array, DType usual, const TypedName& name) {
  return element_type(array, travels_as(array, usual) ? std::optional(usual) : std::nullopt, name);
}

}  // namespace jute
