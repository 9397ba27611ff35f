// What the decoders of families.cpp take, as the PTX ISA spells it. A test decodes every spelling.
#include "emulator/decode/covered_forms.hpp"

#include <array>

namespace jute::emulator {
namespace {

using Forms = std::string_view;

// What several forms share.
struct Shorthand {
  std::string_view name;
  std::string_view meaning;
};
// clang-format off
constexpr Shorthand kShorthands[] = {
    {"<atomic>", "[.{relaxed,acquire,release,acq_rel}][<scope>][.{global,shared,shared::cta,shared::cluster}]"},
    {"<reduction>", "[.{relaxed,release}][<scope>][.{global,shared,shared::cta,shared::cluster}]"},
    {"<space>", "[.{global,shared,shared::cta,shared::cluster,local}]"},
    {"<scope>", ".{cta,cluster,gpu,sys}"},
    {"<narrow>", ".{b8,u8,s8,b16,u16,s16,b32,u32,s32,f32}"},
    {"<wide>", ".{b64,u64,s64,f64}"},
    {"<tensor>", "tensor.{1d,2d,3d,4d,5d}"},
    {"<n>", "n{8,16,24,32,40,48,56,64,72,80,88,96,104,112,120,128,136,144,152,160,168,176,184,192,200,208,216,224,232,240,248,256}"},
};

constexpr Forms kMov[] = {"mov.{pred,b16,u16,s16,b32,u32,s32,f32,b64,u64,s64,f64}"};
constexpr Forms kCvta[] = {"cvta[.to].{global,shared,shared::cta,shared::cluster,local,const,param}.u64"};
constexpr Forms kIsspacep[] = {"isspacep.{global,shared,shared::cta,shared::cluster,local,const,param}"};
constexpr Forms kSetp[] = {
    "setp.{eq,ne,lt,le,gt,ge}[.{and,or,xor}].{s16,s32,s64,u16,u32,u64}",
    "setp.{eq,ne,lo,ls,hi,hs}[.{and,or,xor}].{u16,u32,u64}",
    "setp.{eq,ne}[.{and,or,xor}].{b16,b32,b64}",
    "setp.{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}[.{and,or,xor}][.ftz].f32",
    "setp.{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}[.{and,or,xor}].f64",
};
constexpr Forms kSet[] = {
    "set.{eq,ne,lt,le,gt,ge}.{u32,s32,f32}.{s16,s32,s64,u16,u32,u64}",
    "set.{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}.{u32,s32,f32}.{f32,f64}",
};
constexpr Forms kSlct[] = {"slct.{b32,u32,s32,f32,b64,u64,s64,f64}.s32", "slct[.ftz].{b32,u32,s32,f32,b64,u64,s64,f64}.f32"};
constexpr Forms kAdd[] = {"add.cc.{u32,s32,u64,s64}"};
constexpr Forms kAddc[] = {"addc[.cc].{u32,s32,u64,s64}"};
constexpr Forms kSub[] = {"sub.cc.{u32,s32,u64,s64}"};
constexpr Forms kSubc[] = {"subc[.cc].{u32,s32,u64,s64}"};
constexpr Forms kMad[] = {"mad.{lo,hi}.cc.{u32,s32,u64,s64}"};
constexpr Forms kMadc[] = {"madc.{lo,hi}[.cc].{u32,s32,u64,s64}"};
constexpr Forms kLd[] = {
    "ld[.{weak,volatile}]<space>[.{v2,v4}]<narrow>",
    "ld[.{weak,volatile}]<space>[.v2]<wide>",
    "ld.{relaxed,acquire}<scope><space>[.{v2,v4}]<narrow>",
    "ld.{relaxed,acquire}<scope><space>[.v2]<wide>",
    "ld.{param,const}[.{v2,v4}]<narrow>",
    "ld.{param,const}[.v2]<wide>",
    "ld.global[.{ca,cg,cs,lu,cv}][.nc][.L2::128B][.{v2,v4}]<narrow>",
    "ld.global[.{ca,cg,cs,lu,cv}][.nc][.L2::128B][.v2]<wide>",
};
constexpr Forms kLdu[] = {"ldu[.global][.{v2,v4}]<narrow>", "ldu[.global][.v2]<wide>"};
constexpr Forms kSt[] = {
    "st[.{weak,volatile}]<space>[.{wb,cg,cs,wt}][.{v2,v4}]<narrow>",
    "st[.{weak,volatile}]<space>[.{wb,cg,cs,wt}][.v2]<wide>",
    "st.{relaxed,release}<scope><space>[.{v2,v4}]<narrow>",
    "st.{relaxed,release}<scope><space>[.v2]<wide>",
    "st.param[.{v2,v4}]<narrow>",
    "st.param[.v2]<wide>",
    "st.async[.weak].shared::cluster.mbarrier::complete_tx::bytes[.{v2,v4}].{b32,u32,s32,f32}",
    "st.async[.weak].shared::cluster.mbarrier::complete_tx::bytes[.v2].{b64,u64,s64,f64}",
};
constexpr Forms kAtom[] = {
    "atom<atomic>.{add,min,max}.{u32,s32,u64,s64}",
    "atom<atomic>.{and,or,xor,exch}.{b32,b64}",
    "atom<atomic>.cas.{b16,b32,b64}",
    "atom<atomic>.{inc,dec}.u32",
    "atom<atomic>.add.{f32,f64}",
    "atom<atomic>.add.noftz.{f16,bf16,f16x2,bf16x2}",
    "atom[.relaxed][.{cta,gpu,sys}].global.add.{v2,v4}.f32",
    "atom[.relaxed][.{cta,gpu,sys}].global.{add,min,max}.noftz.{v2,v4}.{f16,bf16,f16x2,bf16x2}",
};
constexpr Forms kRed[] = {
    "red<reduction>.{add,min,max}.{u32,s32,u64,s64}",
    "red<reduction>.{and,or,xor}.{b32,b64}",
    "red<reduction>.{inc,dec}.u32",
    "red<reduction>.add.{f32,f64}",
    "red<reduction>.add.noftz.{f16,bf16,f16x2,bf16x2}",
    "red[.relaxed][.{cta,gpu,sys}].global.add.{v2,v4}.f32",
    "red[.relaxed][.{cta,gpu,sys}].global.{add,min,max}.noftz.{v2,v4}.{f16,bf16,f16x2,bf16x2}",
};
constexpr Forms kPrefetch[] = {"prefetch[.{global,local}].{L1,L2}"};
constexpr Forms kPrefetchu[] = {"prefetchu.L1"};
constexpr Forms kApplypriority[] = {"applypriority[.global].L2::evict_normal"};
constexpr Forms kDiscard[] = {"discard[.global].L2"};
constexpr Forms kCreatepolicy[] = {"createpolicy.fractional.L2::{evict_first,evict_last,evict_normal,evict_unchanged}[.L2::evict_unchanged].b64"};
constexpr Forms kMembar[] = {"membar.{cta,gl,sys}"};
constexpr Forms kFence[] = {
    "fence[.{sc,acq_rel,acquire,release}]<scope>",
    "fence.proxy.async[.{global,shared::cta,shared::cluster}]",
    "fence.proxy.alias",
    "fence.proxy.tensormap::generic.{acquire,release}<scope>",
    "fence.mbarrier_init.release.cluster",
};
constexpr Forms kBra[] = {"bra[.uni]"};
constexpr Forms kBrx[] = {"brx.idx[.uni]"};
constexpr Forms kCall[] = {"call[.uni]"};
constexpr Forms kAlloca[] = {"alloca.u64"};
constexpr Forms kStacksave[] = {"stacksave.u64"};
constexpr Forms kStackrestore[] = {"stackrestore.u64"};
constexpr Forms kRet[] = {"ret[.uni]"};
constexpr Forms kExit[] = {"exit"};
constexpr Forms kBar[] = {"bar[.cta].{sync,arrive}", "bar[.cta].red.popc.u32", "bar[.cta].red.{and,or}.pred", "bar.warp.sync"};
constexpr Forms kBarrier[] = {
    "barrier[.cta].{sync,arrive}[.aligned]",
    "barrier[.cta].red.popc[.aligned].u32",
    "barrier[.cta].red.{and,or}[.aligned].pred",
    "barrier.cluster.arrive[.{release,relaxed}][.aligned]",
    "barrier.cluster.wait[.acquire][.aligned]",
};
constexpr Forms kTrap[] = {"trap"};
constexpr Forms kBrkpt[] = {"brkpt"};
constexpr Forms kPmevent[] = {"pmevent"};
constexpr Forms kSetmaxnreg[] = {"setmaxnreg.{inc,dec}.sync.aligned.u32"};
constexpr Forms kGriddepcontrol[] = {"griddepcontrol.{wait,launch_dependents}"};
constexpr Forms kNanosleep[] = {"nanosleep.u32"};
constexpr Forms kShfl[] = {"shfl.sync.{up,down,bfly,idx}.b32"};
constexpr Forms kVote[] = {"vote.sync.{all,any,uni}.pred", "vote.sync.ballot.b32"};
constexpr Forms kMatch[] = {"match.{any,all}.sync.{b32,b64}"};
constexpr Forms kRedux[] = {"redux.sync.{add,min,max}.{u32,s32}", "redux.sync.{and,or,xor}.b32"};
constexpr Forms kActivemask[] = {"activemask.b32"};
constexpr Forms kElect[] = {"elect.sync"};
constexpr Forms kCp[] = {
    "cp.async.{ca,cg}.shared[::cta].global[.L2::cache_hint][.{L2::64B,L2::128B,L2::256B}]",
    "cp.async.{commit_group,wait_group,wait_all}",
    "cp.async.mbarrier.arrive[.noinc][.shared[::cta]].b64",
    "cp.async.bulk.{shared::cluster,shared::cta}.global.mbarrier::complete_tx::bytes[.multicast::cluster][.L2::cache_hint]",
    "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes",
    "cp.async.bulk.global.shared::cta.bulk_group[.L2::cache_hint]",
    "cp.async.bulk.<tensor>.{shared::cluster,shared::cta}.global[.tile].mbarrier::complete_tx::bytes[.multicast::cluster][.L2::cache_hint]",
    "cp.async.bulk.<tensor>.global.shared::cta[.tile].bulk_group[.L2::cache_hint]",
    "cp.async.bulk.prefetch.L2.global",
    "cp.async.bulk.prefetch.<tensor>.L2.global[.tile]",
    "cp.async.bulk.commit_group",
    "cp.async.bulk.wait_group[.read]",
    "cp.reduce.async.bulk.global.shared::cta.bulk_group[.L2::cache_hint].{add,min,max}.{u32,s32,u64,s64}",
    "cp.reduce.async.bulk.global.shared::cta.bulk_group[.L2::cache_hint].{and,or,xor}.{b32,b64}",
    "cp.reduce.async.bulk.global.shared::cta.bulk_group[.L2::cache_hint].{inc,dec}.u32",
    "cp.reduce.async.bulk.global.shared::cta.bulk_group[.L2::cache_hint].add.{f32,f64}",
    "cp.reduce.async.bulk.global.shared::cta.bulk_group[.L2::cache_hint].{add,min,max}.noftz.{f16,bf16}",
    "cp.reduce.async.bulk.<tensor>.global.shared::cta.{add,min,max,inc,dec,and,or,xor}[.tile].bulk_group[.L2::cache_hint]",
};
constexpr Forms kMbarrier[] = {
    "mbarrier.{init,inval}[.shared[::cta]].b64",
    "mbarrier.{expect_tx,complete_tx}[.relaxed][.{cta,cluster}][.{shared,shared::cta,shared::cluster}].b64",
    "mbarrier.{arrive,arrive_drop}[.expect_tx][.{release,relaxed}][.{cta,cluster}][.{shared,shared::cta,shared::cluster}].b64",
    "mbarrier.{arrive,arrive_drop}.noComplete[.release][.cta][.shared[::cta]].b64",
    "mbarrier.{test_wait,try_wait}[.parity][.{acquire,relaxed}][.{cta,cluster}][.shared[::cta]].b64",
    "mbarrier.pending_count.b64",
};
constexpr Forms kTensormap[] = {
    "tensormap.replace.tile.{global_address,global_stride}[.{global,shared::cta}].b1024.b64",
    "tensormap.replace.tile.{rank,box_dim,global_dim,element_stride,elemtype,interleave_layout,swizzle_mode,fill_mode}[.{global,shared::cta}].b1024.b32",
    "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release<scope>.sync.aligned",
};
constexpr Forms kTex[] = {"tex[.{base,level,grad}].{1d,2d,3d,a1d,a2d}.v4.{f32,u32,s32}.{f32,s32}"};
constexpr Forms kSuld[] = {"suld.b.{1d,2d,3d,a1d,a2d}[.{ca,cg,cs,cv}][.{v2,v4}].{b8,b16,b32,b64}.{trap,clamp,zero}"};
constexpr Forms kSust[] = {"sust.b.{1d,2d,3d,a1d,a2d}[.{wb,cg,cs,wt}][.{v2,v4}].{b8,b16,b32,b64}.{trap,clamp,zero}"};
constexpr Forms kTxq[] = {"txq.{width,height,depth}.b32"};
constexpr Forms kSuq[] = {"suq.{width,height,depth}.b32"};
constexpr Forms kMapa[] = {"mapa[.shared::cluster].{u32,u64}"};
constexpr Forms kGetctarank[] = {"getctarank[.shared::cluster].{u32,u64}"};
constexpr Forms kWgmma[] = {
    "wgmma.mma_async.sync.aligned.m64<n>k16.f16.f16.f16",
    "wgmma.mma_async.sync.aligned.m64<n>k16.f32.{f16.f16,bf16.bf16}",
    "wgmma.mma_async.sync.aligned.m64<n>k8.f32.tf32.tf32",
    "wgmma.mma_async.sync.aligned.m64<n>k32.{f16,f32}.{e4m3,e5m2}.{e4m3,e5m2}",
    "wgmma.mma_async.sync.aligned.m64n{8,16,24,32,48,64,80,96,112,128,144,160,176,192,208,224,240,256}k32.s32.{s8,u8}.{s8,u8}[.satfinite]",
    "wgmma.mma_async.sp.sync.aligned.m64<n>k32.{f16.f16.f16,f32.f16.f16,f32.bf16.bf16}",
    "wgmma.mma_async.sp.sync.aligned.m64<n>k16.f32.tf32.tf32",
    "wgmma.mma_async.sp.sync.aligned.m64<n>k64.{f16,f32}.{e4m3,e5m2}.{e4m3,e5m2}",
    "wgmma.{fence,commit_group,wait_group}.sync.aligned",
};
constexpr Forms kMma[] = {
    "mma.sync.aligned.m8n8k4.{row,col}.{row,col}.{f16.f16.f16.f16,f32.f16.f16.f32}",
    "mma.sync.aligned.{m16n8k8,m16n8k16}.row.col.{f16.f16.f16.f16,f32.f16.f16.f32,f32.bf16.bf16.f32}",
    "mma.sync.aligned.{m16n8k4,m16n8k8}.row.col.f32.tf32.tf32.f32",
    "mma.sync.aligned.{m8n8k4,m16n8k4,m16n8k8,m16n8k16}.row.col.f64.f64.f64.f64",
    "mma.sync.aligned.m16n8k32.row.col.{f16.e4m3.e4m3.f16,f32.e4m3.e4m3.f32,f32.e4m3.e5m2.f32,f32.e5m2.e4m3.f32,f32.e5m2.e5m2.f32}",
    "mma.sync.aligned.{m8n8k16,m16n8k16,m16n8k32}.row.col[.satfinite].s32.{s8,u8}.{s8,u8}.s32",
    "mma.sync.aligned.{m8n8k32,m16n8k32,m16n8k64}.row.col[.satfinite].s32.{s4,u4}.{s4,u4}.s32",
    "mma.sync.aligned.{m8n8k128,m16n8k128,m16n8k256}.row.col.s32.b1.b1.s32.{xor,and}.popc",
    "mma.{sp,sp::ordered_metadata}.sync.aligned.{m16n8k16,m16n8k32}.row.col.{f16.f16.f16.f16,f32.f16.f16.f32,f32.bf16.bf16.f32}",
    "mma.{sp,sp::ordered_metadata}.sync.aligned.{m16n8k8,m16n8k16}.row.col.f32.tf32.tf32.f32",
    "mma.{sp,sp::ordered_metadata}.sync.aligned.{m16n8k32,m16n8k64}.row.col[.satfinite].s32.{s8,u8}.{s8,u8}.s32",
};
constexpr Forms kWmma[] = {
    "wmma.load.{a,b}.sync.aligned.{row,col}.{m16n16k16,m32n8k16,m8n32k16}[.{global,shared}].{f16,bf16,s8,u8}",
    "wmma.load.c.sync.aligned.{row,col}.{m16n16k16,m32n8k16,m8n32k16}[.{global,shared}].{f16,f32,s32}",
    "wmma.store.d.sync.aligned.{row,col}.{m16n16k16,m32n8k16,m8n32k16}[.{global,shared}].{f16,f32,s32}",
    "wmma.mma.sync.aligned.{row,col}.{row,col}.{m16n16k16,m32n8k16,m8n32k16}.{f16.f16,f32.f32}",
};
constexpr Forms kLdmatrix[] = {"ldmatrix.sync.aligned.m8n8.{x1,x2,x4}[.trans][.shared[::cta]].b16"};
constexpr Forms kStmatrix[] = {"stmatrix.sync.aligned.m8n8.{x1,x2,x4}[.trans][.shared[::cta]].b16"};
constexpr Forms kMovmatrix[] = {"movmatrix.sync.aligned.m8n8.trans.b16"};

constexpr FamilyForms kFamilyForms[] = {
    {"mov", kMov}, {"cvta", kCvta}, {"isspacep", kIsspacep}, {"setp", kSetp}, {"set", kSet},
    {"slct", kSlct}, {"add", kAdd}, {"addc", kAddc}, {"sub", kSub}, {"subc", kSubc}, {"mad", kMad},
    {"madc", kMadc}, {"ld", kLd}, {"ldu", kLdu}, {"st", kSt}, {"atom", kAtom}, {"red", kRed},
    {"prefetch", kPrefetch}, {"prefetchu", kPrefetchu}, {"applypriority", kApplypriority},
    {"discard", kDiscard}, {"createpolicy", kCreatepolicy}, {"membar", kMembar}, {"fence", kFence},
    {"bra", kBra}, {"brx", kBrx}, {"call", kCall}, {"alloca", kAlloca}, {"stacksave", kStacksave},
    {"stackrestore", kStackrestore}, {"ret", kRet}, {"exit", kExit}, {"bar", kBar},
    {"barrier", kBarrier}, {"trap", kTrap}, {"brkpt", kBrkpt}, {"pmevent", kPmevent},
    {"setmaxnreg", kSetmaxnreg}, {"griddepcontrol", kGriddepcontrol}, {"nanosleep", kNanosleep},
    {"shfl", kShfl}, {"vote", kVote}, {"match", kMatch}, {"redux", kRedux},
    {"activemask", kActivemask}, {"elect", kElect}, {"cp", kCp}, {"mbarrier", kMbarrier},
    {"tensormap", kTensormap}, {"tex", kTex}, {"suld", kSuld}, {"sust", kSust}, {"txq", kTxq},
    {"suq", kSuq}, {"mapa", kMapa}, {"getctarank", kGetctarank}, {"wgmma", kWgmma},
    {"mma", kMma}, {"wmma", kWmma}, {"ldmatrix", kLdmatrix}, {"stmatrix", kStmatrix},
    {"movmatrix", kMovmatrix},
};
// clang-format on

}  // namespace

std::span<const FamilyForms> family_forms() { return kFamilyForms; }

std::string written_out(std::string_view form) {
  std::string result(form);
  for (const Shorthand& shorthand : kShorthands)
    for (size_t at = result.find(shorthand.name); at != std::string::npos;
         at = result.find(shorthand.name))
      result.replace(at, shorthand.name.size(), shorthand.meaning);
  return result;
}

}  // namespace jute::emulator
