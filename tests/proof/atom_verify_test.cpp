// Proofs of atoms on the emulator, and wrong rows that must be caught.
#include <jute/emulator/emulator.hpp>
#include <jute/proof/verify.hpp>

#include <algorithm>

#include "support/atom_sets.hpp"
#include "support/catch.hpp"
#include "support/context_options.hpp"
#include "support/sparse_rows.hpp"
#include "support/wrong_atoms.hpp"

using namespace jute;
using namespace jute::test;

namespace {

Context emulator_context(const Catalogue& catalogue = {}) {
  ContextOptions options = with_kept_kernels();
  options.catalogue = catalogue;
  EmulatorOptions emulator;
  emulator.check = Check::memory;
  return Context(open_emulator(emulator), options);
}

std::string text(const AtomProof& proof) {
  std::string line = proof.name + ": " + std::string(name(proof.result)) + " " + proof.reason;
  return proof.first ? line + to_string(*proof.first) : line;
}

/// All of them are proved; what is not executable is listed.
void expect_proved(const std::vector<std::string>& names,
                   const std::vector<std::string>& not_executable = {}) {
  Context context = emulator_context(with_sparse_rows());
  for (const AtomProof& proof : verify(context, names)) {
    UNSCOPED_INFO(text(proof));
    const bool may_lack = std::ranges::find(not_executable, proof.name) != not_executable.end();
    CHECK(proof.result == (may_lack ? AtomResult::not_executable : AtomResult::proved));
    if (!may_lack) CHECK(proof.pairs > 0);
  }
}

}  // namespace

TEST_CASE("every atom of one thread is proved", "[atom][verify]") {
  expect_proved(names_for(Arch{90, 'a'}, "fma"));
  // CuTe's dp2a lacks the .lo or .hi that PTX asks for.
  expect_proved(names_of_form("dp"), {"SM61_DP2A"});
}

TEST_CASE("every mma.sync that is no Blackwell atom is proved", "[atom][verify]") {
  const std::vector<std::string> names = names_for(Arch{90, 'a'}, "mma");
  REQUIRE(names.size() > 60);
  expect_proved(names);
}

TEST_CASE("complex products of several instructions are proved", "[atom][verify]") {
  expect_proved(names_of_form("mma_complex"));
}

TEST_CASE("a user's rows of sparse mma are proved", "[atom][verify]") {
  expect_proved(sparse_row_names());
}

TEST_CASE("wgmma is proved for few, odd and many columns", "[atom][verify]") {
  expect_proved({"SM90_64x8x16_F16F16F16_SS", "SM90_64x24x16_F32F16F16_RS",
                 "SM90_64x256x16_F32BF16BF16_SS", "SM90_64x64x8_F32TF32TF32_SS_TN",
                 "SM90_64x32x32_F32E4M3E5M2_RS_TN", "SM90_64x96x32_S32U8S8_SS_TN",
                 "SM90_64x64x16_F32F16F16_SS<GMMA::Major::MN,GMMA::Major::MN>"});
}

TEST_CASE("sparse wgmma is proved for every type, major and kind of A", "[atom][verify]") {
  expect_proved({"SM90::GMMA::SPARSE::GMMA_64x8x32_F16F16F16_SS",
                 "SM90::GMMA::SPARSE::GMMA_64x24x32_F32BF16BF16_RS",
                 "SM90::GMMA::SPARSE::GMMA_64x64x16_F32TF32TF32_SS_TN",
                 "SM90::GMMA::SPARSE::GMMA_64x16x16_F32TF32TF32_RS_TN",
                 "SM90::GMMA::SPARSE::GMMA_64x16x64_F32E4M3E5M2_SS_TN",
                 "SM90::GMMA::SPARSE::GMMA_64x32x64_F32E4M3E4M3_RS_TN",
                 "SM90::GMMA::SPARSE::GMMA_64x32x64_S32U8S8_SS_TN"});
}

TEST_CASE("copies between registers and shared memory are proved", "[atom][verify]") {
  std::vector<std::string> names;
  for (const AtomSummary& atom : Catalogue().list(Arch{90, 'a'}))
    if (atom.kind == AtomKind::copy) names.push_back(atom.name);
  expect_proved(names);
}

TEST_CASE("an atom for a chip that this is not is not executed, with the reason",
          "[atom][verify]") {
  Context context = emulator_context();
  const AtomProof proof =
      verify(context, context.catalogue().mma("SM120_16x8x32_TN<float_e4m3_t,float_e4m3_t,float>"));
  CHECK(proof.result == AtomResult::not_executable);
  CHECK(proof.reason == "it needs sm_120a, this is sm_90a");
}

TEST_CASE("50 rows with two strides exchanged are all refuted", "[atom][verify]") {
  Context context = emulator_context();
  for (const WrongAtom& wrong : wrong_atoms(with_sparse_rows(), kEveryForm, 50, 20240607)) {
    const AtomProof proof =
        std::visit([&](const auto& atom) { return verify(context, atom); }, wrong.atom);
    UNSCOPED_INFO(wrong.what << "  " << text(proof));
    CHECK(proof.result == AtomResult::refuted);
  }
}

TEST_CASE("a row that says the same in other words is proved", "[atom][verify]") {
  Context context = emulator_context();
  MmaAtom atom = context.catalogue().mma("SM80_16x8x8_F32F16F16F32_TN");
  atom.a_layout = Layout("((2,2,8),(2,2)):((32,64,1),(16,8))");
  atom.c_layout = Layout("((4,2,4),(2,2)):((32,1,2),(16,8))");
  CHECK(verify(context, atom).result == AtomResult::proved);
}

TEST_CASE("the first wrong pair is named with what was expected and what came", "[atom][verify]") {
  Context context = emulator_context();
  MmaAtom atom = context.catalogue().mma("SM80_16x8x8_F32F16F16F32_TN");
  atom.b_layout = Layout("((4,8),2):((8,1),32)");  // k = t, t + 4 instead of 2t, 2t + 1
  const AtomProof proof = verify(context, atom);
  REQUIRE(proof.result == AtomResult::refuted);
  REQUIRE(proof.first);
  CHECK(proof.first->operand == "D");
  CHECK(proof.first->thread == 0);
  CHECK(proof.first->value == 0);
  CHECK(proof.first->expected == "A(0,1)*B(0,1) as D(0,0)");
  CHECK(proof.first->got == "A row 0 times B(0,4)");
}
