// copy/convert.cu: a thread's fragments of the next tile of ${X} as memory has them, contiguous along K, and the numbers of their
// blocks. They become what is multiplied when all of both operands are on their way; past the edge that is zero.
//   needs: type ${type}, Elem${X}, Vector${X}, Word<>; bool kWholeTiles${MN}; const Elem${X}* ${x}; const Elem${X}* ${x}_source
//   needs: int kCopies${X}, kCopyElems${X}, kTileK; int ${x}_k_left, ${x}_left, k, matrix, ${mn}; long long ld${x}
//   needs: int copy_${x}_k(int), copy_${x}_mn(int)
//   needs: float number_at(const ${type}*, long long); void from_compute(float, Elem${X}*)
//   gives: Vector${X} ${x}_staged[]; void load_${x}(), settle_${x}()
//   fills: type = e4m3; bits = 8
union Stored${X} {
  Word<kCopyElems${X} * ${bits} / 8>::type word;
  ${type} elem[kCopyElems${X} * ${bits} / 8 / sizeof(${type})];
};
Stored${X} ${x}_stored[kCopies${X}];
Vector${X} ${x}_staged[kCopies${X}];
$[numbers]
const auto is_inside_${x} = [&](int mn, int along_k) { return (kWholeTiles${MN} || mn < ${x}_left) && along_k < ${x}_k_left; };
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
