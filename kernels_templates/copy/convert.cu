// copy/convert.cu: a thread's fragment of ${X} as memory has it, contiguous along K.
//   needs: type ${type}, Word<>; int kCopyElems${X}
//   gives: type Stored${X}; int kStoredBytes${X}, kWords${X}, kOfWord${X}
//   fills: type = e4m3; bits = 8
constexpr int kOfWord${X} = 32 / ${bits};
constexpr int kStoredBytes${X} = kCopyElems${X} * ${bits} / 8;
constexpr int kWords${X} = (kStoredBytes${X} + 3) / 4;
union Stored${X} {
  Word<kStoredBytes${X}>::type word;
  ${type} elem[kStoredBytes${X}];
  unsigned part[kWords${X}];
};

// copy/convert.cu (tile): a thread's fragments of a tile of ${X} on their way from memory, the numbers of their blocks, what they become.
//   needs: type Stored${X}, Vector${X}; int kCopies${X}, ${x}_k_left, ${x}_left
//   gives: Stored${X} ${x}_stored[]; Vector${X} ${x}_staged[]; bool is_inside_${x}(int, int)
//   fills: in_line = mn < a_left &&
Stored${X} ${x}_stored[kCopies${X}];
Vector${X} ${x}_staged[kCopies${X}];
$[numbers]
const auto is_inside_${x} = [&](int mn, int along_k) { return ${in_line}along_k < ${x}_k_left; };

// copy/convert.cu (load): the next tile on its way. It becomes what is multiplied when all of both operands are.
//   needs: type Elem${X}, Stored${X}; Stored${X} ${x}_stored[]; const Elem${X}* ${x}; const Elem${X}* ${x}_source
//   needs: int kCopies${X}, kCopyElems${X}; int ${x}_k_left, ${x}_left, k, matrix, ${mn}; long long ld${x}
//   needs: bool is_inside_${x}(int, int); int copy_${x}_k(int), copy_${x}_mn(int)
//   gives: void load_${x}()
//   fills: bits = 8
const auto load_${x} = [&] {
  #pragma unroll
  for (int i = 0; i < kCopies${X}; ++i) {
    const int mn = copy_${x}_mn(i * kCopyElems${X}), along_k = copy_${x}_k(i * kCopyElems${X});
    const long long at = ${x}_source - ${x} + (mn * ld${x} + along_k);
    const unsigned row = ${mn} - ${x}_left + mn, place = k - ${x}_k_left + along_k;
    ${x}_stored[i] = {};
    $[outside]
    if (!is_inside_${x}(mn, along_k)) continue;
    ${x}_stored[i].word = *reinterpret_cast<const decltype(Stored${X}::word)*>(reinterpret_cast<const unsigned char*>(${x}) + (at * ${bits} >> 3));
    $[load]
  }
};

// copy/convert.cu (settle): what is multiplied, element by element; past the edge that is zero.
//   needs: type Elem${X}, Stored${X}, Vector${X}; Stored${X} ${x}_stored[]; Vector${X} ${x}_staged[]; const Elem${X}* ${x}_source
//   needs: int kCopies${X}, kCopyElems${X}, kTileK; int ${x}_k_left; bool is_inside_${x}(int, int)
//   needs: int copy_${x}_k(int), copy_${x}_mn(int); float number_at(const ${type}*, long long); void from_compute(float, Elem${X}*)
//   gives: void settle_${x}(); float value
//   fills: type = e4m3
const auto settle_${x} = [&] {
  #pragma unroll
  for (int i = 0; i < kCopies${X}; ++i) {
    const bool is_inside = is_inside_${x}(copy_${x}_mn(i * kCopyElems${X}), copy_${x}_k(i * kCopyElems${X}));
    #pragma unroll
    for (int e = 0; e < kCopyElems${X}; ++e) {
      float value = number_at(${x}_stored[i].elem, e);
      $[value]
      from_compute(is_inside ? value : 0, ${x}_staged[i].elem + e);
    }
  }
  ${x}_source += kTileK;
  ${x}_k_left -= kTileK;
};

