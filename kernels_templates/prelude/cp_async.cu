// prelude/cp_async.cu: copies from global to shared memory that complete behind the program's back
// (sm_80). A copy writes all its bytes: the first `valid` elements, then zeros.
//   gives: void copy_async<>(unsigned, const Elem*, int), commit_copies(), wait_copies<>()
template <int kElems, class Elem>
__device__ __forceinline__ void copy_async(unsigned target, const Elem* source, int valid) {
  constexpr int kBytes = kElems * sizeof(Elem);
  constexpr int kElemBytes = sizeof(Elem);
  const int bytes = kElems == 1 ? (valid > 0 ? kElemBytes : 0) : min(max(valid, 0), kElems) * kElemBytes;
  if (kBytes == 16) {
    $[whole_line]
  } else {
    $[part]
  }
}
// Closes a group of copies, also an empty one: the count of groups then says which stage has landed.
__device__ __forceinline__ void commit_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }
// At most `kNewer` groups are still on their way.
template <int kNewer>
__device__ __forceinline__ void wait_copies() { asm volatile("cp.async.wait_group %0;" ::"n"(kNewer) : "memory"); }

// prelude/cp_async.cu (shown): what this thread's copies have written is there for the asynchronous proxy, by which
// wgmma reads stages (sm_90). Of copies that have been waited for; ahead of the arrival that tells of them.
//   gives: void show_copies()
__device__ __forceinline__ void show_copies() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
