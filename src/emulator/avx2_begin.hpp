// Functions from here to avx2_end.hpp may use AVX2 and FMA; no include guard: it is a bracket.
// Everything between the brackets has internal linkage, so that no other file's calls reach it.
#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma,bmi,bmi2,lzcnt,popcnt,f16c"))), \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC optimize("O3")
#pragma GCC target("avx2,fma,bmi,bmi2,lzcnt,popcnt,f16c")
#endif
#endif
