// The rows, by what instructions are for. Source: PTX ISA, the syntax and the target ISA notes of
// each instruction.
#include "emulator/decode/instruction_rows.hpp"

#include "emulator/async/queues.hpp"
#include "emulator/decode/families.hpp"
#include "emulator/run/barriers.hpp"
#include "emulator/run/collectives.hpp"
#include "emulator/run/memory_access.hpp"
#include "emulator/run/texture.hpp"
#include "emulator/tensor/mma.hpp"

#include <array>

namespace jute::emulator {
namespace {

// Parts that several forms share.
struct Shorthand {
  std::string_view name;
  std::string_view meaning;
};
using Row = InstructionRow;
// clang-format off
constexpr Shorthand kShorthands[] = {
    {"<atomic>", "[.{relaxed,acquire,release,acq_rel}][<scope>][.{global,shared,shared::cta,shared::cluster}]"},
    {"<reduction>", "[.{relaxed,release}][<scope>][.{global,shared,shared::cta,shared::cluster}]"},
    {"<vectors>", "[.relaxed][<scope>].global"},
    {"<space>", "[.{global,shared,shared::cta,shared::cluster,local}]"},
    {"<scope>", ".{cta,cluster,gpu,sys}"},
    {"<narrow>", ".{b8,u8,s8,b16,u16,s16,b32,u32,s32,f32}"},
    {"<wide>", ".{b64,u64,s64,f64}"},
    {"<kept>", "[.L1::{evict_normal,evict_unchanged,evict_first,evict_last,no_allocate}]"},
    {"<hints>", "<kept>[.L2::{evict_normal,evict_first,evict_last}][.L2::cache_hint]<prefetched>"},
    {"<prefetched>", "[.L2::{64B,128B,256B}]"},
    {"<tensor>", "tensor.{1d,2d,3d,4d,5d}"},
    {"<int>", ".{u32,s32}"},
    {"<truth>", ".{u32,s32,f32,f16,bf16}"},
    {"<compared>", ".{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}"},
    {"<shape>", ".{m16n16k16,m32n8k16,m8n32k16}"},
    {"<from>", "[.{global,shared,shared::cta,shared::cluster}]"},
    {"<n>", "n{8,16,24,32,40,48,56,64,72,80,88,96,104,112,120,128,136,144,152,160,168,176,184,192,200,208,216,224,232,240,248,256}"},
};
constexpr Arch kAny{}, k70{70}, k72{72}, k75{75}, k80{80}, k89{89}, k90{90}, k90a{90, 'a'};

constexpr Row kArithmetic[] = {
    {"mov.{pred,b16,u16,s16,b32,u32,s32,f32,b64,u64,s64,f64,b128}", kAny, "d, a", &decode_mov},
    {"cvta[.to].{global,shared,shared::cta,shared::cluster,local,const,param}.u64", kAny, "d, a", &decode_cvta},
    {"isspacep.{global,shared,shared::cta,shared::cluster,local,const,param,param::entry}", kAny, "p, a", &decode_isspacep},
    {"cvt.<lanes>", kAny, "d, a{, b}", &decode_cvt},
    {"setp.{eq,ne,lt,le,gt,ge}.{s16,s32,s64,u16,u32,u64}", kAny, "p|q, a, b", &decode_setp},
    {"setp.{eq,ne,lt,le,gt,ge}.{and,or,xor}.{s16,s32,s64,u16,u32,u64}", kAny, "p|q, a, b, c", &decode_setp},
    {"setp.{lo,ls,hi,hs}.{u16,u32,u64}", kAny, "p|q, a, b", &decode_setp},
    {"setp.{lo,ls,hi,hs}.{and,or,xor}.{u16,u32,u64}", kAny, "p|q, a, b, c", &decode_setp},
    {"setp.{eq,ne}.{b16,b32,b64}", kAny, "p|q, a, b", &decode_setp},
    {"setp.{eq,ne}.{and,or,xor}.{b16,b32,b64}", kAny, "p|q, a, b, c", &decode_setp},
    {"setp<compared>[.ftz].f32", kAny, "p|q, a, b", &decode_setp},
    {"setp<compared>.{and,or,xor}[.ftz].f32", kAny, "p|q, a, b, c", &decode_setp},
    {"setp<compared>.f64", kAny, "p|q, a, b", &decode_setp},
    {"setp<compared>.{and,or,xor}.f64", kAny, "p|q, a, b, c", &decode_setp},
    {"setp<compared>[.ftz].{f16,f16x2}", kAny, "p|q, a, b", &decode_setp},
    {"setp<compared>.{and,or,xor}[.ftz].{f16,f16x2}", kAny, "p|q, a, b, c", &decode_setp},
    {"setp<compared>.{bf16,bf16x2}", k90, "p|q, a, b", &decode_setp},
    {"setp<compared>.{and,or,xor}.{bf16,bf16x2}", k90, "p|q, a, b, c", &decode_setp},
    {"set.{eq,ne,lt,le,gt,ge}<truth>.{s16,s32,s64,u16,u32,u64}", kAny, "d, a, b", &decode_set},
    {"set.{eq,ne,lt,le,gt,ge}.{and,or,xor}<truth>.{s16,s32,s64,u16,u32,u64}", kAny, "d, a, b, c", &decode_set},
    {"set.{lo,ls,hi,hs}<truth>.{u16,u32,u64}", kAny, "d, a, b", &decode_set},
    {"set.{lo,ls,hi,hs}.{and,or,xor}<truth>.{u16,u32,u64}", kAny, "d, a, b, c", &decode_set},
    {"set.{eq,ne}<truth>.{b16,b32,b64}", kAny, "d, a, b", &decode_set},
    {"set.{eq,ne}.{and,or,xor}<truth>.{b16,b32,b64}", kAny, "d, a, b, c", &decode_set},
    {"set<compared>[.ftz]<truth>.f32", kAny, "d, a, b", &decode_set},
    {"set<compared>.{and,or,xor}[.ftz]<truth>.f32", kAny, "d, a, b, c", &decode_set},
    {"set<compared><truth>.f64", kAny, "d, a, b", &decode_set},
    {"set<compared>.{and,or,xor}<truth>.f64", kAny, "d, a, b, c", &decode_set},
    {"set<compared>[.ftz].{u16,s16,u32,s32,f32,f16}.f16", kAny, "d, a, b", &decode_set},
    {"set<compared>.{and,or,xor}[.ftz].{u16,s16,u32,s32,f32,f16}.f16", kAny, "d, a, b, c", &decode_set},
    {"set<compared>[.ftz].{u32,s32,f16x2}.f16x2", kAny, "d, a, b", &decode_set},
    {"set<compared>.{and,or,xor}[.ftz].{u32,s32,f16x2}.f16x2", kAny, "d, a, b, c", &decode_set},
    {"set<compared>.{u16,s16,u32,s32,f32,bf16}.bf16", k90, "d, a, b", &decode_set},
    {"set<compared>.{and,or,xor}.{u16,s16,u32,s32,f32,bf16}.bf16", k90, "d, a, b, c", &decode_set},
    {"set<compared>.{u32,s32,bf16x2}.bf16x2", k90, "d, a, b", &decode_set},
    {"set<compared>.{and,or,xor}.{u32,s32,bf16x2}.bf16x2", k90, "d, a, b, c", &decode_set},
    {"lop3.{and,or}.b32", k70, "d|p, a, b, c, table, q", &decode_lop3},
    {"slct.{b16,u16,s16,b32,u32,s32,f32,b64,u64,s64,f64}.s32", kAny, "d, a, b, c", &decode_slct},
    {"slct[.ftz].{b16,u16,s16,b32,u32,s32,f32,b64,u64,s64,f64}.f32", kAny, "d, a, b, c", &decode_slct},
    {"add.cc.{u32,s32,u64,s64}", kAny, "d, a, b", &decode_carry},
    {"addc[.cc].{u32,s32,u64,s64}", kAny, "d, a, b", &decode_carry},
    {"sub.cc.{u32,s32,u64,s64}", kAny, "d, a, b", &decode_carry},
    {"subc[.cc].{u32,s32,u64,s64}", kAny, "d, a, b", &decode_carry},
    {"mad.{lo,hi}.cc.{u32,s32,u64,s64}", kAny, "d, a, b, c", &decode_carry},
    {"madc.{lo,hi}[.cc].{u32,s32,u64,s64}", kAny, "d, a, b, c", &decode_carry},
};
constexpr Row kVideo[] = {
    {"vadd<int><int><int>[.sat][.{add,min,max}]", kAny, "d, a, b{, c}", &decode_video, &run_video},
    {"vsub<int><int><int>[.sat][.{add,min,max}]", kAny, "d, a, b{, c}", &decode_video, &run_video},
    {"vabsdiff<int><int><int>[.sat][.{add,min,max}]", kAny, "d, a, b{, c}", &decode_video, &run_video},
    {"vmin<int><int><int>[.sat][.{add,min,max}]", kAny, "d, a, b{, c}", &decode_video, &run_video},
    {"vmax<int><int><int>[.sat][.{add,min,max}]", kAny, "d, a, b{, c}", &decode_video, &run_video},
    {"vshl<int><int>.u32[.sat].{clamp,wrap}[.{add,min,max}]", kAny, "d, a, b{, c}", &decode_video, &run_video},
    {"vshr<int><int>.u32[.sat].{clamp,wrap}[.{add,min,max}]", kAny, "d, a, b{, c}", &decode_video, &run_video},
    {"vmad<int><int><int>[.po][.sat][.{shr7,shr15}]", kAny, "d, a, b, c", &decode_video, &run_video},
    {"vset<int><int>.{eq,ne,lt,le,gt,ge}[.{add,min,max}]", kAny, "d, a, b{, c}", &decode_video, &run_video},
    {"vadd2<int><int><int>[.{sat,add}]", kAny, "d, a, b, c", &decode_video, &run_video},
    {"vsub2<int><int><int>[.{sat,add}]", kAny, "d, a, b, c", &decode_video, &run_video},
    {"vavrg2<int><int><int>[.{sat,add}]", kAny, "d, a, b, c", &decode_video, &run_video},
    {"vabsdiff2<int><int><int>[.{sat,add}]", kAny, "d, a, b, c", &decode_video, &run_video},
    {"vmin2<int><int><int>[.{sat,add}]", kAny, "d, a, b, c", &decode_video, &run_video},
    {"vmax2<int><int><int>[.{sat,add}]", kAny, "d, a, b, c", &decode_video, &run_video},
    {"vset2<int><int>.{eq,ne,lt,le,gt,ge}[.add]", kAny, "d, a, b, c", &decode_video, &run_video},
    {"vadd4<int><int><int>[.{sat,add}]", kAny, "d, a, b, c", &decode_video, &run_video},
    {"vsub4<int><int><int>[.{sat,add}]", kAny, "d, a, b, c", &decode_video, &run_video},
    {"vavrg4<int><int><int>[.{sat,add}]", kAny, "d, a, b, c", &decode_video, &run_video},
    {"vabsdiff4<int><int><int>[.{sat,add}]", kAny, "d, a, b, c", &decode_video, &run_video},
    {"vmin4<int><int><int>[.{sat,add}]", kAny, "d, a, b, c", &decode_video, &run_video},
    {"vmax4<int><int><int>[.{sat,add}]", kAny, "d, a, b, c", &decode_video, &run_video},
    {"vset4<int><int>.{eq,ne,lt,le,gt,ge}[.add]", kAny, "d, a, b, c", &decode_video, &run_video},
};
constexpr Row kMemory[] = {
    {"ld[.{weak,volatile}]<space>[.{ca,cg,cs,lu,cv}]<prefetched>[.{v2,v4}]<narrow>", kAny, "d, [a]", &decode_load, &load_memory},
    {"ld[.{weak,volatile}]<space>[.{ca,cg,cs,lu,cv}]<prefetched>[.v2]<wide>", kAny, "d, [a]", &decode_load, &load_memory},
    {"ld.{relaxed,acquire}[<scope>]<space><kept>[.{v2,v4}]<narrow>", kAny, "d, [a]", &decode_load, &load_memory},
    {"ld.{relaxed,acquire}[<scope>]<space><kept>[.v2]<wide>", kAny, "d, [a]", &decode_load, &load_memory},
    {"ld.{relaxed,acquire}[<scope>][.global]<hints>[.{v2,v4}]<narrow>", k70, "d, [a]{, policy}", &decode_load, &load_memory},
    {"ld.{relaxed,acquire}[<scope>][.global]<hints>[.v2]<wide>", k70, "d, [a]{, policy}", &decode_load, &load_memory},
    {"ld.mmio.relaxed.sys[.global]<narrow>", k70, "d, [a]", &decode_load, &load_memory},
    {"ld.mmio.relaxed.sys[.global]<wide>", k70, "d, [a]", &decode_load, &load_memory},
    {"ld[.weak].{param,param::entry,param::func,const}[.{v2,v4}]<narrow>", kAny, "d, [a]", &decode_load, &load_memory},
    {"ld[.weak].{param,param::entry,param::func,const}[.v2]<wide>", kAny, "d, [a]", &decode_load, &load_memory},
    {"ld.global[.{ca,cg,cs,lu,cv}][.nc][.L2::cache_hint]<prefetched>[.{v2,v4}]<narrow>", kAny, "d, [a]{, policy}", &decode_load, &load_memory},
    {"ld.global[.{ca,cg,cs,lu,cv}][.nc][.L2::cache_hint]<prefetched>[.v2]<wide>", kAny, "d, [a]{, policy}", &decode_load, &load_memory},
    {"ld[.weak][.global][.nc]<hints>[.{v2,v4}]<narrow>", kAny, "d, [a]{, policy}", &decode_load, &load_memory},
    {"ld[.weak][.global][.nc]<hints>[.v2]<wide>", kAny, "d, [a]{, policy}", &decode_load, &load_memory},
    {"ld[.{weak,volatile}]<space>[.{ca,cg,cs,lu,cv}].b128", k70, "d, [a]", &decode_load, &load_memory},
    {"ld.{relaxed,acquire}[<scope>]<space>.b128", k70, "d, [a]", &decode_load, &load_memory},
    {"ld[.global][.nc]<hints>.b128", k70, "d, [a]{, policy}", &decode_load, &load_memory},
    {"ldu[.global][.{v2,v4}]<narrow>", kAny, "d, [a]", &decode_load, &load_memory},
    {"ldu[.global][.v2]<wide>", kAny, "d, [a]", &decode_load, &load_memory},
    {"st[.{weak,volatile}]<space>[.{wb,cg,cs,wt}][.{v2,v4}]<narrow>", kAny, "[a], b", &decode_store, &store_memory},
    {"st[.{weak,volatile}]<space>[.{wb,cg,cs,wt}][.v2]<wide>", kAny, "[a], b", &decode_store, &store_memory},
    {"st.{relaxed,release}[<scope>]<space><kept>[.{v2,v4}]<narrow>", kAny, "[a], b", &decode_store, &store_memory},
    {"st.{relaxed,release}[<scope>]<space><kept>[.v2]<wide>", kAny, "[a], b", &decode_store, &store_memory},
    {"st.{relaxed,release}[<scope>][.global]<hints>[.{v2,v4}]<narrow>", k70, "[a], b{, policy}", &decode_store, &store_memory},
    {"st.{relaxed,release}[<scope>][.global]<hints>[.v2]<wide>", k70, "[a], b{, policy}", &decode_store, &store_memory},
    {"st.mmio.relaxed.sys[.global]<narrow>", k70, "[a], b", &decode_store, &store_memory},
    {"st.mmio.relaxed.sys[.global]<wide>", k70, "[a], b", &decode_store, &store_memory},
    {"st.global[.{wb,cg,cs,wt}].L2::cache_hint[.{v2,v4}]<narrow>", k80, "[a], b, policy", &decode_store, &store_memory},
    {"st.global[.{wb,cg,cs,wt}].L2::cache_hint[.v2]<wide>", k80, "[a], b, policy", &decode_store, &store_memory},
    {"st[.weak][.global]<hints>[.{v2,v4}]<narrow>", kAny, "[a], b{, policy}", &decode_store, &store_memory},
    {"st[.weak][.global]<hints>[.v2]<wide>", kAny, "[a], b{, policy}", &decode_store, &store_memory},
    {"st[.{weak,volatile}]<space>[.{wb,cg,cs,wt}].b128", k70, "[a], b", &decode_store, &store_memory},
    {"st.{relaxed,release}[<scope>]<space>.b128", k70, "[a], b", &decode_store, &store_memory},
    {"st[.global]<hints>.b128", k70, "[a], b{, policy}", &decode_store, &store_memory},
    {"st.{param,param::func}[.{v2,v4}]<narrow>", kAny, "[a], b", &decode_store, &store_memory},
    {"st.{param,param::func}[.v2]<wide>", kAny, "[a], b", &decode_store, &store_memory},
    {"st.async[.weak].shared::cluster.mbarrier::complete_tx::bytes[.{v2,v4}].{b32,u32,s32,f32}", k90, "[a], b, [mbar]", &decode_async_store, &run_async_store, Flow::polling},
    {"st.async[.weak].shared::cluster.mbarrier::complete_tx::bytes[.v2].{b64,u64,s64,f64}", k90, "[a], b, [mbar]", &decode_async_store, &run_async_store, Flow::polling},
    {"atom<atomic>.{add,min,max}[.L2::cache_hint].{u32,s32,u64,s64}", kAny, "d, [a], b{, policy}", &decode_atomic, &run_atomic, Flow::polling},
    {"atom<atomic>.{and,or,xor,exch}[.L2::cache_hint].{b32,b64}", kAny, "d, [a], b{, policy}", &decode_atomic, &run_atomic, Flow::polling},
    {"atom<atomic>.cas.{b16,b32,b64}", kAny, "d, [a], b, c", &decode_atomic, &run_atomic, Flow::polling},
    {"atom<atomic>.exch[.L2::cache_hint].b128", k90, "d, [a], b{, policy}", &decode_atomic, &run_atomic, Flow::polling},
    {"atom<atomic>.cas.b128", k90, "d, [a], b, c", &decode_atomic, &run_atomic, Flow::polling},
    {"atom<atomic>.{inc,dec}[.L2::cache_hint].u32", kAny, "d, [a], b{, policy}", &decode_atomic, &run_atomic, Flow::polling},
    {"atom<atomic>.add[.L2::cache_hint].{f32,f64}", kAny, "d, [a], b{, policy}", &decode_atomic, &run_atomic, Flow::polling},
    {"atom<atomic>.add.noftz[.L2::cache_hint].{f16,bf16,f16x2,bf16x2}", kAny, "d, [a], b{, policy}", &decode_atomic, &run_atomic, Flow::polling},
    {"atom<vectors>.add[.L2::cache_hint].{v2,v4}.f32", k90, "d, [a], b{, policy}", &decode_atomic, &run_atomic, Flow::polling},
    {"atom<vectors>.{add,min,max}.noftz[.L2::cache_hint].{v2,v4}.{f16,bf16,f16x2,bf16x2}", k90, "d, [a], b{, policy}", &decode_atomic, &run_atomic, Flow::polling},
    {"atom<vectors>.{add,min,max}.noftz[.L2::cache_hint].v8.{f16,bf16}", k90, "d, [a], b{, policy}", &decode_atomic, &run_atomic, Flow::polling},
    {"red<reduction>.{add,min,max}[.L2::cache_hint].{u32,s32,u64,s64}", kAny, "[a], b{, policy}", &decode_atomic, &run_atomic, Flow::polling},
    {"red<reduction>.{and,or,xor}[.L2::cache_hint].{b32,b64}", kAny, "[a], b{, policy}", &decode_atomic, &run_atomic, Flow::polling},
    {"red<reduction>.{inc,dec}[.L2::cache_hint].u32", kAny, "[a], b{, policy}", &decode_atomic, &run_atomic, Flow::polling},
    {"red<reduction>.add[.L2::cache_hint].{f32,f64}", kAny, "[a], b{, policy}", &decode_atomic, &run_atomic, Flow::polling},
    {"red<reduction>.add.noftz[.L2::cache_hint].{f16,bf16,f16x2,bf16x2}", kAny, "[a], b{, policy}", &decode_atomic, &run_atomic, Flow::polling},
    {"red<vectors>.add[.L2::cache_hint].{v2,v4}.f32", k90, "[a], b{, policy}", &decode_atomic, &run_atomic, Flow::polling},
    {"red<vectors>.{add,min,max}.noftz[.L2::cache_hint].{v2,v4}.{f16,bf16,f16x2,bf16x2}", k90, "[a], b{, policy}", &decode_atomic, &run_atomic, Flow::polling},
    {"red<vectors>.{add,min,max}.noftz[.L2::cache_hint].v8.{f16,bf16}", k90, "[a], b{, policy}", &decode_atomic, &run_atomic, Flow::polling},
    {"red.async[.relaxed][.cluster][.shared::cluster].mbarrier::complete_tx::bytes.{add,min,max}.{u32,s32}", k90, "[a], b, [mbar]", &decode_async_store, &run_async_store, Flow::polling},
    {"red.async[.relaxed][.cluster][.shared::cluster].mbarrier::complete_tx::bytes.{inc,dec}.u32", k90, "[a], b, [mbar]", &decode_async_store, &run_async_store, Flow::polling},
    {"red.async[.relaxed][.cluster][.shared::cluster].mbarrier::complete_tx::bytes.{and,or,xor}.b32", k90, "[a], b, [mbar]", &decode_async_store, &run_async_store, Flow::polling},
    {"red.async[.relaxed][.cluster][.shared::cluster].mbarrier::complete_tx::bytes.add.u64", k90, "[a], b, [mbar]", &decode_async_store, &run_async_store, Flow::polling},
    {"prefetch[.{global,local}].{L1,L2}", kAny, "[a]", &decode_bare, &run_nothing},
    {"prefetch.global.L2::{evict_last,evict_normal}", kAny, "[a]", &decode_bare, &run_nothing},
    {"prefetch[.{const,param}].tensormap", k90, "[a]", &decode_bare, &run_nothing},
    {"prefetchu.L1", kAny, "[a]", &decode_bare, &run_nothing},
    {"applypriority[.global].L2::evict_normal", kAny, "[a], size", &decode_bare, &run_nothing},
    {"discard[.global].L2", kAny, "[a], size", &decode_bare, &run_nothing},
    {"createpolicy.fractional.L2::{evict_first,evict_last,evict_normal,evict_unchanged}[.L2::{evict_first,evict_unchanged}].b64", k80, "d{, fraction}", &decode_createpolicy},
    {"createpolicy.range[.global].L2::{evict_first,evict_last,evict_normal,evict_unchanged}[.L2::{evict_first,evict_unchanged}].b64", k80, "d, [a], size, size", &decode_createpolicy},
    {"createpolicy.cvt.L2.b64", k80, "d, property", &decode_createpolicy},
    {"membar.proxy.alias", k70, "", &decode_fence, &run_fence},
    {"membar.{cta,gl,sys}", kAny, "", &decode_fence, &run_fence},
    {"fence[.{sc,acq_rel,acquire,release}]<scope>", kAny, "", &decode_fence, &run_fence},
    {"fence.proxy.alias", k70, "", &decode_fence, &run_fence},
    {"fence.proxy.async[.{global,shared::cta,shared::cluster}]", k90, "", &decode_fence, &run_proxy_fence},
    {"fence.{acquire,release}.sync_restrict::shared::{cta,cluster}.cluster", k90, "", &decode_fence, &run_fence},
    {"fence.proxy.async::generic.{acquire,release}.sync_restrict::shared::{cta,cluster}.cluster", k90, "", &decode_fence, &run_proxy_fence},
    {"fence.proxy.tensormap::generic.release<scope>", k90, "", &decode_fence, &run_map_fence},
    {"fence.proxy.tensormap::generic.acquire<scope>", k90, "[a], size", &decode_fence, &run_map_fence},
    {"fence.mbarrier_init.release.cluster", k90, "", &decode_fence, &run_init_fence},
};
constexpr Row kTexture[] = {
    {"tex[.base].{1d,2d,3d,a1d,a2d}.v4.{f32,u32,s32}.{f32,s32}", kAny, "d, [object, at]", &decode_texture_fetch, &run_texture_fetch},
    {"tex.level.{1d,2d,3d,a1d,a2d}.v4.{f32,u32,s32}.{f32,s32}", kAny, "d, [object, at], level", &decode_texture_fetch, &run_texture_fetch},
    {"tex.grad.{1d,2d,3d,a1d,a2d}.v4.{f32,u32,s32}.{f32,s32}", kAny, "d, [object, at], dx, dy", &decode_texture_fetch, &run_texture_fetch},
    {"suld.b.{1d,2d,3d,a1d,a2d}[.{ca,cg,cs,cv}][.{v2,v4}].{b8,b16,b32,b64}.{trap,clamp,zero}", kAny, "d, [object, at]", &decode_surface_access, &run_surface_load},
    {"sust.b.{1d,2d,3d,a1d,a2d}[.{wb,cg,cs,wt}][.{v2,v4}].{b8,b16,b32,b64}.{trap,clamp,zero}", kAny, "[object, at], b", &decode_surface_access, &run_surface_store},
    {"txq.{width,height,depth}.b32", kAny, "d, [object]", &decode_texture_query, &run_texture_query},
    {"suq.{width,height,depth}.b32", kAny, "d, [object]", &decode_texture_query, &run_texture_query},
};
constexpr Row kControl[] = {
    {"bra[.uni]", kAny, "target", &decode_branch, nullptr, Flow::branch},
    {"brx.idx[.uni]", kAny, "index, targets", &decode_branch_table, nullptr, Flow::table},
    {"call[.uni]", kAny, "{(results), }function{, (arguments)}{, prototype}", &decode_call},
    {"ret[.uni]", kAny, "", &decode_bare, nullptr, Flow::ret},
    {"exit", kAny, "", &decode_bare, nullptr, Flow::exit},
    {"trap", kAny, "", &decode_bare, nullptr, Flow::trap},
    {"brkpt", kAny, "", &decode_bare, &run_nothing},
    {"pmevent[.mask]", kAny, "a", &decode_bare, &run_nothing},
    {"alloca.u64", kAny, "d, size{, align}", &decode_alloca, &run_alloca, Flow::polling},
    {"stacksave.u64", kAny, "d", &decode_stack_save, &run_stack_save},
    {"stackrestore.u64", kAny, "a", &decode_stack_restore, &run_stack_restore},
    {"nanosleep.u32", kAny, "time", &decode_nanosleep, &run_yield, Flow::polling},
    {"setmaxnreg.{inc,dec}.sync.aligned.u32", k90a, "count", &decode_set_registers, &run_set_registers, Flow::collective},
    {"griddepcontrol.{wait,launch_dependents}", k90, "", &decode_grid_control, &run_grid_control},
    {"bar.warp.sync", kAny, "mask", &decode_meeting, &run_meet, Flow::collective},
    {"bar[.cta].sync", kAny, "a{, threads}", &decode_barrier, nullptr, Flow::barrier},
    {"bar[.cta].arrive", kAny, "a, threads", &decode_barrier, nullptr, Flow::barrier},
    {"bar[.cta].red.popc.u32", kAny, "d, a{, threads}, p", &decode_barrier, nullptr, Flow::barrier},
    {"bar[.cta].red.{and,or}.pred", kAny, "d, a{, threads}, p", &decode_barrier, nullptr, Flow::barrier},
    {"barrier[.cta].sync[.aligned]", kAny, "a{, threads}", &decode_barrier, nullptr, Flow::barrier},
    {"barrier[.cta].arrive[.aligned]", kAny, "a, threads", &decode_barrier, nullptr, Flow::barrier},
    {"barrier[.cta].red.popc[.aligned].u32", kAny, "d, a{, threads}, p", &decode_barrier, nullptr, Flow::barrier},
    {"barrier[.cta].red.{and,or}[.aligned].pred", kAny, "d, a{, threads}, p", &decode_barrier, nullptr, Flow::barrier},
    {"barrier.cluster.arrive[.{release,relaxed}][.aligned]", k90, "", &decode_cluster_barrier, &run_cluster_arrive},
    {"barrier.cluster.wait[.acquire][.aligned]", k90, "", &decode_cluster_barrier, nullptr, Flow::cluster_wait},
};
constexpr Row kWarp[] = {
    {"shfl.sync.{up,down,bfly,idx}.b32", kAny, "d|p, a, b, c, mask", &decode_shuffle, &run_shuffle, Flow::collective},
    {"shfl.{up,down,bfly,idx}.b32", kAny, "d|p, a, b, c", &decode_shuffle, &run_shuffle, Flow::collective},
    {"vote.{all,any,uni}.pred", kAny, "d, p", &decode_vote, &run_vote, Flow::collective},
    {"vote.ballot.b32", kAny, "d, p", &decode_vote, &run_ballot, Flow::collective},
    {"vote.sync.{all,any,uni}.pred", kAny, "d, p, mask", &decode_vote, &run_vote, Flow::collective},
    {"vote.sync.ballot.b32", kAny, "d, p, mask", &decode_vote, &run_ballot, Flow::collective},
    {"match.{any,all}.sync.{b32,b64}", kAny, "d|p, a, mask", &decode_match, &run_match, Flow::collective},
    {"redux.sync.{add,min,max}.{u32,s32}", k80, "d, a, mask", &decode_reduce, &run_reduce, Flow::collective},
    {"redux.sync.{and,or,xor}.b32", k80, "d, a, mask", &decode_reduce, &run_reduce, Flow::collective},
    {"activemask.b32", kAny, "d", &decode_active_mask, &run_active_mask},
    {"elect.sync", k90, "d|p, mask", &decode_elect, &run_elect, Flow::collective},
    {"mapa[.shared::cluster].{u32,u64}", k90, "d, a, rank", &decode_map_address, &run_map_address},
    {"getctarank[.shared::cluster].{u32,u64}", k90, "d, a", &decode_get_rank, &run_get_rank},
};
constexpr Row kAsync[] = {
    {"cp.async.{ca,cg}.shared[::cta].global[.{L2::64B,L2::128B,L2::256B}]", k80, "[to], [from], bytes{, source}", &decode_copy, &run_async_copy},
    {"cp.async.{ca,cg}.shared[::cta].global.L2::cache_hint[.{L2::64B,L2::128B,L2::256B}]", k80, "[to], [from], bytes{, source}, policy", &decode_copy, &run_async_copy},
    {"cp.async.commit_group", k80, "", &decode_bare, &run_commit_copies},
    {"cp.async.wait_group", k80, "newest", &decode_group_wait, &run_wait_copies},
    {"cp.async.wait_all", k80, "", &decode_group_wait, &run_wait_copies},
    {"cp.async.mbarrier.arrive[.noinc][.shared[::cta]].b64", k80, "[mbar]", &decode_copy_arrive, &run_mbarrier, Flow::polling},
    {"cp.async.bulk.{shared::cluster,shared::cta}.global.mbarrier::complete_tx::bytes[.multicast::cluster][.L2::cache_hint]", k90, "[to], [from], bytes, [mbar]{, ranks}{, policy}", &decode_bulk_load, &run_bulk, Flow::polling},
    {"cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes", k90, "[to], [from], bytes, [mbar]", &decode_bulk_load, &run_bulk, Flow::polling},
    {"cp.async.bulk.<tensor>.{shared::cluster,shared::cta}.global[.tile].mbarrier::complete_tx::bytes[.multicast::cluster][.cta_group::{1,2}][.L2::cache_hint]", k90, "[to], [map, at], [mbar]{, ranks}{, policy}", &decode_bulk_load, &run_bulk, Flow::polling},
    {"cp.async.bulk.global.shared::cta.bulk_group[.L2::cache_hint]", k90, "[to], [from], bytes{, policy}", &decode_bulk_store, &run_bulk, Flow::polling},
    {"cp.async.bulk.<tensor>.global.shared::cta[.tile].bulk_group[.L2::cache_hint]", k90, "[map, at], [from]{, policy}", &decode_bulk_store, &run_bulk, Flow::polling},
    {"cp.async.bulk.prefetch.L2.global[.L2::cache_hint]", k90, "[from], bytes{, policy}", &decode_bulk_fetch, &run_bulk_fetch},
    {"cp.async.bulk.prefetch.<tensor>.L2.global[.tile][.L2::cache_hint]", k90, "[map, at]{, policy}", &decode_bulk_fetch, &run_bulk_fetch},
    {"cp.async.bulk.commit_group", k90, "", &decode_bare, &run_commit_bulk},
    {"cp.async.bulk.wait_group[.read]", k90, "newest", &decode_group_wait, &run_wait_bulk},
    {"cp.reduce.async.bulk.global.shared::cta.bulk_group[.L2::cache_hint].{add,min,max}.{u32,s32,u64,s64}", k90, "[to], [from], bytes{, policy}", &decode_bulk_reduce, &run_bulk, Flow::polling},
    {"cp.reduce.async.bulk.global.shared::cta.bulk_group[.L2::cache_hint].{and,or,xor}.{b32,b64}", k90, "[to], [from], bytes{, policy}", &decode_bulk_reduce, &run_bulk, Flow::polling},
    {"cp.reduce.async.bulk.global.shared::cta.bulk_group[.L2::cache_hint].{inc,dec}.u32", k90, "[to], [from], bytes{, policy}", &decode_bulk_reduce, &run_bulk, Flow::polling},
    {"cp.reduce.async.bulk.global.shared::cta.bulk_group[.L2::cache_hint].add.{f32,f64}", k90, "[to], [from], bytes{, policy}", &decode_bulk_reduce, &run_bulk, Flow::polling},
    {"cp.reduce.async.bulk.global.shared::cta.bulk_group[.L2::cache_hint].{add,min,max}.noftz.{f16,bf16}", k90, "[to], [from], bytes{, policy}", &decode_bulk_reduce, &run_bulk, Flow::polling},
    {"cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.{add,min,max}.{u32,s32}", k90, "[to], [from], bytes, [mbar]", &decode_bulk_load, &run_bulk, Flow::polling},
    {"cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u64", k90, "[to], [from], bytes, [mbar]", &decode_bulk_load, &run_bulk, Flow::polling},
    {"cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.{inc,dec}.u32", k90, "[to], [from], bytes, [mbar]", &decode_bulk_load, &run_bulk, Flow::polling},
    {"cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.{and,or,xor}.b32", k90, "[to], [from], bytes, [mbar]", &decode_bulk_load, &run_bulk, Flow::polling},
    {"cp.reduce.async.bulk.<tensor>.global.shared::cta.{add,min,max,inc,dec,and,or,xor}[.tile].bulk_group[.L2::cache_hint]", k90, "[map, at], [from]{, policy}", &decode_bulk_reduce, &run_bulk, Flow::polling},
    {"mbarrier.init[.shared[::cta]].b64", k80, "[mbar], count", &decode_mbarrier, &run_mbarrier, Flow::polling},
    {"mbarrier.inval[.shared[::cta]].b64", k80, "[mbar]", &decode_mbarrier, &run_mbarrier, Flow::polling},
    {"mbarrier.{expect_tx,complete_tx}[.relaxed][.{cta,cluster}][.{shared,shared::cta,shared::cluster}].b64", k90, "[mbar], bytes", &decode_mbarrier, &run_mbarrier, Flow::polling},
    {"mbarrier.{arrive,arrive_drop}[.{release,relaxed}][.{cta,cluster}][.{shared,shared::cta,shared::cluster}].b64", k80, "{state, }[mbar]{, count}", &decode_mbarrier, &run_mbarrier, Flow::polling},
    {"mbarrier.{arrive,arrive_drop}.expect_tx[.{release,relaxed}][.{cta,cluster}][.{shared,shared::cta,shared::cluster}].b64", k90, "{state, }[mbar], bytes", &decode_mbarrier, &run_mbarrier, Flow::polling},
    {"mbarrier.{arrive,arrive_drop}.noComplete[.release][.cta][.shared[::cta]].b64", k80, "{state, }[mbar], count", &decode_mbarrier, &run_mbarrier, Flow::polling},
    {"mbarrier.test_wait[.parity][.{acquire,relaxed}][.{cta,cluster}][.shared[::cta]].b64", k80, "p, [mbar], phase", &decode_mbarrier, &run_mbarrier, Flow::polling},
    {"mbarrier.try_wait[.parity][.{acquire,relaxed}][.{cta,cluster}][.shared[::cta]].b64", k90, "p, [mbar], phase{, time}", &decode_mbarrier, &run_mbarrier, Flow::polling},
    {"mbarrier.pending_count.b64", k80, "d, state", &decode_pending_count, &run_mbarrier},
    {"tensormap.replace.tile.{global_address,global_stride}[.{global,shared::cta}].b1024.b64", k90a, "[map]{, ordinal}, value", &decode_replace},
    {"tensormap.replace.tile.{rank,box_dim,global_dim,element_stride,elemtype,interleave_layout,swizzle_mode,swizzle_atomicity,fill_mode}[.{global,shared::cta}].b1024.b32", k90a, "[map]{, ordinal}, value", &decode_replace},
    {"tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release<scope>.sync.aligned", k90, "[to], [from], size", &decode_copy_of_map},
};
constexpr Row kTensor[] = {
    {"wgmma.mma_async.sync.aligned.m64<n>k16.f16.f16.f16", k90a, "d, a, b, scale_d{, scale_a, scale_b, trans_a, trans_b}", &decode_wgmma, &run_wgmma, Flow::collective},
    {"wgmma.mma_async.sync.aligned.m64<n>k16.f32.{f16.f16,bf16.bf16}", k90a, "d, a, b, scale_d{, scale_a, scale_b, trans_a, trans_b}", &decode_wgmma, &run_wgmma, Flow::collective},
    {"wgmma.mma_async.sync.aligned.m64<n>k8.f32.tf32.tf32", k90a, "d, a, b, scale_d{, scale_a, scale_b}", &decode_wgmma, &run_wgmma, Flow::collective},
    {"wgmma.mma_async.sync.aligned.m64<n>k32.{f16,f32}.{e4m3,e5m2}.{e4m3,e5m2}", k90a, "d, a, b, scale_d{, scale_a, scale_b}", &decode_wgmma, &run_wgmma, Flow::collective},
    {"wgmma.mma_async.sync.aligned.m64n{8,16,24,32,48,64,80,96,112,128,144,160,176,192,208,224,240,256}k32.s32.{s8,u8}.{s8,u8}[.satfinite]", k90a, "d, a, b, scale_d", &decode_wgmma, &run_wgmma, Flow::collective},
    {"wgmma.mma_async.sp.sync.aligned.m64<n>k32.{f16.f16.f16,f32.f16.f16,f32.bf16.bf16}", k90a, "d, a, b, metadata, selector, scale_d{, scale_a, scale_b, trans_a, trans_b}", &decode_wgmma, &run_wgmma, Flow::collective},
    {"wgmma.mma_async.sp.sync.aligned.m64<n>k16.f32.tf32.tf32", k90a, "d, a, b, metadata, selector, scale_d{, scale_a, scale_b}", &decode_wgmma, &run_wgmma, Flow::collective},
    {"wgmma.mma_async.sp.sync.aligned.m64<n>k64.{f16,f32}.{e4m3,e5m2}.{e4m3,e5m2}", k90a, "d, a, b, metadata, selector, scale_d{, scale_a, scale_b}", &decode_wgmma, &run_wgmma, Flow::collective},
    {"wgmma.mma_async.sp.sync.aligned.m64n{8,16,24,32,48,64,80,96,112,128,144,160,176,192,208,224,240,256}k64.s32.{s8,u8}.{s8,u8}[.satfinite]", k90a, "d, a, b, metadata, selector, scale_d", &decode_wgmma, &run_wgmma, Flow::collective},
    {"wgmma.fence.sync.aligned", k90a, "", &decode_bare, &run_fence_products, Flow::collective},
    {"wgmma.commit_group.sync.aligned", k90a, "", &decode_bare, &run_commit_products, Flow::collective},
    {"wgmma.wait_group.sync.aligned", k90a, "newest", &decode_group_wait, &run_wait_products, Flow::product_wait},
    {"mma.sync.aligned.m8n8k4.{row,col}.{row,col}.{f16.f16.f16.f16,f32.f16.f16.f32}", k70, "d, a, b, c", &decode_mma, &run_quadpair_mma, Flow::collective},
    {"mma.sync.aligned.m16n8k8.row.col.{f16.f16.f16.f16,f32.f16.f16.f32}", k75, "d, a, b, c", &decode_mma, &run_mma, Flow::collective},
    {"mma.sync.aligned.m16n8k16.row.col.{f16.f16.f16.f16,f32.f16.f16.f32}", k80, "d, a, b, c", &decode_mma, &run_mma, Flow::collective},
    {"mma.sync.aligned.{m16n8k8,m16n8k16}.row.col.f32.bf16.bf16.f32", k80, "d, a, b, c", &decode_mma, &run_mma, Flow::collective},
    {"mma.sync.aligned.{m16n8k4,m16n8k8}.row.col.f32.tf32.tf32.f32", k80, "d, a, b, c", &decode_mma, &run_mma, Flow::collective},
    {"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", k80, "d, a, b, c", &decode_mma, &run_mma, Flow::collective},
    {"mma.sync.aligned.{m16n8k4,m16n8k8,m16n8k16}.row.col.f64.f64.f64.f64", k90, "d, a, b, c", &decode_mma, &run_mma, Flow::collective},
    {"mma.sync.aligned.{m16n8k16,m16n8k32}.row.col.{f16.e4m3.e4m3.f16,f16.e4m3.e5m2.f16,f16.e5m2.e4m3.f16,f16.e5m2.e5m2.f16,f32.e4m3.e4m3.f32,f32.e4m3.e5m2.f32,f32.e5m2.e4m3.f32,f32.e5m2.e5m2.f32}", k89, "d, a, b, c", &decode_mma, &run_mma, Flow::collective},
    {"mma.sync.aligned.m8n8k16.row.col[.satfinite].s32.{s8,u8}.{s8,u8}.s32", k75, "d, a, b, c", &decode_mma, &run_mma, Flow::collective},
    {"mma.sync.aligned.{m16n8k16,m16n8k32}.row.col[.satfinite].s32.{s8,u8}.{s8,u8}.s32", k80, "d, a, b, c", &decode_mma, &run_mma, Flow::collective},
    {"mma.sync.aligned.m8n8k32.row.col[.satfinite].s32.{s4,u4}.{s4,u4}.s32", k75, "d, a, b, c", &decode_mma, &run_mma, Flow::collective},
    {"mma.sync.aligned.{m16n8k32,m16n8k64}.row.col[.satfinite].s32.{s4,u4}.{s4,u4}.s32", k80, "d, a, b, c", &decode_mma, &run_mma, Flow::collective},
    {"mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.{xor,and}.popc", k75, "d, a, b, c", &decode_mma, &run_mma, Flow::collective},
    {"mma.sync.aligned.{m16n8k128,m16n8k256}.row.col.s32.b1.b1.s32.{xor,and}.popc", k80, "d, a, b, c", &decode_mma, &run_mma, Flow::collective},
    {"mma.{sp,sp::ordered_metadata}.sync.aligned.{m16n8k16,m16n8k32}.row.col.{f16.f16.f16.f16,f32.f16.f16.f32,f32.bf16.bf16.f32}", k80, "d, a, b, c, metadata, selector", &decode_mma, &run_mma, Flow::collective},
    {"mma.{sp,sp::ordered_metadata}.sync.aligned.{m16n8k8,m16n8k16}.row.col.f32.tf32.tf32.f32", k80, "d, a, b, c, metadata, selector", &decode_mma, &run_mma, Flow::collective},
    {"mma.{sp,sp::ordered_metadata}.sync.aligned.{m16n8k32,m16n8k64}.row.col[.satfinite].s32.{s8,u8}.{s8,u8}.s32", k80, "d, a, b, c, metadata, selector", &decode_mma, &run_mma, Flow::collective},
    {"mma.{sp,sp::ordered_metadata}.sync.aligned.{m16n8k64,m16n8k128}.row.col[.satfinite].s32.{s4,u4}.{s4,u4}.s32", k80, "d, a, b, c, metadata, selector", &decode_mma, &run_mma, Flow::collective},
    {"mma.{sp,sp::ordered_metadata}.sync.aligned.m16n8k64.row.col.f32.{e4m3,e5m2}.{e4m3,e5m2}.f32", k89, "d, a, b, c, metadata, selector", &decode_mma, &run_mma, Flow::collective},
    {"wmma.load.{a,b}.sync.aligned.{row,col}<shape><from>.f16", k70, "d, [a], stride", &decode_wmma_access, &run_wmma_access, Flow::collective},
    {"wmma.load.{a,b}.sync.aligned.{row,col}<shape><from>.{s8,u8}", k72, "d, [a], stride", &decode_wmma_access, &run_wmma_access, Flow::collective},
    {"wmma.load.{a,b}.sync.aligned.{row,col}<shape><from>.bf16", k80, "d, [a], stride", &decode_wmma_access, &run_wmma_access, Flow::collective},
    {"wmma.load.{a,b}.sync.aligned.{row,col}.m16n16k8<from>.tf32", k80, "d, [a], stride", &decode_wmma_access, &run_wmma_access, Flow::collective},
    {"wmma.load.{a,b}.sync.aligned.{row,col}.m8n8k4<from>.f64", k80, "d, [a], stride", &decode_wmma_access, &run_wmma_access, Flow::collective},
    {"wmma.load.{a,b}.sync.aligned.{row,col}.m8n8k32<from>.{s4,u4}", k75, "d, [a], stride", &decode_wmma_access, &run_wmma_access, Flow::collective},
    {"wmma.load.{a,b}.sync.aligned.{row,col}.m8n8k128<from>.b1", k75, "d, [a], stride", &decode_wmma_access, &run_wmma_access, Flow::collective},
    {"wmma.{load.c,store.d}.sync.aligned.{row,col}<shape><from>.{f16,f32}", k70, "{d, }[a]{, c}, stride", &decode_wmma_access, &run_wmma_access, Flow::collective},
    {"wmma.{load.c,store.d}.sync.aligned.{row,col}<shape><from>.s32", k72, "{d, }[a]{, c}, stride", &decode_wmma_access, &run_wmma_access, Flow::collective},
    {"wmma.{load.c,store.d}.sync.aligned.{row,col}.{m8n8k32,m8n8k128}<from>.s32", k75, "{d, }[a]{, c}, stride", &decode_wmma_access, &run_wmma_access, Flow::collective},
    {"wmma.{load.c,store.d}.sync.aligned.{row,col}.m16n16k8<from>.f32", k80, "{d, }[a]{, c}, stride", &decode_wmma_access, &run_wmma_access, Flow::collective},
    {"wmma.{load.c,store.d}.sync.aligned.{row,col}.m8n8k4<from>.f64", k80, "{d, }[a]{, c}, stride", &decode_wmma_access, &run_wmma_access, Flow::collective},
    {"wmma.mma.sync.aligned.{row,col}.{row,col}<shape>.{f16.f16,f32.f32}", k70, "d, a, b, c", &decode_wmma_product, &run_mma, Flow::collective},
    {"wmma.mma.sync.aligned.{row,col}.{row,col}<shape>.s32.{s8,u8}.{s8,u8}.s32[.satfinite]", k72, "d, a, b, c", &decode_wmma_product, &run_mma, Flow::collective},
    {"wmma.mma.sync.aligned.{row,col}.{row,col}<shape>.f32.bf16.bf16.f32", k80, "d, a, b, c", &decode_wmma_product, &run_mma, Flow::collective},
    {"wmma.mma.sync.aligned.{row,col}.{row,col}.m16n16k8.f32.tf32.tf32.f32", k80, "d, a, b, c", &decode_wmma_product, &run_mma, Flow::collective},
    {"wmma.mma.sync.aligned.{row,col}.{row,col}.m8n8k4[.rn].f64.f64.f64.f64", k80, "d, a, b, c", &decode_wmma_product, &run_mma, Flow::collective},
    {"wmma.mma.sync.aligned.row.col.m8n8k32.s32.{s4,u4}.{s4,u4}.s32[.satfinite]", k75, "d, a, b, c", &decode_wmma_product, &run_mma, Flow::collective},
    {"wmma.mma.{xor,and}.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32", k75, "d, a, b, c", &decode_wmma_product, &run_mma, Flow::collective},
    {"ldmatrix.sync.aligned.m8n8.{x1,x2,x4}[.trans][.shared[::cta]].b16", k75, "d, [a]", &decode_matrix_access, &run_load_matrix, Flow::collective},
    {"stmatrix.sync.aligned.m8n8.{x1,x2,x4}[.trans][.shared[::cta]].b16", k90, "[a], b", &decode_matrix_access, &run_store_matrix, Flow::collective},
    {"movmatrix.sync.aligned.m8n8.trans.b16", k75, "d, a", &decode_move_matrix, &run_move_matrix, Flow::collective},
};
// clang-format on

template <size_t... sizes>
constexpr auto joined(const Row (&... tables)[sizes]) {
  std::array<Row, (sizes + ...)> rows{};
  size_t at = 0;
  const auto append = [&](const auto& table) {
    for (const Row& row : table) rows[at++] = row;
  };
  (append(tables), ...);
  return rows;
}
constexpr auto kRows =
    joined(kArithmetic, kVideo, kMemory, kTexture, kControl, kWarp, kAsync, kTensor);

}  // namespace

std::span<const InstructionRow> instruction_rows() { return kRows; }

std::string written_out(std::string_view form) {
  std::string result(form);
  // From the front: what a shorthand means may hold a later one.
  for (bool changed = true; changed;) {
    changed = false;
    for (const Shorthand& shorthand : kShorthands) {
      const size_t at = result.find(shorthand.name);
      if (at == std::string::npos) continue;
      result.replace(at, shorthand.name.size(), shorthand.meaning);
      changed = true;
    }
  }
  return result;
}

}  // namespace jute::emulator
