// TMA atoms: boxes and swizzles by name.
#include <jute/atom/catalogue.hpp>

#include <algorithm>

#include "support/catch.hpp"
#include "support/refusal.hpp"

using namespace jute;
using jute::test::refusal_of;

TEST_CASE("a TMA atom is composed from its box and its swizzle", "[atom][tma]") {
  const CopyAtom atom = Catalogue().copy("SM90_TMA_LOAD_2D<half_t,64,128,SW128>");
  REQUIRE(atom.box);
  CHECK(atom.box->type.name == "f16");
  CHECK(atom.box->inner == 64);
  CHECK(atom.box->outer == 128);
  CHECK(to_string(atom.box->smem_swizzle) == "Sw<3,7,3>");
  CHECK(src_bits(atom) == 64 * 128 * 16);
  CHECK(to_string(atom.src_layout) == "(1,131072):(0,1)");
  CHECK(atom.ptx.starts_with("cp.async.bulk.tensor.2d.shared::cluster.global"));
  CHECK(check(atom).empty());
}

TEST_CASE("load, multicast, store and reduction are there", "[atom][tma]") {
  const Catalogue catalogue;
  for (const char* name :
       {"SM90_TMA_LOAD_2D<float,32,8,SW128>", "SM90_TMA_LOAD_MULTICAST_2D<bfloat16_t,32,64,SW64>",
        "SM90_TMA_STORE_2D<uint8_t,16,256,INTER>", "SM90_TMA_REDUCE_ADD_2D<int32_t,8,8,SW32>"})
    CHECK(check(catalogue.copy(name)).empty());
}

TEST_CASE("a box that no tensor map takes is refused with every rule", "[atom][tma][refusal]") {
  const auto rules = [](const char* name) {
    return refusal_of([&] { return Catalogue().copy(name); }).violated_rules;
  };
  for (const char* name :
       {"SM90_TMA_LOAD_2D<half_t,128,8,SW128>", "SM90_TMA_LOAD_2D<half_t,32,8,SW128>"})
    CHECK(rules(name) ==
          std::vector<std::string>{"a row of the box must fill the swizzle's span of 128 bytes"});
  CHECK(rules("SM90_TMA_LOAD_2D<half_t,12,8,INTER>") ==
        std::vector<std::string>{"a row of the box must be a multiple of 16 bytes"});
  CHECK(rules("SM90_TMA_LOAD_2D<half_t,64,512,SW128>").front() ==
        "the catalogue must have a copy atom of that name");
}

TEST_CASE("a user's TMA row is read back as it is shown", "[atom][tma]") {
  CopyAtom atom = Catalogue().copy("SM90_TMA_STORE_2D<half_t,32,8,SW64>");
  AtomText row;
  for (const AtomField& field : fields(atom))
    if (field.text) row.fields.emplace_back(field.key, *field.text);
  row.fields.front().second = "MY_STORE";
  atom.name = "MY_STORE";
  CHECK(Catalogue().with(row).copy("MY_STORE") == atom);
}

TEST_CASE("families list what the catalogue lists", "[atom]") {
  size_t atoms = 0;
  for (const AtomFamily& family : built_in_families()) atoms += family.atoms.size();
  CHECK(atoms == Catalogue().list().size());
}
