// Reading a user's row: texts become an atom, and every text that does not is one broken rule.
#include <jute/atom/catalogue.hpp>

#include <jute/base/nearest_name.hpp>
#include <jute/base/parsed_number.hpp>
#include <jute/base/refuse.hpp>

#include <algorithm>
#include <array>
#include <tuple>

namespace jute {
namespace {

// clang-format off
constexpr std::array<std::string_view, 33> kMmaKeys = {
    "id", "name", "template_args", "arch", "shape_mnk", "thr_id", "a_layout", "b_layout", "c_layout",
    "d_type", "a_type", "b_type", "c_type", "form", "ptx", "isa", "source", "a_major", "b_major",
    "d_registers", "a_registers", "b_registers", "c_registers", "threads", "sparse", "block_scaled",
    "e_layout", "e_type", "sfa_layout", "sfb_layout", "sf_type", "sf_vec", "kind"};
constexpr std::array<std::string_view, 17> kCopyKeys = {
    "id", "name", "arch", "thr_id", "src_layout", "dst_layout", "ref_layout", "form", "ptx", "isa",
    "source", "threads", "kind", "executed_dst_layout",
    "type", "box", "smem_swizzle"};
// clang-format on

/// Access to the fields of one row; collects what is wrong with them.
class RowReader {
 public:
  explicit RowReader(const AtomText& row) : row_(row) {}

  [[nodiscard]] bool has(std::string_view key) const { return find(key) != nullptr; }
  /// The text of a field; one that is absent or empty is a broken rule unless there is a default.
  std::string text(std::string_view key, const char* otherwise = nullptr) {
    if (const std::string* value = find(key); value != nullptr && !value->empty()) return *value;
    if (otherwise == nullptr) broken_.push_back("a row must have " + std::string(key));
    return otherwise == nullptr ? "" : otherwise;
  }
  /// The field read by `parse`; a refusal of `parse` is a broken rule.
  template <class Value, class Parse>
  Value parsed(std::string_view key, Parse parse, const char* otherwise = nullptr) {
    const std::string value = text(key, otherwise);
    if (value.empty()) return Value{};
    try {
      return parse(value);
    } catch (const Exception& refusal) {
      // Not what(), which ends at a NUL of the text.
      const Error& error = refusal.error();
      broken_.push_back(std::string(key) + ": " + std::string(code_name(error.code)) + ": " +
                        to_string(error));
      return Value{};
    }
  }
  Layout layout(std::string_view key, const char* otherwise = nullptr) {
    return parsed<Layout>(
        key, [](const std::string& value) { return Layout(value); }, otherwise);
  }
  ValueType type(std::string_view key, const char* otherwise = nullptr) {
    return parsed<ValueType>(
        key, [](const std::string& value) { return parse_value_type(value); }, otherwise);
  }
  void refuse(std::string rule) { broken_.push_back(std::move(rule)); }
  [[nodiscard]] std::vector<std::string> broken() const { return broken_; }

  template <class Keys>
  void check_keys(const Keys& known) {
    std::vector<std::string> seen;
    for (const auto& [key, value] : row_.fields) {
      if (std::ranges::find(known, key) == known.end()) {
        const std::vector<std::string> names(known.begin(), known.end());
        const auto near = nearest_name(key, names);
        refuse("'" + key + "' must be a field of such a row" + (near ? "; nearest: " + *near : ""));
      }
      if (std::ranges::find(seen, key) != seen.end()) refuse("'" + key + "' must stand once");
      seen.push_back(key);
    }
  }

