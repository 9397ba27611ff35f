// prelude/shared_address.cu: shared memory as instructions name it.
//   gives: unsigned shared_address(const void*)
__device__ __forceinline__ unsigned shared_address(const void* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

// prelude/shared_address.cu (settled): shared memory as instructions name it, a number that the compiler computes once.
//   needs: unsigned shared_address(const void*)
//   gives: unsigned settled_address(const void*)
__device__ __forceinline__ unsigned settled_address(const void* pointer) {
  unsigned address = shared_address(pointer);
  asm volatile("" : "+r"(address));
  return address;
}
