// A row given at run time multiplies like a built-in one, with no code of its own.
#include "support/catch.hpp"
#include "support/refusal.hpp"
#include "support/user_atom_case.hpp"

#include <jute/emulator/emulator.hpp>

using namespace jute;
using namespace jute::test;

TEST_CASE("a user's atoms with permuted k, renamed columns and other shapes give right products",
          "[gemm][user_atoms]") {
  Context context(open_emulator(), with_user_catalogue());
  CHECK(user_atom_failures(context) == "");
}

TEST_CASE("a user's atom decides the kernel: its instruction, its gathers, its steps",
          "[gemm][user_atoms]") {
  Context context(open_emulator(), with_user_catalogue());
  const auto plan_of = [&](const UserAtom& atom) {
    const GemmCase gemm_case = user_atom_case(atom, Order::col);
    return prepare(context, gemm_case.problem, gemm_case.config).plan();
  };
  // Four neighbours along K in one lane: no row of a matrix load has them, a plain load does.
  const GemmStep permuted = gemm_step(plan_of(kUserAtoms[0]));
  CHECK(permuted.mma.atom().name == kUserAtoms[0].name);
  CHECK_FALSE(fragments_of(permuted.b).atom);
  CHECK(fragments_of(permuted.b).elems == 4);
  const GemmStep renamed = gemm_step(plan_of(kUserAtoms[2]));
  CHECK(fragments_of(renamed.a).atom);
  CHECK(gemm_step(plan_of(kUserAtoms[3])).mma.atom().shape == ShapeMnk{16, 8, 8});
}

TEST_CASE("a user's atom of other types is refused with its rule", "[gemm][user_atoms][refusal]") {
  Context context(open_emulator(), with_user_catalogue());
  GemmCase gemm_case = user_atom_case(kUserAtoms[0], Order::row);
  gemm_case.problem.a.type = gemm_case.problem.b.type = DType::f16;
  const Error error =
      refusal_of([&] { return prepare(context, gemm_case.problem, gemm_case.config); });
  CHECK(error.code == ErrorCode::illegal_config);
  CHECK(error.operand == "mma_atom");
  CHECK(error.value == kUserAtoms[0].name);
}
