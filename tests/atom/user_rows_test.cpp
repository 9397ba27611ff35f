// Rows that a user adds: accepted when every rule holds, refused with all broken ones.
#include <jute/atom/catalogue.hpp>

#include "support/catch.hpp"
#include "support/refusal.hpp"

#include <algorithm>
#include <functional>

using namespace jute;
using jute::test::refusal_of;

namespace {

using Fields = std::vector<std::pair<std::string, std::string>>;

/// A sound row: an Ampere mma under a name of its own.
Fields sound_mma() {
  return {{"name", "MY_16x8x16_TN"},
          {"arch", "sm80"},
          {"shape_mnk", "(16,8,16)"},
          {"thr_id", "32:1"},
          {"a_layout", "((4,8),(2,2,2)):((32,1),(16,8,128))"},
          {"b_layout", "((4,8),(2,2)):((16,1),(8,64))"},
          {"c_layout", "((4,8),(2,2)):((32,1),(16,8))"},
          {"d_type", "f32"},
          {"a_type", "f16"},
          {"b_type", "f16"},
          {"c_type", "f32"},
          {"form", "mma"},
          {"ptx", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"},
          {"isa", "7.0"}};
}

Fields sound_copy() {
  return {{"name", "MY_LDSM"},
          {"arch", "sm_75"},
          {"thr_id", "32:1"},
          {"src_layout", "(32,128):(128,1)"},
          {"dst_layout", "(32,(32,4)):(32,(1,1024))"},
          {"ref_layout", "(32,(32,4)):(32,(1,1024))"},
          {"form", "ldmatrix"},
          {"ptx", "ldmatrix.sync.aligned.x4.m8n8.shared.b16"}};
}

Fields with_field(Fields fields, const std::string& key, const std::string& value) {
  for (auto& [name, text] : fields)
    if (name == key) {
      text = value;
      return fields;
    }
  fields.emplace_back(key, value);
  return fields;
}

Fields without(Fields fields, const std::string& key) {
  std::erase_if(fields, [&](const auto& field) { return field.first == key; });
  return fields;
}

Error refusal(const Fields& fields) {
  return refusal_of([&] { return Catalogue().with(AtomText{fields}); });
}

struct WrongRow {
  const char* key;
  const char* value;  ///< null: the field is left out
  const char* rule;   ///< part of a sentence that must be among the broken rules
};

// clang-format off
const WrongRow kWrongMma[] = {
    {"name", nullptr, "a row must have name"},
    {"name", "", "a row must have name"},
    {"name", "my atom", "a name must have letters"},
    {"name", "16x8", "a name must have letters"},
    {"name", "a\");//", "a name must have letters"},
    {"name", "SM80_16x8x16_F32F16F16F32_TN", "the name must not be taken"},
    {"name", "SM80_16x8x32_MINE", "the name must say the shape, 16x8x16"},
    {"name", "SM80_16x8x16_F16F16F16F16_MINE", "the name must say the types, F32F16F16F32"},
    {"name", "SM90_16x8x16_F32F16F16F32_MINE", "the name must say the architecture, SM80"},
    {"name", "SM80_16x8x16_F32F16F16F32_MINE", nullptr},
    {"name", "SM80_16x8x16_MINE", nullptr},
    {"arch", "sm80x", "arch"},
    {"arch", "ampere", "arch"},
    {"shape_mnk", nullptr, "a row must have shape_mnk"},
    {"shape_mnk", "(16,8)", "three extents"},
    {"shape_mnk", "(16,8,0)", "1..4096"},
    {"shape_mnk", "(16,8,-16)", "1..4096"},
    {"shape_mnk", "(16,8,99999)", "1..4096"},
    {"shape_mnk", "(16,8,32)", "a_layout must cover its whole tile"},
    {"shape_mnk", "(8,8,16)", "a_layout must stay inside its tile"},
    {"shape_mnk", "(1,8,1)", "a_layout must stay inside its tile of 1 elements"},
    {"shape_mnk", "(16,(4,2),(16,1))", "three extents"},
    {"thr_id", "16:1", "as many threads as thr_id (16)"},
    {"thr_id", "32:0", "distinct lanes"},
    {"thr_id", "(4,8):(1,2)", "distinct lanes"},
    {"thr_id", "32:-1", "lanes from 0"},
    {"thr_id", "2048:1", "at most 1024 threads"},
    {"thr_id", "32", "thr_id"},
    {"a_layout", nullptr, "a row must have a_layout"},
    {"a_layout", "((4,8),(2,2,2)):((32,1),(16,8,128)", "a_layout"},
    {"a_layout", "((4,8),(2,2,2)):((32,1),(16,8,64))", "a_layout must cover its whole tile"},
    {"a_layout", "((4,8),(2,2,2)):((32,1),(16,8,256))", "outside"},
    {"a_layout", "((4,8),(2,2,2)):((0,1),(16,8,128))", "must cover each element once"},
    {"a_layout", "((4,8),(2,2)):((32,1),(16,8))", "elements are missing"},
    {"a_layout", "256:1", "two modes"},
    {"a_layout", "(64,4):(1,64)", "as many threads as thr_id (32)"},
    {"a_layout", "((4,8),(2,2,2)):((32@0,1),(16,8,128))", "a_layout"},
    {"b_layout", "((4,8),(2,2)):((16,1),(8,32))", "b_layout must cover its whole tile"},
    {"b_layout", "((4,8),(2,2)):((16,-1),(8,64))", "outside"},
    {"c_layout", "((4,8),(2,2)):((32,1),(8,16))", nullptr},  // another order, still sound
    {"c_layout", "((4,8),(2,2)):((32,1),(8,8))", "c_layout"},
    {"c_layout", "(1048576,1048576):(1,1048576)", "c_layout"},
    {"d_type", "f24", "d_type"},
    {"d_type", nullptr, "a row must have d_type"},
    {"a_type", "half", "a_type"},
    {"a_type", "u1", "must fill whole registers"},
    {"b_type", "e2m3", "must fill whole registers"},
    {"form", "tensor", "must be a form"},
    {"form", "wgmma_ss", "must start with wgmma.mma_async.sync."},
    {"form", "mma_sparse", "needs metadata"},
    {"form", "mma_scaled", "needs scale factors"},
    {"form", "fma", "must have no mnemonic"},
    {"ptx", "", "must start with mma.sync."},
    {"ptx", "mma.sync.aligned; exit;", "a mnemonic must match"},
    {"ptx", "mma.sync.aligned.\"", "a mnemonic must match"},
    {"ptx", "MMA.SYNC.ALIGNED", "a mnemonic must match"},
    {"ptx", "bar.sync 0", "a mnemonic must match"},
    {"ptx", "st.global.b32", "must start with mma.sync."},
    {"isa", "seven", "isa"},
    {"isa", "7", "isa"},
    {"a_registers", "b128", "a_registers must be one of"},
    {"a_registers", "3 x b32", "a_registers must be what follows from layout and type: 4"},
    {"a_registers", "8 x b16", nullptr},
    {"d_registers", "f64", "must hold f64 values, not f32"},
    {"thr_id", "32:1@0", "thr_id must have plain integers as strides"},
    {"a_major", "row", "a_major"},
    {"colour", "red", "'colour' must be a field"},
    {"a_layuot", "1:0", "nearest: a_layout"},
    {"e_layout", "((4,8),8):((32,1),16)", "a row must have e_type"},
    {"sf_vec", "16", "a row must have sfa_layout"},
};
const WrongRow kWrongCopy[] = {
    {"src_layout", nullptr, "a row must have src_layout"},
    {"src_layout", "(32,128):(64,1)", "src_layout"},
    {"src_layout", "(16,128):(128,1)", "as many threads as thr_id (32)"},
    {"dst_layout", "(32,(32,2)):(32,(1,1024))", "dst_layout must cover its whole tile"},
    {"dst_layout", "128:1", "dst_layout"},
    {"thr_id", "8:1", "as many threads as thr_id (8)"},
    {"ptx", "mma.sync.aligned", "must start with ldmatrix.sync."},
    {"ptx", "ldmatrix.sync.aligned.x4 {", "a mnemonic must match"},
    {"form", "teleport", "must be a form"},
    {"a_layout", "1:0", "'a_layout' must be a field"},
};
// clang-format on

void check_wrong(const Fields& sound, const WrongRow& row) {
  const Fields fields =
      row.value == nullptr ? without(sound, row.key) : with_field(sound, row.key, row.value);
  INFO(row.key << " = " << (row.value == nullptr ? "(left out)" : row.value));
  if (row.rule == nullptr) {
    CHECK_NOTHROW(Catalogue().with(AtomText{fields}));
    return;
  }
  const Error error = refusal(fields);
  CHECK(error.code == ErrorCode::illegal_atom);
  const bool found = std::ranges::any_of(error.violated_rules, [&](const std::string& rule) {
    return rule.find(row.rule) != std::string::npos;
  });
  INFO(to_string(error));
  CHECK(found);
}

}  // namespace

TEST_CASE("a sound row is found like a built-in one", "[atom][user]") {
  const Catalogue catalogue = Catalogue().with(AtomText{sound_mma()}).with(AtomText{sound_copy()});
  const MmaAtom atom = catalogue.mma("MY_16x8x16_TN");
  const MmaAtom twin = catalogue.mma("SM80_16x8x16_F32F16F16F32_TN");
  CHECK(atom.a_layout == twin.a_layout);
  CHECK(atom.a_register == twin.a_register);
  CHECK(registers(atom, Operand::a) == 4);
  CHECK(catalogue.copy("MY_LDSM").form == CopyForm::ldmatrix);
  CHECK(catalogue.list().size() == Catalogue().list().size() + 2);
  CHECK_FALSE(Catalogue().try_mma("MY_16x8x16_TN"));
}

TEST_CASE("what an atom prints is a row again", "[atom][user][law]") {
  const Catalogue catalogue;
  for (const AtomSummary& summary : catalogue.list()) {
    Fields row;
    const auto add = [&](const std::vector<AtomField>& fields) {
      for (const AtomField& field : fields)
        if (field.text) row.emplace_back(field.key, *field.text);
    };
    if (summary.kind == AtomKind::mma) {
      add(fields(catalogue.mma(summary.name)));
    } else {
      add(fields(catalogue.copy(summary.name)));
    }
    INFO(summary.name);
    CHECK_NOTHROW(catalogue.with(AtomText{with_field(row, "name", "MINE")}));
  }
}

TEST_CASE("wrong rows are refused with the rule that they break", "[atom][user][refusal]") {
  for (const WrongRow& row : kWrongMma) check_wrong(sound_mma(), row);
  for (const WrongRow& row : kWrongCopy) check_wrong(sound_copy(), row);
}

TEST_CASE("every broken rule of a row is reported", "[atom][user][refusal]") {
  Fields fields = with_field(sound_mma(), "thr_id", "32:0");
  fields = with_field(fields, "ptx", "MMA");
  fields = with_field(fields, "c_layout", "((4,8),(2,2)):((32,1),(8,8))");
  CHECK(refusal(fields).violated_rules.size() >= 4);
}

TEST_CASE("an empty field is one that is left out", "[atom][user][refusal]") {
  for (const char* key : {"name", "shape_mnk", "a_layout", "d_type", "a_type", "b_type"}) {
    const Error error = refusal(with_field(sound_mma(), key, ""));
    CHECK(std::ranges::count(error.violated_rules, "a row must have " + std::string(key)) == 1);
  }
  const Catalogue left_out = Catalogue().with(AtomText{without(sound_mma(), "thr_id")});
  const Catalogue empty = Catalogue().with(AtomText{with_field(sound_mma(), "thr_id", "")});
  CHECK(empty.mma("MY_16x8x16_TN") == left_out.mma("MY_16x8x16_TN"));
}

TEST_CASE("a name is taken once", "[atom][user][refusal]") {
  const Catalogue once = Catalogue().with(AtomText{sound_mma()});
  const Error error = refusal_of([&] { return once.with(AtomText{sound_mma()}); });
  CHECK(error.violated_rules == std::vector<std::string>{"the name must not be taken"});
}

TEST_CASE("a wgmma row of the user's passes operands as the form does", "[atom][user]") {
  Fields fields{{"name", "MY_WGMMA"},
                {"arch", "sm90a"},
                {"shape_mnk", "(64,8,16)"},
                {"thr_id", "128:1"},
                {"a_layout", "(128,(64,16)):(0,(1,64))"},
                {"b_layout", "(128,(8,16)):(0,(1,8))"},
                {"c_layout", "((4,8,4),(2,2)):((128,1,16),(64,8))"},
                {"d_type", "f32"},
                {"a_type", "f16"},
                {"b_type", "f16"},
                {"ptx", "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16"}};
  const MmaAtom atom = Catalogue().with(AtomText{fields}).mma("MY_WGMMA");
  CHECK(atom.form == MmaForm::wgmma_ss);
  CHECK(atom.b_register == RegisterType::smem_descriptor);
  CHECK(registers(atom, Operand::d) == 4);
}

TEST_CASE("a catalogue that is given away grows in place", "[atom][user]") {
  Catalogue grown;
  Catalogue plain;
  MmaAtom atom = Catalogue().mma("SM80_16x8x16_F32F16F16F32_TN");
  for (int i = 0; i < 3; ++i) {
    atom.name = "Mine_" + std::to_string(i);
    grown = std::move(grown).with(atom);
    plain = plain.with(atom);
  }
  CHECK(grown == plain);
  CHECK(grown.try_mma("Mine_2").has_value());
}