 private:
  [[nodiscard]] const std::string* find(std::string_view key) const {
    for (const auto& [name, value] : row_.fields)
      if (name == key) return &value;
    return nullptr;
  }
  const AtomText& row_;
  std::vector<std::string> broken_;
};

[[noreturn]] void refuse_text(std::string_view what, const std::string& value, std::string rule) {
  jute::refuse(ErrorCode::syntax, std::string(what), value, std::move(rule));
}

int parse_extent(const std::string& text) {
  const auto value = parsed_number<int>(text);
  if (!value) refuse_text("extent", text, "an extent must be a decimal number");
  return *value;
}

ShapeMnk parse_shape(const std::string& text) {
  const IntTuple tuple(text);
  if (!tuple.is_tuple() || tuple.rank() != 3 || tuple.leaf_count() != 3)
    refuse_text("shape_mnk", text, "shape_mnk must have three extents: (M,N,K)");
  const std::vector<Index> extents = tuple.leaves();
  for (const Index extent : extents)
    if (extent < 1 || extent > 4096)
      refuse_text("shape_mnk", text, "M, N and K must lie in 1..4096");
  return {static_cast<int>(extents[0]), static_cast<int>(extents[1]), static_cast<int>(extents[2])};
}

/// Architectures that instructions may need although no kernel is generated for them.
constexpr Arch kOnlyOfAtoms[] = {{50}, {52}, {53}, {60}, {61}, {62}, {103}, {103, 'a'}};

/// "any", "sm90a", "sm_90a".
Arch parse_atom_arch(const std::string& text) {
  if (text == "any") return {};
  for (const Arch arch : kOnlyOfAtoms)
    if (text == arch_text(arch) || text == to_string(arch)) return arch;
  if (text.starts_with("sm") && !text.starts_with("sm_")) return parse_arch("sm_" + text.substr(2));
  return parse_arch(text);
}

PtxVersion parse_isa(const std::string& text) {
  const auto dot = text.find('.');
  if (dot == std::string::npos)
    refuse_text("isa", text, "a PTX ISA version must be written as 8.0");
  return {parse_extent(text.substr(0, dot)), parse_extent(text.substr(dot + 1))};
}

Major parse_major(const std::string& text) {
  if (text == "K") return Major::k;
  if (text != "MN") refuse_text("major", text, "a major must be MN or K");
  return Major::mn;
}

/// "b32" or, as it is printed, "4 x b32"; nothing: as the form passes it.
RegisterType register_type(RowReader& row, std::string_view key, MmaForm form, Operand operand,
                           const ValueType& type) {
  std::string text = row.text(key, "");
  if (const auto times = text.find(" x "); times != std::string::npos) text.erase(0, times + 3);
  if (text.empty()) return default_register(form, operand, type);
  if (const auto found = find_register_type(text)) return *found;
  row.refuse(std::string(key) +
             " must be one of value, b16, b32, b64, f32, f64, smem_descriptor, "
             "tmem_address, with a count as in \"4 x b32\" or without");
  return RegisterType::b32;
}

/// A count in front of a register type must be the one that follows from the layout.
void check_count(RowReader& row, std::string_view key, const MmaAtom& atom, Operand operand) {
  const std::string text = row.text(key, "");
  const auto times = text.find(" x ");
  if (times == std::string::npos) return;
  const std::string derived = std::to_string(registers(atom, operand));
  if (text.substr(0, times) != derived)
    row.refuse(std::string(key) + " must be what follows from layout and type: " + derived);
}

template <class Form, class Find>
Form parse_form(RowReader& row, Find find, const char* otherwise) {
  const std::string text = row.text("form", otherwise);
  if (const auto form = find(text)) return *form;
  row.refuse("'" + text + "' must be a form of such an atom");
  return Form{};
}

/// The form that a mnemonic has when the row does not say it.
const char* guessed_form(const std::string& ptx) {
  if (ptx.empty()) return "fma";
  if (ptx.starts_with("dp")) return "dp";
  if (ptx.starts_with("wgmma")) return "wgmma_ss";
  if (ptx.starts_with("tcgen05")) return "tcgen05_ss";
  return "mma";
}
const char* guessed_copy_form(const std::string& ptx) {
  if (ptx.empty()) return "universal";
  if (ptx.starts_with("ldmatrix")) return "ldmatrix";
  if (ptx.starts_with("stmatrix")) return "stmatrix";
  if (ptx.starts_with("movmatrix")) return "movmatrix";
  if (ptx.starts_with("cp.async.bulk.tensor")) return "tma_load";
  if (ptx.starts_with("cp.async")) return "cp_async";
  if (ptx.starts_with("tcgen05.ld")) return "tmem_load";
  return ptx.starts_with("tcgen05.st") ? "tmem_store" : "ld_global";
}

void read_registers(RowReader& row, MmaAtom& atom) {
  const MmaForm form = atom.form;
  atom.d_register = register_type(row, "d_registers", form, Operand::d, atom.d_type);
  atom.a_register = register_type(row, "a_registers", form, Operand::a, atom.a_type);
  atom.b_register = register_type(row, "b_registers", form, Operand::b, atom.b_type);
  atom.c_register = register_type(row, "c_registers", form, Operand::c, atom.c_type);
}

void read_extras(RowReader& row, MmaAtom& atom) {
  if (row.has("e_layout") || row.has("e_type"))
    atom.metadata = SparseMetadata{row.layout("e_layout"), row.type("e_type")};
  if (row.has("sfa_layout") || row.has("sfb_layout") || row.has("sf_vec"))
    atom.scale = ScaleFactors{row.layout("sfa_layout"), row.layout("sfb_layout"),
                              row.type("sf_type"), row.parsed<int>("sf_vec", parse_extent)};
}

std::vector<std::string> read_mma(const AtomText& text, MmaAtom& atom) {
  RowReader row(text);
  row.check_keys(kMmaKeys);
  atom.name = row.text("name");
  atom.template_args = row.text("template_args", "");
  atom.arch = row.parsed<Arch>("arch", parse_atom_arch, "any");
  atom.shape = row.parsed<ShapeMnk>("shape_mnk", parse_shape);
  atom.thr_id = row.layout("thr_id", "32:1");
  atom.a_layout = row.layout("a_layout");
  atom.b_layout = row.layout("b_layout");
  atom.c_layout = row.layout("c_layout");
  atom.d_type = row.type("d_type");
  atom.a_type = row.type("a_type");
  atom.b_type = row.type("b_type");
  atom.c_type = row.has("c_type") ? row.type("c_type") : atom.d_type;
  atom.ptx = row.text("ptx", "");
  atom.form = parse_form<MmaForm>(row, find_mma_form, guessed_form(atom.ptx));
  atom.isa = row.parsed<PtxVersion>("isa", parse_isa, "");
  atom.source = row.text("source", "user row");
  atom.a_major = row.parsed<Major>("a_major", parse_major, "K");
  atom.b_major = row.parsed<Major>("b_major", parse_major, "K");
  read_registers(row, atom);
  read_extras(row, atom);
  if (!row.broken().empty()) return row.broken();
  if (!check(atom).empty()) return {};  // counts mean nothing yet
  check_count(row, "d_registers", atom, Operand::d);
  check_count(row, "a_registers", atom, Operand::a);
  check_count(row, "b_registers", atom, Operand::b);
  check_count(row, "c_registers", atom, Operand::c);
  return row.broken();
}

std::pair<int, int> parse_box(const std::string& text) {
  const IntTuple tuple(text);
  if (!tuple.is_tuple() || tuple.rank() != 2 || tuple.leaf_count() != 2)
    refuse_text("box", text, "a box must have two extents: (inner,outer)");
  const std::vector<Index> extents = tuple.leaves();
  for (const Index extent : extents)
    if (extent < 1 || extent > 256)
      refuse_text("box", text, "the extents of a box must lie in 1..256");
  return {static_cast<int>(extents[0]), static_cast<int>(extents[1])};
}

TmaBox read_box(RowReader& row) {
  TmaBox box;
  box.type = row.type("type");
  std::tie(box.inner, box.outer) = row.parsed<std::pair<int, int>>("box", parse_box);
  box.smem_swizzle = row.parsed<Swizzle>(
      "smem_swizzle", [](const std::string& text) { return Swizzle(text); }, "Sw<0,7,3>");
  return box;
}

std::vector<std::string> read_copy(const AtomText& text, CopyAtom& atom) {
  RowReader row(text);
  row.check_keys(kCopyKeys);
  atom.name = row.text("name");
  atom.arch = row.parsed<Arch>("arch", parse_atom_arch, "any");
  atom.thr_id = row.layout("thr_id", "1:0");
  atom.src_layout = row.layout("src_layout");
  atom.dst_layout = row.layout("dst_layout");
  atom.ref_layout = row.has("ref_layout") ? row.layout("ref_layout") : atom.src_layout;
  atom.ptx = row.text("ptx", "");
  atom.form = parse_form<CopyForm>(row, find_copy_form, guessed_copy_form(atom.ptx));
  atom.isa = row.parsed<PtxVersion>("isa", parse_isa, "");
  atom.source = row.text("source", "user row");
  if (row.has("box") || row.has("smem_swizzle")) atom.box = read_box(row);
  if (row.has("executed_dst_layout")) atom.executed_dst_layout = row.layout("executed_dst_layout");
  return row.broken();
}

}  // namespace

Catalogue Catalogue::with(const AtomText& row) && {
  const auto has = [&](std::string_view key) {
    return std::ranges::any_of(row.fields, [&](const auto& field) { return field.first == key; });
  };
  const bool is_copy = has("src_layout") || has("dst_layout");
  MmaAtom mma;
  CopyAtom copy;
  std::vector<std::string> broken = is_copy ? read_copy(row, copy) : read_mma(row, mma);
  if (broken.empty())
    return is_copy ? std::move(*this).with(std::move(copy)) : std::move(*this).with(std::move(mma));
  const std::string name = is_copy ? copy.name : mma.name;
  throw Exception({.code = ErrorCode::illegal_atom,
                   .operand = "atom",
                   .value = name.empty() ? "(no name)" : name,
                   .violated_rules = std::move(broken)});
}

}  // namespace jute