// copy/convert.cu (settle pairs): what is multiplied, two neighbours at a time in the type that is; past the edge that is zero.
//   needs: type Elem${X}, Stored${X}, Vector${X}; Stored${X} ${x}_stored[]; Vector${X} ${x}_staged[]; const Elem${X}* ${x}_source
//   needs: int kCopies${X}, kCopyElems${X}, kOfWord${X}, kTileK, kWords${X}; int ${x}_k_left; bool is_inside_${x}(int, int)
//   needs: int copy_${x}_k(int), copy_${x}_mn(int); void pairs_of_${type}(unsigned, unsigned*)
//   gives: void settle_${x}(); unsigned pair
//   fills: type = e5m2
const auto settle_${x} = [&] {
  #pragma unroll
  for (int i = 0; i < kCopies${X}; ++i) {
    $[numbers]
    #pragma unroll
    for (int word = 0; word < kWords${X}; ++word) {
      unsigned pairs[kOfWord${X} / 2];
      pairs_of_${type}(${x}_stored[i].part[word], pairs);
      #pragma unroll
      for (int p = 0; p < kOfWord${X} / 2 && p < kCopyElems${X} / 2; ++p) {
        unsigned& pair = pairs[p];
        $[value]
        ${x}_staged[i].part[word * kOfWord${X} / 2 + p] = pair;
      }
    }
  }
  ${x}_source += kTileK;
  ${x}_k_left -= kTileK;
};

// copy/convert.cu (settle floats): what is multiplied, elements in f32 that are rounded two by two; past the edge that is zero.
//   needs: type Elem${X}, Stored${X}, Vector${X}; Stored${X} ${x}_stored[]; Vector${X} ${x}_staged[]; const Elem${X}* ${x}_source
//   needs: int kCopies${X}, kCopyElems${X}, kOfWord${X}, kTileK, kWords${X}; int ${x}_k_left; bool is_inside_${x}(int, int)
//   needs: int copy_${x}_k(int), copy_${x}_mn(int); void floats_of_${type}(unsigned, float*); unsigned rounded_pair(float, float)
//   gives: void settle_${x}(); float value
//   fills: type = e5m2
const auto settle_${x} = [&] {
  #pragma unroll
  for (int i = 0; i < kCopies${X}; ++i) {
    $[numbers]
    #pragma unroll
    for (int word = 0; word < kWords${X}; ++word) {
      float values[kOfWord${X}];
      floats_of_${type}(${x}_stored[i].part[word], values);
      #pragma unroll
      for (int e = 0; e < kOfWord${X} && e < kCopyElems${X}; ++e) {
        float& value = values[e];
        $[value]
        if (e % 2 == 1) ${x}_staged[i].part[(word * kOfWord${X} + e) / 2] = rounded_pair(values[e - 1], value);
      }
    }
  }
  ${x}_source += kTileK;
  ${x}_k_left -= kTileK;
};

// copy/convert.cu (ask): the next tile of ${X} on its way to a stage as memory has it, where each thread looks for its own vectors
// alone; zeros past the edge.
//   needs: type Elem${X}; const Elem${X}* ${x}; const Elem${X}* ${x}_source
//   needs: int kCopies${X}, kCopyElems${X}, kStages, kStoredAt${X}, kStoredBytes${X}, kThreads, kTileK; int thread, ${x}_k_left, ${x}_left
//   needs: int copy_${x}_k(int), copy_${x}_mn(int); long long ld${x}; unsigned char* smem
//   needs: unsigned shared_address(const void*); void copy_async<>(unsigned, const Elem*, int)
//   gives: unsigned ${x}_stored_stages; void ask_${x}(int)
//   fills: bits = 8; in_line = mn < a_left &&
const unsigned ${x}_stored_stages = shared_address(smem + kStoredAt${X}) + thread * kStoredBytes${X};
long long ${x}_asked = ${x}_source - ${x};
int ${x}_asked_left = ${x}_k_left;
const auto ask_${x} = [&](int stage) {
  #pragma unroll
  for (int i = 0; i < kCopies${X}; ++i) {
    const int mn = copy_${x}_mn(i * kCopyElems${X}), along_k = copy_${x}_k(i * kCopyElems${X});
    const long long at = ${x}_asked + (mn * ld${x} + along_k);
    const bool is_inside = ${in_line}along_k < ${x}_asked_left;
    copy_async<kStoredBytes${X}>(${x}_stored_stages + (stage * kCopies${X} + i) * (kThreads * kStoredBytes${X}),
                            reinterpret_cast<const unsigned char*>(${x}) + (at * ${bits} >> 3), is_inside ? kStoredBytes${X} : 0);
  }
  ${x}_asked += kTileK;
  ${x}_asked_left -= kTileK;
};

