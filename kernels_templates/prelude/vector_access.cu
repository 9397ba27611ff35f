// prelude/vector_access.cu: memory accesses of 1 to 16 bytes that hold several elements.
//   gives: type Word<>, Vector<>; Vec load_vector<>(const Elem*, int)
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
  unsigned part[(sizeof(Elem) * kElems + 3) / 4];
  static constexpr int kCount = kElems;
};

// The first `valid` elements at `source`, zeros behind them. Compilers take words apart where they are loaded, and wait for
// each, if parts of them are named on another way: so those are shifted into words.
template <class Vec, class Elem>
__device__ __forceinline__ Vec load_vector(const Elem* source, int valid) {
  Vec result;
  result.word = decltype(result.word){};
  if (valid >= Vec::kCount) {
    result.word = *reinterpret_cast<const decltype(result.word)*>(source);
  } else if (valid > 0) {
    #pragma unroll
    for (int e = 0; e < Vec::kCount; ++e) {
      if (e >= valid) continue;
      typedef typename Word<sizeof(Elem)>::type Bits;
      if constexpr (sizeof(Elem) >= 4) result.elem[e] = source[e];
      else result.part[e * sizeof(Elem) / 4] |= static_cast<unsigned>(reinterpret_cast<const Bits*>(source)[e]) << e * sizeof(Elem) % 4 * 8;
    }
  }
  return result;
}

// prelude/vector_access.cu (elements): between registers, shared memory and D.
//   needs: type Vector<>
//   gives: void store_vector<>(unsigned char*, const Elem*), read_vector<>(Elem*, const unsigned char*), put_vector<>(Elem*, const Vector<Elem, kElems>&, int)
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

// prelude/vector_access.cu (chunks): 16 bytes that begin anywhere, from the chunks of 16 around them.
//   gives: uint4 chunk_behind(uint4, uint4, unsigned); unsigned past_chunk(const void*); void store_chunk(void*, uint4)
// Bytes from the start of its chunk of 16 to where the pointer points.
__device__ __forceinline__ unsigned past_chunk(const void* pointer) {
  return static_cast<unsigned>(reinterpret_cast<unsigned long long>(pointer)) % 16;
}

// The 16 bytes that begin so many bytes behind where `low` does; `high` lies behind it.
__device__ __forceinline__ uint4 chunk_behind(uint4 low, uint4 high, unsigned bytes) {
  const unsigned both[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
  unsigned pair[6], word[5];
  #pragma unroll
  for (int i = 0; i < 6; ++i) pair[i] = bytes & 8 ? both[i + 2] : both[i];
  #pragma unroll
  for (int i = 0; i < 5; ++i) word[i] = bytes & 4 ? pair[i + 1] : pair[i];
  const unsigned bits = bytes % 4 * 8;
  return make_uint4(__funnelshift_r(word[0], word[1], bits), __funnelshift_r(word[1], word[2], bits),
                    __funnelshift_r(word[2], word[3], bits), __funnelshift_r(word[3], word[4], bits));
}

// In one access to global memory, wherever the words come from: of an assignment the compiler may make four.
__device__ __forceinline__ void store_chunk(void* to, uint4 chunk) {
  asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};"
               :: "l"(to), "r"(chunk.x), "r"(chunk.y), "r"(chunk.z), "r"(chunk.w) : "memory");
}

// prelude/vector_access.cu (chunks of rows): such bytes of a row, of which `behind` elements lie before them and `left` from their
// first to the row's end. Chunks that hold bytes of other rows are not touched: what they have of this one goes
// element by element, once all chunks have been asked for.
//   needs: type Vector<>; uint4 chunk_behind(uint4, uint4, unsigned); unsigned past_chunk(const void*)
//   gives: type Chunks; Chunks load_chunks<>(const Elem*, int, int); Vec vector_of<>(const Chunks&, const Elem*, int)
struct Chunks {
  uint4 low, high;
  unsigned past;
  bool whole;  // nothing of other rows in them
};

template <class Elem>
__device__ __forceinline__ Chunks load_chunks(const Elem* source, int behind, int left) {
  constexpr int kElems = 16 / sizeof(Elem);
  const int past = past_chunk(source) / sizeof(Elem);
  const uint4* const chunk = reinterpret_cast<const uint4*>(source - past);
  Chunks it = {};
  it.past = past * sizeof(Elem);
  it.whole = past <= behind && left + past >= (past > 0 ? 2 : 1) * kElems;
  if (it.whole) it.low = chunk[0];
  if (it.whole && past > 0) it.high = chunk[1];
  return it;
}

template <class Vec, class Elem>
__device__ __forceinline__ Vec vector_of(const Chunks& it, const Elem* source, int left) {
  Vec result;
  if (it.whole) {
    result.word = chunk_behind(it.low, it.high, it.past);
  } else {
    #pragma unroll
    for (int e = 0; e < Vec::kCount; ++e) result.elem[e] = e < left ? source[e] : Elem{};
  }
  return result;
}
