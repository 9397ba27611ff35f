// Proofs of atoms on a real GPU, and wrong rows that must be caught there.
#include <jute/device/device.hpp>
#include <jute/proof/verify.hpp>

#include <algorithm>

#include "support/atom_sets.hpp"
#include "support/gpu.hpp"
#include "support/quadpair_gemm.hpp"
#include "support/sparse_rows.hpp"
#include "support/wrong_atoms.hpp"

using namespace jute;
using namespace jute::test;

namespace {

std::string text(const AtomProof& proof) {
  std::string line = proof.name + ": " + std::string(name(proof.result)) + " " + proof.reason;
  return (proof.first ? line + to_string(*proof.first) : line) + "\n";
}

/// The proofs that are not what is expected, as text; empty when all are.
std::string others(const std::vector<std::string>& names, AtomResult expected) {
  return on_gpu(
      [&] {
        ContextOptions options;
        options.catalogue = with_sparse_rows();
        Context context(open_device(), options);
        std::string lines;
        for (const AtomProof& proof : verify(context, names))
          if (proof.result != expected) lines += text(proof);
        return lines;
      },
      60);
}

void expect_proved(const std::vector<std::string>& names) {
  REQUIRE_FALSE(names.empty());
  CHECK(others(names, AtomResult::proved) == "");
}

void expect_all_refuted(const std::vector<WrongAtom>& rows) {
  const std::string missed = on_gpu(
      [&] {
        Context context(open_device());
        std::string lines;
        for (const WrongAtom& row : rows) {
          const AtomProof proof =
              std::visit([&](const auto& atom) { return verify(context, atom); }, row.atom);
          if (proof.result != AtomResult::refuted) lines += row.what + "  " + text(proof);
        }
        return lines;
      },
      60);
  CHECK(missed == "");
}

std::vector<std::string> names_for_sm90(std::string_view form) {
  return names_for(Arch{90, 'a'}, form);
}

}  // namespace

TEST_CASE("the GPU proves every atom of one thread", "[gpu][atom]") {
  expect_proved(names_for_sm90("fma"));
  expect_proved({"SM61_DP4A"});
}
TEST_CASE("the GPU proves every mma.sync", "[gpu][atom]") { expect_proved(names_for_sm90("mma")); }
TEST_CASE("the GPU proves every complex product", "[gpu][atom]") {
  expect_proved(names_for_sm90("mma_complex"));
}
TEST_CASE("the GPU proves wgmma from shared memory", "[gpu][atom]") {
  expect_proved(some_wgmma("wgmma_ss"));
}
TEST_CASE("the GPU proves wgmma from registers", "[gpu][atom]") {
  expect_proved(some_wgmma("wgmma_rs"));
}
TEST_CASE("the GPU proves sparse wgmma from shared memory", "[gpu][atom]") {
  expect_proved(some_wgmma("wgmma_sparse_ss"));
}
TEST_CASE("the GPU proves sparse wgmma from registers", "[gpu][atom]") {
  expect_proved(some_wgmma("wgmma_sparse_rs"));
}
TEST_CASE("the GPU proves a user's rows of sparse mma", "[gpu][atom]") {
  expect_proved(sparse_row_names());
}
TEST_CASE("the GPU proves wgmma of either major", "[gpu][atom]") {
  expect_proved({"SM90_64x64x16_F32F16F16_SS<GMMA::Major::MN,GMMA::Major::K>",
                 "SM90_64x64x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::MN>",
                 "SM90_64x8x16_F32BF16BF16_SS<GMMA::Major::MN,GMMA::Major::MN>",
                 "SM90_64x128x16_F32BF16BF16_RS<GMMA::Major::K,GMMA::Major::MN>"});
}
TEST_CASE("the GPU proves copies between registers and shared memory", "[gpu][atom]") {
  for (const char* form : {"universal", "auto_vectorize", "shuffle", "ldmatrix", "stmatrix",
                           "movmatrix", "cp_async", "cp_async_zfill"})
    expect_proved(names_for_sm90(form));
}

TEST_CASE("the GPU proves TMA loads", "[gpu][atom][tma]") {
  expect_proved(names_for_sm90("tma_load"));
}
TEST_CASE("the GPU proves TMA loads to a cluster", "[gpu][atom][tma]") {
  expect_proved(names_for_sm90("tma_load_multicast"));
}
TEST_CASE("the GPU proves TMA stores", "[gpu][atom][tma]") {
  expect_proved(names_for_sm90("tma_store"));
}
TEST_CASE("the GPU proves TMA reductions", "[gpu][atom][tma]") {
  expect_proved(names_for_sm90("tma_reduce"));
}

TEST_CASE("the GPU refutes 50 rows with two strides exchanged", "[gpu][atom]") {
  expect_all_refuted(wrong_atoms(with_sparse_rows(), kEveryForm, 50, 20240607));
}

TEST_CASE("a 2x2 TiledMma of quadpairs computes 64x64x64 on the GPU", "[gpu][atom]") {
  expect_on_gpu([] { return std::to_string(wrong_quadpair_results(*open_device())); }, "0");
}