// copy/convert.cu (landed): a tile that has landed in a stage, and the numbers of its blocks.
//   needs: type Stored${X}; Stored${X} ${x}_stored[]; bool is_inside_${x}(int, int)
//   needs: int kCopies${X}, kCopyElems${X}, kStoredBytes${X}, kThreads; int ${x}_k_left, ${x}_left, k, matrix, ${mn}
//   needs: int copy_${x}_k(int), copy_${x}_mn(int); unsigned ${x}_stored_stages; void read_shared<>(Word&, unsigned)
//   gives: void load_${x}(int)
const auto load_${x} = [&](int stage) {
  #pragma unroll
  for (int i = 0; i < kCopies${X}; ++i) {
    const int mn = copy_${x}_mn(i * kCopyElems${X}), along_k = copy_${x}_k(i * kCopyElems${X});
    const unsigned row = ${mn} - ${x}_left + mn, place = k - ${x}_k_left + along_k;
    read_shared(${x}_stored[i].word, ${x}_stored_stages + (stage * kCopies${X} + i) * (kThreads * kStoredBytes${X}));
    $[outside]
    if (!is_inside_${x}(mn, along_k)) continue;
    $[load]
  }
};

// copy/convert.cu (asked): a tile of ${X} on its way to registers while the one before it is multiplied, and the numbers of its blocks.
//   needs: type Elem${X}, Stored${X}; Stored${X} ${x}_stored[]; const Elem${X}* ${x}; const Elem${X}* ${x}_source
//   needs: int kCopies${X}; int ${x}_k_left, ${x}_left, matrix, ${mn}
//   gives: Stored${X} ${x}_next[]; const unsigned char* ${x}_asked; int ${x}_asked_left; void load_${x}()
//   fills: bits = 8
Stored${X} ${x}_next[kCopies${X}];
const unsigned char* ${x}_asked = reinterpret_cast<const unsigned char*>(${x}) + ((${x}_source - ${x}) * ${bits} >> 3);
int ${x}_asked_left = ${x}_k_left;
$[numbers]
// What has come becomes what is converted.
const auto load_${x} = [&] {
  #pragma unroll
  for (int i = 0; i < kCopies${X}; ++i) {
    ${x}_stored[i] = ${x}_next[i];
    $[take]
  }
};

// copy/convert.cu (ask next): the next tile of ${X}; zeros past the edge.
//   needs: int kCopies${X}, kCopyElems${X}, kOfWord${X}, kTileK; int ${x}_left, k, matrix, ${mn}
//   needs: const unsigned char* ${x}_asked; int ${x}_asked_left
//   needs: int copy_${x}_k(int), copy_${x}_mn(int)
//   gives: int along_k, i, mn; unsigned place, row; void ask_${x}()
const auto ask_${x} = [&] {
  #pragma unroll
  for (int i = 0; i < kCopies${X}; ++i) {
    const int mn = copy_${x}_mn(i * kCopyElems${X}), along_k = copy_${x}_k(i * kCopyElems${X});
    const unsigned row = ${mn} - ${x}_left + mn, place = k - ${x}_asked_left + along_k;
    $[next]
  }
  ${x}_asked += kTileK * 4 / kOfWord${X};
  ${x}_asked_left -= kTileK;
};

