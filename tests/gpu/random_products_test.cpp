// Products of random operands on a real GPU and on the emulator, bit for bit.
#include <jute/device/device.hpp>
#include <jute/emulator/emulator.hpp>

#include "support/atom_sets.hpp"
#include "support/gpu.hpp"
#include "support/random_products.hpp"
#include "support/sparse_rows.hpp"

using namespace jute;
using namespace jute::test;

namespace {

constexpr Index kOutputs = 100000;

/// The comparisons that fail, and a last line that counts.
std::string differences(const std::vector<std::string>& atoms) {
  return on_gpu(
      [&] {
        ContextOptions options;
        options.catalogue = with_sparse_rows();
        Context gpu(open_device(), options), emulator(open_emulator(), options);
        return to_string(compare_products(gpu, emulator, atoms, kOutputs, 20240607));
      },
      590);
}

void expect_equal(const std::vector<std::string>& atoms) {
  REQUIRE_FALSE(atoms.empty());
  const std::string text = differences(atoms);
  WARN(text);
  CHECK(text.starts_with(std::to_string(atoms.size()) + " atoms, "));
}

}  // namespace

TEST_CASE("100,000 random outputs of each mma.sync are those of the GPU", "[gpu][random]") {
  expect_equal(names_for(Arch{90, 'a'}, "mma"));
}
TEST_CASE("100,000 random outputs of each sparse mma.sync are those of the GPU", "[gpu][random]") {
  expect_equal(sparse_row_names());
}
TEST_CASE("100,000 random outputs of each wgmma are those of the GPU", "[gpu][random]") {
  const char* form = GENERATE("wgmma_ss", "wgmma_rs");
  expect_equal(some_wgmma(form));
}
TEST_CASE("100,000 random outputs of each sparse wgmma are those of the GPU", "[gpu][random]") {
  const char* form = GENERATE("wgmma_sparse_ss", "wgmma_sparse_rs");
  expect_equal(some_wgmma(form));
}
