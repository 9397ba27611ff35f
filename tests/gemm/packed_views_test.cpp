// Copies of Views: what lies side by side moves together, along the copy's rows or across them.
#include "support/catch.hpp"
#include "support/context_options.hpp"
#include "support/gemm_case.hpp"
#include "support/moved_views.hpp"

#include <jute/emulator/emulator.hpp>
#include <jute/plan/ask/problem.hpp>

#include <string>

using namespace jute;
using namespace jute::test;

namespace {

/// A problem, and what the kernel that moves its View must say.
struct PackedCase {
  const char *text, *way;
};

constexpr PackedCase kPacked[] = {
    // Rows in two modes, the second side by side: of whole chunks, of halves of them, of odd ones.
    {"M=120 N=64 K=72 A=bf16:view[((5,24),72):((1728,1),24)] B=bf16 D=bf16", "load_square<16>"},
    {"M=100 N=64 K=72 A=bf16:view[((5,20),72):((1440,1),20)] B=bf16 D=bf16", "load_square<8>"},
    {"M=55 N=64 K=70 A=f16:view[((5,11),70):((770,1),11)] B=f16 D=f16", "load_square<2>"},
    {"M=120 N=64 K=72 A=f16:view[((5,24),72):((1728,1),24)]:align4 B=f16 D=f16", "load_square<4>"},
    // Three modes, the side by side one between others; and a batch of them.
    {"M=96 N=40 K=40 A=bf16:view[((2,8,6),40):((2560,1,8),64)] B=bf16 D=bf16", "load_square<16>"},
    {"M=48 N=40 K=24 batch=3 A=bf16:view[((2,24),24,3):((576,1),24,1152)] B=bf16 D=bf16",
     "load_square<16>"},
    // Of both operands.
    {"M=120 N=48 K=72 A=bf16:view[((5,24),72):((1728,1),24)] "
     "B=bf16:view[((3,16),72):((1152,1),16)] D=bf16",
     "move_b"},
    // Of other widths.
    {"M=96 N=64 K=64 A=s8:view[((3,32),64):((2048,1),32)] B=s8 D=s32", "load_square<16>"},
    {"M=80 N=64 K=64 A=s8:view[((40,2),64):((1,6400),100)] B=s8 D=s32", "load_square<4>"},
    {"M=60 N=64 K=40 A=f32:view[((5,12),40):((480,1),12)] B=f32 D=f32", "load_square<16>"},
    {"M=30 N=32 K=20 A=f64:view[((5,6),20):((120,1),6)] B=f64 D=f64", "load_square<16>"},
    {"M=60 N=64 K=40 A=f32:view[((5,12),40):((480,1),12)] B=f32 D=f32 precision=bf16x6",
     "load_square<16>"},
    // Along K: runs of whole chunks, of two elements, of rows that end inside a chunk.
    {"M=64 N=64 K=72 A=bf16:view[((8,8),(24,3)):((24,1536),(1,192))] B=bf16 D=bf16", "kRun = 8"},
    {"M=64 N=64 K=66 A=bf16:view[((8,8),(22,3)):((22,1536),(1,192))] B=bf16 D=bf16", "kRun = 2"},
    {"M=64 N=64 K=51 A=bf16:view[((8,8),51):((56,1536),1)] B=bf16 D=bf16", "kRun = 8"},
    {"M=24 N=64 K=72 A=bf16:view[(24,(24,3)):(1@1,(1@0,1@1));box=(24,24):(1,24);origin=(0,-1);"
     "outside=zero] B=bf16 D=bf16",
     "kRun = 8"},
    // Every third and fifth element, of rows and of modes that end inside a chunk.
    {"M=40 N=64 K=72 A=bf16:view[(40,72):(216,3)] B=bf16 D=bf16", "kStep = 3"},
    {"M=40 N=64 K=75 A=bf16:view[(40,75):(376,5)] B=bf16 D=bf16", "kStep = 5"},
    {"M=40 N=64 K=96 A=f32:view[(40,(24,4)):(48,(2,1920))] B=f32 D=f32", "kStep = 2"},
    // C and D.
    {"M=120 N=72 K=64 A=bf16 B=bf16 D=bf16:view[((5,24),72):((1728,1),24)]", "store_square<16>"},
    {"M=100 N=72 K=64 A=f16 B=f16 D=f16:view[((5,20),72):((1440,1),20)]", "store_square<8>"},
    {"M=64 N=72 K=64 A=bf16 B=bf16 D=bf16:view[((8,8),(24,3)):((24,1536),(1,192))]", "kRun = 8"},
    {"M=120 N=72 K=64 A=bf16 B=bf16 C=bf16:view[((5,24),72):((1728,1),24)] D=bf16 beta=run-time",
     "load_square<16>"},
};

std::string moves_of(const Gemm& gemm) {
  std::string text;
  for (const Source& source : gemm.sources())
    if (source.text.find("move_") != std::string::npos) text += source.text;
  return text;
}

GemmCase case_of(const std::string& text) {
  GemmCase one{.problem = parse_problem(text), .config = {.pad = true}};
  one.seed = 3;
  one.beta = one.problem.beta == Factor::run_time ? 1 : 0;
  return one;
}

}  // namespace

TEST_CASE("copies of Views move together what lies side by side", "[gemm][view][pack]") {
  Context context(open_emulator(), with_kept_kernels());
  for (const PackedCase& each : kPacked) {
    INFO(each.text);
    const GemmCase one = case_of(each.text);
    const Gemm gemm = prepare(context, one.problem, one.config);
    CHECK(packs(gemm.plan()));
    for (const Error& broken : check(gemm.plan())) UNSCOPED_INFO(to_string(broken));
    CHECK(check(gemm.plan()).empty());
    CHECK(moves_of(gemm).find(each.way) != std::string::npos);
    const std::string failure = describe(one, run_case(context, one, make_data(one)));
    INFO(failure);
    CHECK(failure.empty());
  }
}

TEST_CASE("a copy in squares is made of fewer rows than its View has", "[gemm][view][pack]") {
  Context context(open_emulator(), with_kept_kernels());
  for (const Index m : {1, 4, 6, 37, 119, 120}) {
    GemmCase one = case_of(
        "M=120 N=64 K=72 A=bf16:view[((5,24),72):((1728,1),24)] B=bf16 "
        "D=bf16:view[((5,24),64):((1536,1),24)]");
    one.problem.m_range = MRange{1, 120};
    one.problem.m = m;
    const std::string failure = describe(one, run_case(context, one, make_data(one)));
    INFO(failure);
    CHECK(failure.empty());
  }
}
