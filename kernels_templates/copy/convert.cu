// copy/convert.cu: a thread's fragment of ${X} as memory has it, contiguous along K.
//   needs: type ${type}, Word<>; int kCopyElems${X}
//   gives: type Stored${X}
//   fills: type = e4m3; bits = 8
union Stored${X} {
  Word<kCopyElems${X} * ${bits} / 8>::type word;
  ${type} elem[kCopyElems${X} * ${bits} / 8 / sizeof(${type})];
};

// copy/convert.cu (tile): a thread's fragments of a tile of ${X} on their way from memory, the numbers of their blocks, what they become.
//   needs: type Stored${X}, Vector${X}; bool kWholeTiles${MN}; int kCopies${X}, ${x}_k_left, ${x}_left
//   gives: Stored${X} ${x}_stored[]; Vector${X} ${x}_staged[]; bool is_inside_${x}(int, int)
Stored${X} ${x}_stored[kCopies${X}];
Vector${X} ${x}_staged[kCopies${X}];
$[numbers]
const auto is_inside_${x} = [&](int mn, int along_k) { return (kWholeTiles${MN} || mn < ${x}_left) && along_k < ${x}_k_left; };

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
    ${x}_stored[i].word = {};
    if (!is_inside_${x}(mn, along_k)) continue;
    ${x}_stored[i].word = *reinterpret_cast<const decltype(Stored${X}::word)*>(reinterpret_cast<const unsigned char*>(${x}) + at * ${bits} / 8);
    $[load]
  }
};

// copy/convert.cu (settle): what is multiplied; past the edge that is zero.
//   needs: type Elem${X}, Stored${X}, Vector${X}; Stored${X} ${x}_stored[]; Vector${X} ${x}_staged[]; const Elem${X}* ${x}_source
//   needs: int kCopies${X}, kCopyElems${X}, kTileK; int ${x}_k_left; bool is_inside_${x}(int, int)
//   needs: int copy_${x}_k(int), copy_${x}_mn(int); float number_at(const ${type}*, long long); void from_compute(float, Elem${X}*)
//   gives: void settle_${x}()
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
