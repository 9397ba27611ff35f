#pragma once
// Copy atoms: assignments, cp.async, ldmatrix and stmatrix, movmatrix, tensor memory.
#include "atom/family.hpp"

namespace jute::atom {

// (thread, value) -> bit, where the value is one bit. Source: PTX ISA, ldmatrix, stmatrix,
// movmatrix, cp.async, tcgen05.ld, tcgen05.st, tcgen05.cp.
// clang-format off
inline constexpr std::string_view kThread = "1:0", kWarp = "32:1", kCtaPair = "2:1";
inline constexpr std::string_view kReadT = "(1,T):(0,1)", kWriteS = "(1,S):(0,1)";
inline constexpr std::string_view kAnything = "(1,1):(0,0)";
inline constexpr std::string_view kMovable =
    "u8 u16 u32 u64 u128 s8 s16 s32 s64 f16 bf16 tf32 f32 f64 e4m3 e5m2 u4 s4 e2m1 e3m2 e2m3 u256 c32 c64";
inline constexpr std::string_view kAsyncTypes = "u32 u64 u128 s32 s64 f32 f64 tf32 c32 c64";  // 4, 8 or 16 bytes
inline constexpr std::string_view k16Bytes = "u128 c64";

// Rows of 16 bytes that lanes 0-7 (x1), 0-15 (x2) or all (x4) point to.
inline constexpr std::string_view kRows8 = "((8,4),128):((128,0),1)", kRows16 = "((16,2),128):((128,0),1)", kRows32 = "(32,128):(128,1)";
inline constexpr std::string_view kWords1 = "(32,32):(32,1)", kWords2 = "(32,(32,2)):(32,(1,1024))", kWords4 = "(32,(32,4)):(32,(1,1024))";
inline constexpr std::string_view kTrans1 = "((4,8),(16,2)):((256,16),(1,128))", kTrans2 = "((4,8),(16,2,2)):((256,16),(1,128,1024))",
                                  kTrans4 = "((4,8),(16,2,4)):((256,16),(1,128,1024))";
inline constexpr std::string_view kByteTrans1 = "((4,8),(8,2,2)):((256,8),(1,128,64))", kByteTrans2 = "((4,8),(8,2,2,2)):((256,8),(1,128,64,1024))",
                                  kByteTrans4 = "((4,8),(8,2,2,4)):((256,8),(1,128,64,1024))";
inline constexpr std::string_view kMatrixSource = "PTX ISA, ldmatrix and stmatrix", kAsyncSource = "PTX ISA, cp.async",
                                  kTmemSource = "PTX ISA, tcgen05.ld and tcgen05.st", kUtccpSource = "PTX ISA, tcgen05.cp";
inline constexpr Arch kCopySm50{50}, kCopySm75{75}, kCopySm80{80}, kCopySm90{90}, kCopySm100{100, 'a'};
inline constexpr std::array kPacking   = {Modifier{"", ""}, Modifier{"_16b", ".pack::16b"}};
inline constexpr std::array kUnpacking = {Modifier{"", ""}, Modifier{"_16b", ".unpack::16b"}};

constexpr CopyFamily typed(std::string_view name, CopyForm form, Arch arch, PtxVersion isa, std::string_view t,
                           std::string_view ptx, std::string_view source) {
  return {.name = name, .arch = arch, .isa = isa, .form = form, .thr_id = kThread, .src = kReadT, .dst = kWriteS,
          .ref = kReadT, .ptx = ptx, .source = source, .t = t};
}
/// The same with a second type to write.
constexpr CopyFamily to(CopyFamily family, std::string_view name) {
  family.name = name;
  family.s = family.t;
  family.listed = false;
  return family;
}
constexpr CopyFamily untyped(std::string_view name, Range x = {}) {
  return {.name = name, .arch = {}, .isa = {}, .form = CopyForm::auto_vectorize, .thr_id = kThread, .src = kAnything,
          .dst = kAnything, .ref = kAnything, .ptx = "", .source = "as wide as layouts and alignment allow", .x = x};
}
/// Shared memory to registers; the reference is where the registers are.
constexpr CopyFamily load(std::string_view name, Arch arch, PtxVersion isa, std::string_view src, std::string_view dst,
                          std::string_view ptx) {
  return {.name = name, .arch = arch, .isa = isa, .form = CopyForm::ldmatrix, .thr_id = kWarp, .src = src, .dst = dst,
          .ref = dst, .ptx = ptx, .source = kMatrixSource};
}
constexpr CopyFamily store(std::string_view name, Arch arch, PtxVersion isa, std::string_view src, std::string_view dst,
                           std::string_view ptx) {
  return {.name = name, .arch = arch, .isa = isa, .form = CopyForm::stmatrix, .thr_id = kWarp, .src = src, .dst = dst,
          .ref = src, .ptx = ptx, .source = kMatrixSource};
}
/// Tensor memory to registers and back; tensor memory is the reference.
constexpr CopyFamily tmem_load(std::string_view name, Range x, std::string_view memory, std::string_view registers,
                               std::string_view ptx) {
  return {.name = name, .arch = kCopySm100, .isa = {8, 6}, .form = CopyForm::tmem_load, .thr_id = kWarp, .src = memory,
          .dst = registers, .ref = memory, .ptx = ptx, .source = kTmemSource, .x = x, .modifiers = kPacking};
}
constexpr CopyFamily tmem_store(std::string_view name, Range x, std::string_view memory, std::string_view registers,
                                std::string_view ptx) {
  return {.name = name, .arch = kCopySm100, .isa = {8, 6}, .form = CopyForm::tmem_store, .thr_id = kWarp,
          .src = registers, .dst = memory, .ref = memory, .ptx = ptx, .source = kTmemSource, .x = x, .modifiers = kUnpacking};
}
constexpr CopyFamily utccp(std::string_view name, std::string_view thr_id, std::string_view src, std::string_view dst,
                           std::string_view ptx) {
  return {.name = name, .arch = kCopySm100, .isa = {8, 6}, .form = CopyForm::tmem_copy, .thr_id = thr_id, .src = src,
          .dst = dst, .ref = dst, .ptx = ptx, .source = kUtccpSource};
}
constexpr CopyFamily form(CopyFamily family, CopyForm other, PtxVersion isa, std::string_view source) {
  family.form = other;
  family.isa = isa;
  family.source = source;
  family.modifiers = kPlain;
  return family;
}

constexpr CopyFamily executes(CopyFamily family, std::string_view dst) {
  family.executed_dst = dst;
  return family;
}

// TMA: a box of X by Y elements, Z bits; shared memory keeps them behind the swizzle of the name. A load
// as tf32 rounds on its way, so that only stores have that type.
inline constexpr std::array kTmaSwizzles = {Modifier{"INTER", "Sw<0,7,3>"}, Modifier{"SW32", "Sw<1,7,3>"},
                                            Modifier{"SW64", "Sw<2,7,3>"}, Modifier{"SW128", "Sw<3,7,3>"}};
inline constexpr std::string_view kTmaLoadTypes = "f16 bf16 f32 f64 s32 u8", kTmaStoreTypes = "f16 bf16 tf32 f32 f64 s32 u8";
constexpr CopyFamily tma(std::string_view name, CopyForm form, std::string_view types, std::string_view ptx) {
  return {.name = name, .arch = kCopySm90, .isa = {8, 0}, .form = form, .thr_id = kThread, .src = "(1,Z):(0,1)",
          .dst = "(1,Z):(0,1)", .ref = "(1,Z):(0,1)", .ptx = ptx, .source = "PTX ISA, cp.async.bulk.tensor", .t = types,
          .x = {1, 256}, .modifiers = kTmaSwizzles, .y = {1, 256}, .listed_x = {16, 16}, .listed_y = {8, 64, 56}};
}

/// One bit: a mode of extent 1 has stride 0.
constexpr CopyFamily of_one_bit(CopyFamily family) {
  family.t = "u1";
  family.src = family.dst = family.ref = kAnything;
  return family;
}
inline constexpr CopyFamily kUniversal = typed("UniversalCopy<{T.cute}>", CopyForm::universal, {}, {}, kMovable, "", "C++ assignment");
inline constexpr CopyFamily kAlways      = typed("SM80_CP_ASYNC_CACHEALWAYS<{T.cute}>",       CopyForm::cp_async,       kCopySm80, {7, 4}, kAsyncTypes, "cp.async.ca.shared.global.L2::128B", kAsyncSource);
inline constexpr CopyFamily kGlobal      = typed("SM80_CP_ASYNC_CACHEGLOBAL<{T.cute}>",       CopyForm::cp_async,       kCopySm80, {7, 4}, k16Bytes,    "cp.async.cg.shared.global.L2::128B", kAsyncSource);
inline constexpr CopyFamily kAlwaysZfill = typed("SM80_CP_ASYNC_CACHEALWAYS_ZFILL<{T.cute}>", CopyForm::cp_async_zfill, kCopySm80, {7, 4}, kAsyncTypes, "cp.async.ca.shared.global.L2::128B", kAsyncSource);
inline constexpr CopyFamily kGlobalZfill = typed("SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<{T.cute}>", CopyForm::cp_async_zfill, kCopySm80, {7, 4}, k16Bytes,    "cp.async.cg.shared.global.L2::128B", kAsyncSource);
inline constexpr Range kUpTo32{2, 32}, kUpTo64{2, 64}, kUpTo128{2, 128}, kOneTo128{1, 128}, kOnce{1, 1};

inline constexpr std::array kCopies = {
kUniversal, to(kUniversal, "UniversalCopy<{T.cute},{S.cute}>"), of_one_bit(kUniversal),
untyped("DefaultCopy"), untyped("AutoVectorizingCopy"), untyped("AutoVectorizingCopyWithAssumedAlignment<{X}>", {8, 128}),

CopyFamily{.name = "SM50_Shuffle_U32_2x2Trans_XOR1", .arch = kCopySm50, .isa = {6, 0}, .form = CopyForm::shuffle, .thr_id = kWarp,
           .src = "(32,64):(64,1)", .dst = "((2,16),(32,2)):((32,128),(1,64))", .ref = "(32,64):(64,1)", .ptx = "", .source = "PTX ISA, shfl.sync"},
CopyFamily{.name = "SM50_Shuffle_U32_2x2Trans_XOR4", .arch = kCopySm50, .isa = {6, 0}, .form = CopyForm::shuffle, .thr_id = kWarp,
           .src = "(32,64):(64,1)", .dst = "((4,2,4),(32,2)):((64,32,512),(1,256))", .ref = "(32,64):(64,1)", .ptx = "", .source = "PTX ISA, shfl.sync"},

//    name                 arch       ISA     shared   registers
load("SM75_U32x1_LDSM_N",  kCopySm75, {6, 5}, kRows8,  kWords1, "ldmatrix.sync.aligned.x1.m8n8.shared.b16"),
load("SM75_U32x2_LDSM_N",  kCopySm75, {6, 5}, kRows16, kWords2, "ldmatrix.sync.aligned.x2.m8n8.shared.b16"),
load("SM75_U32x4_LDSM_N",  kCopySm75, {6, 5}, kRows32, kWords4, "ldmatrix.sync.aligned.x4.m8n8.shared.b16"),
load("SM75_U16x2_LDSM_T",  kCopySm75, {6, 5}, kRows8,  kTrans1, "ldmatrix.sync.aligned.x1.trans.m8n8.shared.b16"),
load("SM75_U16x4_LDSM_T",  kCopySm75, {6, 5}, kRows16, kTrans2, "ldmatrix.sync.aligned.x2.trans.m8n8.shared.b16"),
load("SM75_U16x8_LDSM_T",  kCopySm75, {6, 5}, kRows32, kTrans4, "ldmatrix.sync.aligned.x4.trans.m8n8.shared.b16"),
// CuTe's layouts leave the transposition out.
executes(form(load("SM75_U32x1_MOVM_T", kCopySm75, {7, 8}, kWords1, kWords1, "movmatrix.sync.aligned.m8n8.trans.b16"), CopyForm::movmatrix, {7, 8}, "PTX ISA, movmatrix"), kTrans1),

kAlways,      to(kAlways,      "SM80_CP_ASYNC_CACHEALWAYS<{T.cute},{S.cute}>"),
kGlobal,      to(kGlobal,      "SM80_CP_ASYNC_CACHEGLOBAL<{T.cute},{S.cute}>"),
kAlwaysZfill, to(kAlwaysZfill, "SM80_CP_ASYNC_CACHEALWAYS_ZFILL<{T.cute},{S.cute}>"),
kGlobalZfill, to(kGlobalZfill, "SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<{T.cute},{S.cute}>"),

tma("SM90_TMA_LOAD_2D<{T.cute},{X},{Y},{mod}>", CopyForm::tma_load, kTmaLoadTypes,
    "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"),
tma("SM90_TMA_LOAD_MULTICAST_2D<{T.cute},{X},{Y},{mod}>", CopyForm::tma_load_multicast, kTmaLoadTypes,
    "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"),
tma("SM90_TMA_STORE_2D<{T.cute},{X},{Y},{mod}>", CopyForm::tma_store, kTmaStoreTypes, "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group"),
tma("SM90_TMA_REDUCE_ADD_2D<{T.cute},{X},{Y},{mod}>", CopyForm::tma_reduce, "s32",
    "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group"),

//     name                arch       ISA     registers shared
store("SM90_U32x1_STSM_N", kCopySm90, {7, 8}, kWords1, kRows8,  "stmatrix.sync.aligned.x1.m8n8.shared.b16"),
store("SM90_U32x2_STSM_N", kCopySm90, {7, 8}, kWords2, kRows16, "stmatrix.sync.aligned.x2.m8n8.shared.b16"),
store("SM90_U32x4_STSM_N", kCopySm90, {7, 8}, kWords4, kRows32, "stmatrix.sync.aligned.x4.m8n8.shared.b16"),
store("SM90_U16x2_STSM_T", kCopySm90, {7, 8}, kTrans1, kRows8,  "stmatrix.sync.aligned.x1.trans.m8n8.shared.b16"),
store("SM90_U16x4_STSM_T", kCopySm90, {7, 8}, kTrans2, kRows16, "stmatrix.sync.aligned.x2.trans.m8n8.shared.b16"),
store("SM90_U16x8_STSM_T", kCopySm90, {7, 8}, kTrans4, kRows32, "stmatrix.sync.aligned.x4.trans.m8n8.shared.b16"),

form(typed("SM100_LOAD_256bit_CACHE_NOALLOCATION",  CopyForm::ld_global, kCopySm100, {8, 8}, "u256", "ld.global.L1::no_allocate.v8.f32", "PTX ISA, ld"), CopyForm::ld_global, {8, 8}, "PTX ISA, ld"),
form(typed("SM100_STORE_256bit_CACHE_NOALLOCATION", CopyForm::st_global, kCopySm100, {8, 8}, "u256", "st.global.L1::no_allocate.v8.f32", "PTX ISA, st"), CopyForm::st_global, {8, 8}, "PTX ISA, st"),
load("SM100_U8x8_LDSM_T",          kCopySm100, {8, 6}, "((2,2,4,2),128):((128,1024,256,0),1)",    kByteTrans2, "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8"),
load("SM100_U8x16_LDSM_T",         kCopySm100, {8, 6}, "((2,2,4,2),128):((128,1024,256,2048),1)", kByteTrans4, "ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8"),
load("SM100_SU4_DU8x16_x1_LDSM_N", kCopySm100, {8, 6}, kRows8,  kWords1, "ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b4x16_p64"),
load("SM100_SU4_DU8x16_x2_LDSM_N", kCopySm100, {8, 6}, kRows16, kWords2, "ldmatrix.sync.aligned.m8n16.x2.shared.b8x16.b4x16_p64"),
load("SM100_SU4_DU8x16_x4_LDSM_N", kCopySm100, {8, 6}, kRows32, kWords4, "ldmatrix.sync.aligned.m8n16.x4.shared.b8x16.b4x16_p64"),
load("SM100_SU6_DU8x16_x1_LDSM_N", kCopySm100, {8, 6}, kRows8,  kWords1, "ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b6x16_p32"),
load("SM100_SU6_DU8x16_x2_LDSM_N", kCopySm100, {8, 6}, kRows16, kWords2, "ldmatrix.sync.aligned.m8n16.x2.shared.b8x16.b6x16_p32"),
load("SM100_SU6_DU8x16_x4_LDSM_N", kCopySm100, {8, 6}, kRows32, kWords4, "ldmatrix.sync.aligned.m8n16.x4.shared.b8x16.b6x16_p32"),
store("SM100_U8x4_STSM_T",         kCopySm100, {8, 6}, kByteTrans1, kRows8,  "stmatrix.sync.aligned.m16n8.x1.trans.shared.b8"),
store("SM100_U8x8_STSM_T",         kCopySm100, {8, 6}, kByteTrans2, kRows16, "stmatrix.sync.aligned.m16n8.x2.trans.shared.b8"),
store("SM100_U8x16_STSM_T",        kCopySm100, {8, 6}, kByteTrans4, kRows32, "stmatrix.sync.aligned.m16n8.x4.trans.shared.b8"),

//         name                                 X          tensor memory         registers
tmem_load ("SM100_TMEM_LOAD_16dp256b{X}x{mod}",  kOnce,     "(32,X*4096):(0,1)", "((4,8),(64,2)):((64,256),(1,2048))",           "tcgen05.ld.sync.aligned.16x256b.x{X}{mod.ptx}.b32"),
tmem_load ("SM100_TMEM_LOAD_16dp256b{X}x{mod}",  kUpTo32,   "(32,X*4096):(0,1)", "((4,8),(64,2,X)):((64,X*256),(1,X*2048,256))", "tcgen05.ld.sync.aligned.16x256b.x{X}{mod.ptx}.b32"),
tmem_load ("SM100_TMEM_LOAD_16dp128b{X}x{mod}",  kOnce,     "(32,X*2048):(0,1)", "((4,8),(32,2)):((32,128),(1,1024))",           "tcgen05.ld.sync.aligned.16x128b.x{X}{mod.ptx}.b32"),
tmem_load ("SM100_TMEM_LOAD_16dp128b{X}x{mod}",  kUpTo64,   "(32,X*2048):(0,1)", "((4,8),(32,2,X)):((32,X*128),(1,X*1024,128))", "tcgen05.ld.sync.aligned.16x128b.x{X}{mod.ptx}.b32"),
tmem_load ("SM100_TMEM_LOAD_16dp64b{X}x{mod}",   kOnce,     "(32,X*1024):(0,1)", "((2,2,8),32):((512,32,64),1)",                 "tcgen05.ld.sync.aligned.16x64b.x{X}{mod.ptx}.b32"),
tmem_load ("SM100_TMEM_LOAD_16dp64b{X}x{mod}",   kUpTo128,  "(32,X*1024):(0,1)", "((2,2,8),(32,X)):((X*512,32,X*64),(1,64))",    "tcgen05.ld.sync.aligned.16x64b.x{X}{mod.ptx}.b32"),
tmem_load ("SM100_TMEM_LOAD_16dp32b{X}x{mod}",   kOneTo128, "(32,X*1024):(0,1)", "((16,2),X*32):((X*64,X*32),1)",                "tcgen05.ld.sync.aligned.16x32bx2.x{X}{mod.ptx}.b32"),
tmem_load ("SM100_TMEM_LOAD_32dp32b{X}x{mod}",   kOneTo128, "(32,X*1024):(0,1)", "(32,X*32):(X*32,1)",                           "tcgen05.ld.sync.aligned.32x32b.x{X}{mod.ptx}.b32"),
tmem_store("SM100_TMEM_STORE_16dp256b{X}x{mod}", kOnce,     "(32,X*4096):(0,1)", "((4,8),(64,2)):((64,256),(1,2048))",           "tcgen05.st.sync.aligned.16x256b.x{X}{mod.ptx}.b32"),
tmem_store("SM100_TMEM_STORE_16dp256b{X}x{mod}", kUpTo32,   "(32,X*4096):(0,1)", "((4,8),(64,2,X)):((64,X*256),(1,X*2048,256))", "tcgen05.st.sync.aligned.16x256b.x{X}{mod.ptx}.b32"),
tmem_store("SM100_TMEM_STORE_16dp128b{X}x{mod}", kOnce,     "(32,X*2048):(0,1)", "((4,8),(32,2)):((32,128),(1,1024))",           "tcgen05.st.sync.aligned.16x128b.x{X}{mod.ptx}.b32"),
tmem_store("SM100_TMEM_STORE_16dp128b{X}x{mod}", kUpTo64,   "(32,X*2048):(0,1)", "((4,8),(32,2,X)):((32,X*128),(1,X*1024,128))", "tcgen05.st.sync.aligned.16x128b.x{X}{mod.ptx}.b32"),
tmem_store("SM100_TMEM_STORE_16dp64b{X}x{mod}",  kOnce,     "(32,X*1024):(0,1)", "((2,2,8),32):((512,32,64),1)",                 "tcgen05.st.sync.aligned.16x64b.x{X}{mod.ptx}.b32"),
tmem_store("SM100_TMEM_STORE_16dp64b{X}x{mod}",  kUpTo128,  "(32,X*1024):(0,1)", "((2,2,8),(32,X)):((X*512,32,X*64),(1,64))",    "tcgen05.st.sync.aligned.16x64b.x{X}{mod.ptx}.b32"),
tmem_store("SM100_TMEM_STORE_16dp32b{X}x{mod}",  kOneTo128, "(32,X*1024):(0,1)", "((16,2),X*32):((X*64,X*32),1)",                "tcgen05.st.sync.aligned.16x32bx2.x{X}{mod.ptx}.b32"),
tmem_store("SM100_TMEM_STORE_32dp32b{X}x{mod}",  kOneTo128, "(32,X*1024):(0,1)", "(32,X*32):(X*32,1)",                           "tcgen05.st.sync.aligned.32x32b.x{X}{mod.ptx}.b32"),
form(tmem_load("SM100_TMEM_LOAD_STAT_32dp32b{X}x", {32, 32},   "(32,X*1024):(0,1)", "(32,X*32):(X*32,1)", "tcgen05.ld.red.sync.aligned.32x32b.x{X}.max.f32"), CopyForm::tmem_load_reduce, {9, 0}, kTmemSource),
form(tmem_load("SM100_TMEM_LOAD_STAT_32dp32b{X}x", {128, 128}, "(32,X*1024):(0,1)", "(32,X*32):(X*32,1)", "tcgen05.ld.red.sync.aligned.32x32b.x{X}.max.f32"), CopyForm::tmem_load_reduce, {9, 0}, kTmemSource),

utccp("SM100_UTCCP_128dp256bit_1cta",        kThread,  "(1,32768):(0,1)", "(1,32768):(0,1)", "tcgen05.cp.cta_group::1.128x256b"),
utccp("SM100_UTCCP_128dp256bit_2cta",        kCtaPair, "(2,32768):(0,1)", "(2,32768):(0,1)", "tcgen05.cp.cta_group::2.128x256b"),
utccp("SM100_UTCCP_128dp128bit_1cta",        kThread,  "(1,16384):(0,1)", "(1,16384):(0,1)", "tcgen05.cp.cta_group::1.128x128b"),
utccp("SM100_UTCCP_128dp128bit_2cta",        kCtaPair, "(2,16384):(0,1)", "(2,16384):(0,1)", "tcgen05.cp.cta_group::2.128x128b"),
utccp("SM100_UTCCP_4dp256bit_1cta",          kThread,  "(1,(4,256)):(0,(32,128))", "(1,(4,256)):(0,(32,128))", "tcgen05.cp.cta_group::1.4x256b"),
utccp("SM100_UTCCP_4dp256bit_2cta",          kCtaPair, "(2,(4,256)):(0,(32,128))", "(2,(4,256)):(0,(32,128))", "tcgen05.cp.cta_group::2.4x256b"),
utccp("SM100_UTCCP_4x32dp128bit_1cta",       kThread,  "(1,(32,128,4)):(0,(1,32,0))", "(1,16384):(0,1)", "tcgen05.cp.cta_group::1.32x128b.warpx4"),
utccp("SM100_UTCCP_4x32dp128bit_2cta",       kCtaPair, "(2,(32,128,4)):(0,(1,32,0))", "(2,16384):(0,1)", "tcgen05.cp.cta_group::2.32x128b.warpx4"),
utccp("SM100_UTCCP_2x64dp128bitlw0213_1cta", kThread,  "(1,(64,128,2)):(0,(1,64,0))", "(1,16384):(0,1)", "tcgen05.cp.cta_group::1.64x128b.warpx2::02_13"),
utccp("SM100_UTCCP_2x64dp128bitlw0213_2cta", kCtaPair, "(2,(64,128,2)):(0,(1,64,0))", "(2,16384):(0,1)", "tcgen05.cp.cta_group::2.64x128b.warpx2::02_13"),
utccp("SM100_UTCCP_2x64dp128bitlw0123_1cta", kThread,  "(1,(32,128,2,2)):(0,(1,32,4096,0))", "(1,16384):(0,1)", "tcgen05.cp.cta_group::1.64x128b.warpx2::01_23"),
utccp("SM100_UTCCP_2x64dp128bitlw0123_2cta", kCtaPair, "(2,(32,128,2,2)):(0,(1,32,4096,0))", "(2,16384):(0,1)", "tcgen05.cp.cta_group::2.64x128b.warpx2::01_23"),
};
// clang-format on

}  // namespace jute::atom
