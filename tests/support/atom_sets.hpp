#pragma once
// Which atoms are proved where: one list for the emulator's tests and the GPU's.
#include <jute/atom/catalogue.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace jute::test {

/// Every listed atom of one form.
inline std::vector<std::string> names_of_form(std::string_view form) {
  std::vector<std::string> names;
  for (const AtomSummary& atom : Catalogue().list())
    if (atom.form == form) names.push_back(atom.name);
  return names;
}

/// Those that code for one architecture can run.
inline std::vector<std::string> names_for(Arch arch, std::string_view form) {
  std::vector<std::string> names;
  for (const AtomSummary& atom : Catalogue().list(arch))
    if (atom.form == form) names.push_back(atom.name);
  return names;
}

/// wgmma of few, odd and many columns; the family between them has the same notation.
inline std::vector<std::string> some_wgmma(std::string_view form) {
  std::vector<std::string> names = names_of_form(form);
  std::erase_if(names, [](const std::string& name) {
    return std::ranges::none_of(std::vector{"_64x8x", "_64x24x", "_64x64x", "_64x256x"},
                                [&](const char* n) { return name.find(n) != std::string::npos; });
  });
  return names;
}

// clang-format off
/// One atom or two of each form that has layouts to be wrong in.
inline const std::vector<std::string> kEveryForm = {
    "SM70_8x8x4_F32F16F16F32_NT", "SM70_8x8x4_F16F16F16F16_TN", "SM75_8x8x16_S32S8S8S32_TN",
    "SM80_16x8x16_F32F16F16F32_TN", "SM80_16x8x8_F32TF32TF32F32_TN", "SM80_8x8x4_F64F64F64F64_TN",
    "SM80_8x8x4_C64C64C64C64_TN", "SM80_16x8x64_S32S4S4S32_TN", "SM80_16x8x128_S32U1U1S32_TN_ANDPOPC",
    "SM89_16x8x32_F32E4M3E4M3F32_TN", "SM90_16x8x8_F64F64F64F64_TN",
    "SM90_64x16x16_F32BF16BF16_SS", "SM90_64x32x16_F32F16F16_RS", "SM90_64x16x32_S32S8S8_RS_TN",
    "SM75_U32x4_LDSM_N", "SM75_U16x8_LDSM_T", "SM90_U32x4_STSM_N", "SM90_U16x4_STSM_T",
    "SM50_Shuffle_U32_2x2Trans_XOR1", "MY_SPARSE_16x8x32_F32F16F16F32",
    "MY_SPARSE_16x8x64_S32S8S8S32", "MY_SPARSE_16x8x16_F32TF32TF32F32",
    "SM90::GMMA::SPARSE::GMMA_64x16x32_F32F16F16_SS", "SM90::GMMA::SPARSE::GMMA_64x32x32_F32BF16BF16_RS",
    "SM90::GMMA::SPARSE::GMMA_64x16x64_F32E4M3E4M3_RS_TN", "SM90::GMMA::SPARSE::GMMA_64x16x16_F32TF32TF32_RS_TN"};
// clang-format on

}  // namespace jute::test
