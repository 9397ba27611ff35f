// prelude/shared_address.cu: shared memory as instructions name it.
//   gives: unsigned shared_address(const void*)
__device__ __forceinline__ unsigned shared_address(const void* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}
