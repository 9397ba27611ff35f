#pragma once
// How an instruction of each row is written, so that each of its sources can be left unset.
#include <string>
#include <string_view>
#include <vector>

namespace jute::test {

/// Operands of the opcodes that a regular expression fits; the first row that fits counts. `=r` is
/// a result, `?r` a source that is left unset in its turn, `{?r*4}` a vector of such. Letters:
///   h r w v p   16, 32, 64, 128 bits, a predicate
///   T U         as the opcode's last type, as the one before it
///   g s b       an address of global memory, of shared memory, of an mbarrier there
///   m z n q     a member mask, 0, 16 bytes, a descriptor of wgmma
struct OperandRow {
  std::string_view opcode;
  std::string_view operands;
};

// clang-format off
inline constexpr OperandRow kOperandRows[] = {
    {R"(cvta\..*)", "=w, ?w"},
    {R"(isspacep\..*)", "=p, ?w"},
    {R"(setp\.\w+\.(and|or|xor)\..*x2)", "=p|=p, ?r, ?r, ?p"},
    {R"(setp\..*x2)", "=p|=p, ?r, ?r"},
    {R"(setp\.\w+\.(and|or|xor)\..*)", "=p, ?T, ?T, ?p"},
    {R"(setp\..*)", "=p|=p, ?T, ?T"},
    {R"(set\.\w+\.(and|or|xor)\..*)", "=U, ?T, ?T, ?p"},
    {R"(set\..*)", "=U, ?T, ?T"},
    {R"(lop3\..*)", "=r|=p, ?r, ?r, ?r, 0x96, ?p"},
    {R"(slct\..*)", "=U, ?U, ?U, ?T"},
    {R"((add|sub)c?\..*)", "=T, ?T, ?T"},
    {R"(madc?\..*)", "=T, ?T, ?T, ?T"},
    {R"(v(mad|\w+[24])\..*)", "=r, ?r, ?r, ?r"},
    {R"(v(add|sub|absdiff|min|max|shl|shr|set)\..*)", "=r, ?r, ?r"},
    {R"(ldu?\..*)", "=T, [?g]"},
    {R"(st\.async\..*)", "[?s], ?T, [?b]"},
    {R"(st\..*cache_hint.*)", "[?g], ?T, %sw"},
    {R"(st\..*)", "[?g], ?T"},
    {R"(atom\..*cas.*)", "=T, [?g], ?T, ?T"},
    {R"(atom\..*v2\..*)", "{=T*2}, [?g], {?T*2}"},
    {R"(atom\..*v8\..*)", "{=T*8}, [?g], {?T*8}"},
    {R"(atom\..*)", "=T, [?g], ?T"},
    {R"(red\.async\..*)", "[?s], ?T, [?b]"},
    {R"(red\..*v2\..*)", "[?g], {?T*2}"},
    {R"(red\..*v8\..*)", "[?g], {?T*8}"},
    {R"(red\..*)", "[?g], ?T"},
    {R"(tex\.level\..*)", "{=r*4}, [?w, {?r}], %sr"},
    {R"(tex\.grad\..*)", "{=r*4}, [?w, {?r}], {%sr}, {%sr}"},
    {R"(tex\..*)", "{=r*4}, [?w, {?r}]"},
    {R"(suld\..*)", "=h, [?w, {?r}]"},
    {R"(sust\..*)", "[?w, {?r}], ?h"},
    {R"((txq|suq)\..*)", "=r, [?w]"},
    {R"(brx\.idx.*)", "?z, targets"},
    {R"(alloca\..*)", "=w, ?w"},
    {R"(stackrestore\..*)", "?w"},
    {R"(nanosleep\..*)", "?r"},
    {R"(bar\.warp\.sync)", "?m"},
    {R"(bar(rier)?\.sync.*)", "?r"},
    {R"(bar(rier)?\.arrive.*)", "?r, 128"},
    {R"(bar(rier)?\.red\.popc.*)", "=r, ?r, ?p"},
    {R"(bar(rier)?\.red\..*)", "=p, ?r, ?p"},
    {R"(shfl\.sync\..*)", "=r, ?r, ?r, ?r, ?m"},
    {R"(shfl\..*)", "=r, ?r, ?r, ?r"},
    {R"(vote\.sync\.ballot.*)", "=r, ?p, ?m"},
    {R"(vote\.sync\..*)", "=p, ?p, ?m"},
    {R"(vote\.ballot.*)", "=r, ?p"},
    {R"(vote\..*)", "=p, ?p"},
    {R"(match\..*)", "=r, ?T, ?m"},
    {R"(redux\..*)", "=r, ?r, ?m"},
    {R"(elect\..*)", "=r|=p, ?m"},
    {R"(mapa\..*)", "=r, ?s, ?z"},
    {R"(getctarank\..*)", "=r, ?s"},
    {R"(cp\.async\.mbarrier\..*)", "[?b]"},
    {R"(cp\.async\.ca\..*cache_hint)", "[?s], [?g], 4, ?r, %sw"},
    {R"(cp\.async\.ca\..*)", "[?s], [?g], 4, ?r"},
    {R"(cp\.async\.bulk\.prefetch\.tensor.*)", "[?g, {?r}]"},
    {R"(cp\.async\.bulk\.prefetch\..*)", "[?g], ?n"},
    {R"(cp\.async\.bulk\.tensor.*mbarrier.*)", "[?s], [?g, {?r}], [?b]"},
    {R"(cp\.(reduce\.)?async\.bulk\.tensor.*)", "[?g, {?r}], [?s]"},
    {R"(cp\.(reduce\.)?async\.bulk\.shared::cluster\.shared.*)", "[?s], [?s], ?n, [?b]"},
    {R"(cp\.async\.bulk\.shared.*)", "[?s], [?g], ?n, [?b]"},
    {R"(cp\.(reduce\.)?async\.bulk\.global.*)", "[?g], [?s], ?n"},
    {R"(mbarrier\.(inval|arrive|arrive_drop)\.b64)", "[?b]"},
    {R"(mbarrier\..*noComplete.*)", "=w, [?b], ?r"},
    {R"(mbarrier\.(test|try)_wait.*)", "=p, [?b], ?w"},
    {R"(mbarrier\.pending_count.*)", "=r, ?w"},
    {R"(mbarrier\..*)", "[?b], ?r"},
    {R"(tensormap\.replace.*b64)", "[?g], ?w"},
    {R"(tensormap\.replace.*)", "[?g], ?r"},
    {R"(tensormap\.cp_fenceproxy.*)", "[?g], [?s], 128"},
    {R"(wgmma.*\.sp\..*k32\.f16\.f16\.f16)", "{+r*2}, ?q, ?q, ?r, 0, ?p, 1, 1, 0, 0"},
    {R"(wgmma.*\.sp\..*k16\..*)", "{+r*4}, ?q, ?q, ?r, 0, ?p, 1, 1"},
    {R"(wgmma.*\.sp\..*k64\.f16\..*)", "{+r*2}, ?q, ?q, ?r, 0, ?p, 1, 1"},
    {R"(wgmma.*\.sp\..*s32\..*)", "{+r*4}, ?q, ?q, ?r, 0, ?p"},
    {R"(wgmma.*k16\.f16\..*)", "{+r*2}, ?q, ?q, ?p, 1, 1, 0, 0"},
    {R"(wgmma.*k16\.f32\..*)", "{+r*4}, ?q, ?q, ?p, 1, 1, 0, 0"},
    {R"(wgmma.*k32\.f16\..*)", "{+r*2}, ?q, ?q, ?p, 1, 1"},
    {R"(wgmma.*\.s32\..*)", "{+r*4}, ?q, ?q, ?p"},
    {R"(wgmma.*mma_async.*)", "{+r*4}, ?q, ?q, ?p, 1, 1"},
    {R"(mma\.sync\.aligned\.m8n8k4\.row\.row\..*)", "{=r*4}, {?r*2}, {?r*2}, {?r*4}"},
    {R"(mma.*m16n8k8\..*\.f16.*)", "{=r*2}, {?r*2}, {?r*1}, {?r*2}"},
    {R"(mma\.sync.*m16n8k16\.row\.col\.f16\.f16.*)", "{=r*2}, {?r*4}, {?r*2}, {?r*2}"},
    {R"(mma\.sync.*m16n8k8\.row\.col\.f32\.bf16.*)", "{=r*4}, {?r*2}, {?r*1}, {?r*4}"},
    {R"(mma\.sync.*m16n8k4\.row\.col\.f32\.tf32.*)", "{=r*4}, {?r*2}, {?r*1}, {?r*4}"},
    {R"(mma.*m8n8k4\.row\.col\.f64.*)", "{=w*2}, {?w*1}, {?w*1}, {?w*2}"},
    {R"(mma.*m16n8k4\.row\.col\.f64.*)", "{=w*4}, {?w*2}, {?w*1}, {?w*4}"},
    {R"(mma\.sync.*m16n8k16.*f16\.e4m3.*)", "{=r*2}, {?r*2}, {?r*1}, {?r*2}"},
    {R"(mma\.sync.*m16n8k16.*s8.*)", "{=r*4}, {?r*2}, {?r*1}, {?r*4}"},
    {R"(mma\.sync.*m8n8k(16|32|128)\..*)", "{=r*2}, {?r*1}, {?r*1}, {?r*2}"},
    {R"(mma\.sync.*m16n8k(32|128)\..*)", "{=r*4}, {?r*2}, {?r*1}, {?r*4}"},
    {R"(mma\.sp.*m16n8k16.*f16\.f16.*)", "{=r*2}, {?r*2}, {?r*2}, {?r*2}, ?r, 0"},
    {R"(mma\.sp.*m16n8k64.*e4m3.*)", "{=r*4}, {?r*4}, {?r*4}, {?r*4}, ?r, 0"},
    {R"(mma\.sp.*)", "{=r*4}, {?r*2}, {?r*2}, {?r*4}, ?r, 0"},
    {R"(wmma\.load\.a.*\.(u8|s8))", "{=r*2}, [?g], ?n"},
    {R"(wmma\.load\.a.*\.f16)", "{=r*8}, [?g], ?n"},
    {R"(wmma\.load\.a.*\.(bf16|tf32))", "{=r*4}, [?g], ?n"},
    {R"(wmma\.load\.a.*\.f64)", "{=w*1}, [?g], ?n"},
    {R"(wmma\.load\.a.*\.(s4|u4|b1))", "{=r*1}, [?g], ?n"},
    {R"(wmma\.load\.c.*m8n8k(32|128).*)", "{=r*2}, [?g], ?n"},
    {R"(wmma\.load\.c.*\.f64)", "{=w*2}, [?g], ?n"},
    {R"(wmma\.load\.c.*\.f16)", "{=r*4}, [?g], ?n"},
    {R"(wmma\.load\.c.*)", "{=r*8}, [?g], ?n"},
    {R"(wmma\.mma.*\.f16\.f16)", "{=r*4}, {?r*8}, {?r*8}, {?r*4}"},
    {R"(wmma\.mma.*\.s8\.s8\.s32)", "{=r*8}, {?r*2}, {?r*2}, {?r*8}"},
    {R"(wmma\.mma.*(bf16|tf32).*)", "{=r*8}, {?r*4}, {?r*4}, {?r*8}"},
    {R"(wmma\.mma.*f64.*)", "{=w*2}, {?w*1}, {?w*1}, {?w*2}"},
    {R"(wmma\.mma.*)", "{=r*2}, {?r*1}, {?r*1}, {?r*2}"},
    {R"(ldmatrix\..*)", "{=r*1}, [?s]"},
    {R"(stmatrix\..*)", "[?s], {?r*1}"},
    {R"(movmatrix\..*)", "=r, ?r"},
};

/// Opcodes that this table leaves out, and why.
inline constexpr OperandRow kWithoutSources[] = {
    {R"((prefetch|prefetchu|applypriority|discard|createpolicy)\..*)", "hints, which read nothing"},
    {R"((membar|fence)\..*)", "a fence moves no value; its address names a range"},
    {R"(cvt\..*|mov\..*)", "tested with the lane functions"},
    {R"((bra|call|ret)(\..*)?)", "their guards, pointers and frames have tests of their own"},
    {R"(exit|trap|brkpt|activemask\..*|stacksave\..*|griddepcontrol\..*|barrier\.cluster.*)", "no source"},
    {R"(pmevent|setmaxnreg\..*|.*wait_group.*|.*commit_group.*|cp\.async\.wait_all|wgmma\.fence.*)", "numbers only"},
};
// clang-format on

}  // namespace jute::test