// copy/convert.cu (next): a vector as memory has it, and the numbers of its block.
//   needs: type Stored${X}; Stored${X} ${x}_next[]; const unsigned char* ${x}_asked; int along_k, i, kOfWord${X}, mn; long long ld${x}
${x}_next[i].word = *reinterpret_cast<const decltype(Stored${X}::word)*>(${x}_asked + (mn * ld${x} + along_k) * 4 / kOfWord${X});
$[load]

// copy/convert.cu (next or zeros): likewise, as far as it lies inside.
//   needs: type Stored${X}; Stored${X} ${x}_next[]; int ${x}_asked_left, ${x}_left, along_k, i, mn
//   fills: inside = mn < a_left
if (${inside}) {
  $[next]
} else {
  ${x}_next[i] = {};
  $[outside]
}

// copy/convert.cu (ring): a thread's vectors of ${X} on their way to stages as memory has them, where it looks for its own alone, and
// on from there to registers, with the numbers of their blocks; zeros past the edge.
//   needs: type Stored${X}; Stored${X} ${x}_stored[]; const Elem${X}* ${x}; const Elem${X}* ${x}_source
//   needs: int kCopies${X}, kCopyElems${X}, kOfWord${X}, kStoredAt${X}, kStoredBytes${X}, kThreads, kTileK; int thread
//   needs: int ${x}_k_left, ${x}_left; int copy_${x}_k(int), copy_${x}_mn(int); long long ld${x}; unsigned char* smem
//   needs: unsigned shared_address(const void*); void copy_async<>(unsigned, const Elem*, int), read_shared<>(Word&, unsigned)
//   gives: unsigned ${x}_ring; const unsigned char* ${x}_asked; int ${x}_asked_left, ${x}_numbers_left
//   gives: void ask_${x}(int), load_${x}(int)
//   fills: bits = 8; bytes = 4
const unsigned ${x}_ring = shared_address(smem + kStoredAt${X}) + thread * kStoredBytes${X};
const unsigned char* ${x}_asked = reinterpret_cast<const unsigned char*>(${x}) + ((${x}_source - ${x}) * ${bits} >> 3);
int ${x}_asked_left = ${x}_k_left;
int ${x}_numbers_left = ${x}_k_left;
$[numbers]
const auto ask_${x} = [&](int stage) {
  #pragma unroll
  for (int i = 0; i < kCopies${X}; ++i) {
    const int mn = copy_${x}_mn(i * kCopyElems${X}), along_k = copy_${x}_k(i * kCopyElems${X});
    copy_async<kStoredBytes${X}>(${x}_ring + (stage * kCopies${X} + i) * (kThreads * kStoredBytes${X}),
                            ${x}_asked + (mn * ld${x} + along_k) * 4 / kOfWord${X}, ${bytes});
  }
  ${x}_asked += kTileK * 4 / kOfWord${X};
  ${x}_asked_left -= kTileK;
};
const auto load_${x} = [&](int stage) {
  #pragma unroll
  for (int i = 0; i < kCopies${X}; ++i) {
    read_shared(${x}_stored[i].word, ${x}_ring + (stage * kCopies${X} + i) * (kThreads * kStoredBytes${X}));
    $[take]
  }
};

// copy/convert.cu (ring numbers): the numbers of a ring's blocks on their way to registers, a k-tile ahead.
//   needs: int kCopies${X}, kCopyElems${X}, kTileK, ${x}_numbers_left, ${x}_left, k, matrix, ${mn}
//   needs: int copy_${x}_k(int), copy_${x}_mn(int)
//   gives: void ask_numbers_${x}()
//   fills: in_line = mn < a_left &&
const auto ask_numbers_${x} = [&] {
  #pragma unroll
  for (int i = 0; i < kCopies${X}; ++i) {
    const int mn = copy_${x}_mn(i * kCopyElems${X}), along_k = copy_${x}_k(i * kCopyElems${X});
    const unsigned row = ${mn} - ${x}_left + mn, place = k - ${x}_numbers_left + along_k;
    if (${in_line}along_k < ${x}_numbers_left) {
      $[load]
    } else {
      $[outside]
    }
  }
  ${x}_numbers_left -= kTileK;
};
