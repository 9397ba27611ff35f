// prelude/vector_access.cu: memory accesses of 1 to 16 bytes that hold several elements.
//   gives: type Word<>, Vector<>; Vec load_vector<>(const Elem*, int)
//   gives: void store_vector<>(unsigned char*, const Elem*), read_vector<>(Elem*, const unsigned char*), put_vector<>(Elem*, const Vector<Elem, kElems>&, int)
template <int kBytes> struct Word;
template <> struct Word<1> { typedef unsigned char type; };
template <> struct Word<2> { typedef unsigned short type; };
template <> struct Word<4> { typedef unsigned type; };
template <> struct Word<8> { typedef uint2 type; };
template <> struct Word<16> { typedef uint4 type; };

template <class Elem, int kElems>
union Vector {
  typename Word<sizeof(Elem) * kElems>::type word;
  Elem elem[kElems];
  static constexpr int kCount = kElems;
};

// The first `valid` elements at `source`, zeros behind them.
template <class Vec, class Elem>
__device__ __forceinline__ Vec load_vector(const Elem* source, int valid) {
  Vec result;
  if (valid >= Vec::kCount) {
    result.word = *reinterpret_cast<const decltype(result.word)*>(source);
  } else {
    #pragma unroll
    for (int e = 0; e < Vec::kCount; ++e) result.elem[e] = e < valid ? source[e] : Elem{};
  }
  return result;
}

template <int kElems, class Elem>
__device__ __forceinline__ void store_vector(unsigned char* target, const Elem* elems) {
  Vector<Elem, kElems> packed;
  #pragma unroll
  for (int e = 0; e < kElems; ++e) packed.elem[e] = elems[e];
  *reinterpret_cast<decltype(packed.word)*>(target) = packed.word;
}

template <int kElems, class Elem>
__device__ __forceinline__ void read_vector(Elem* elems, const unsigned char* source) {
  Vector<Elem, kElems> packed;
  packed.word = *reinterpret_cast<const decltype(packed.word)*>(source);
  #pragma unroll
  for (int e = 0; e < kElems; ++e) elems[e] = packed.elem[e];
}

// Stores the first `valid` elements.
template <class Elem, int kElems>
__device__ __forceinline__ void put_vector(Elem* target, const Vector<Elem, kElems>& source, int valid) {
  if (valid >= kElems) {
    *reinterpret_cast<decltype(source.word)*>(target) = source.word;
  } else {
    #pragma unroll
    for (int e = 0; e < kElems; ++e)
      if (e < valid) target[e] = source.elem[e];
  }
}
