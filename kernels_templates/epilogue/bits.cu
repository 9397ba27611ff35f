// epilogue/bits.cu (words): lanes put together what they have of the words of output ${place} that ${turn} has ended, the
// first neighbour in the lowest bit, and share the words out; each stores its own. Behind an edge bits are 0.
//   needs: type ElemOut${place}, Or, Vector<>; int m, n; long long ld_out${place}
//   needs: unsigned gathered${place}[]; int kLanesOut${place}, kTurnWordsOut${place}, kWordBytesOut${place}, kWordsOut${place}
//   needs: ElemOut${place}* words${place}; int across${place}, along${place}, bits_ahead${place}, packer${place}
//   needs: int across_of_out${place}(int), along_of_out${place}(int), value_of_out${place}(int), first_shared<>(int), shares<>()
//   needs: void put_vector<>(Elem*, const Vector<Elem, kElems>&, int), share_out<>(Number*, int, Combine)
//   fills: turn = a turn; of_turn = 1 + ; place = 2; in_line = across2 + row < m &&; bytes = 1
#pragma unroll
for (int word = 0; word < kWordsOut${place}; ++word) gathered${place}[word] <<= bits_ahead${place};
share_out<kLanesOut${place}, kWordsOut${place}>(gathered${place}, packer${place}, Or());
#pragma unroll
for (int i = 0; i < shares<kLanesOut${place}, kWordsOut${place}>(); ++i) {
  const int word = first_shared<kLanesOut${place}, kWordsOut${place}>(packer${place}) + i;
  const int value = value_of_out${place}(${of_turn}word);
  const int row = across_of_out${place}(value), first = along_of_out${place}(value);
  const bool exists = ${in_line}word < kTurnWordsOut${place};
  Vector<ElemOut${place}, kWordBytesOut${place}> bits;
  #pragma unroll
  for (int byte = 0; byte < kWordBytesOut${place}; ++byte) bits.elem[byte] = static_cast<ElemOut${place}>(gathered${place}[i] >> 8 * byte);
  put_vector(words${place} + row * ld_out${place} + first / 8, bits,
             exists ? ${bytes} : 0);
}
#pragma unroll
for (int word = 0; word < kWordsOut${place}; ++word) gathered${place}[word] = 0;

// epilogue/bits.cu (values): what a thread finds of output ${place} in a turn of the drain, a bit for each element; where the
// tile's first word of which it has bits lies.
//   needs: type ElemOut${place}; ElemOut${place}* out${place}; int first_m, first_n, matrix
//   needs: int kWordBytesOut${place}, kWordsOut${place}; long long batch_stride_out${place}, ld_out${place}
//   needs: int across_of_out${place}_base(int), along_of_out${place}_base(int)
//   gives: unsigned gathered${place}[]
//   gives: ElemOut${place}* words${place}; int across${place}, along${place}, bits_ahead${place}, packer${place}
//   fills: worker = 0; place = 2; along = n; across = m
unsigned gathered${place}[kWordsOut${place}] = {};
const int packer${place} = ${worker}, bits_ahead${place} = along_of_out${place}_base(packer${place}) % (8 * kWordBytesOut${place});
const int along${place} = first_${along} + along_of_out${place}_base(packer${place}) - bits_ahead${place};
const int across${place} = first_${across} + across_of_out${place}_base(packer${place});
ElemOut${place}* const words${place} = out${place} + matrix * batch_stride_out${place} + across${place} * ld_out${place} + along${place} / 8;

// epilogue/bits.cu (read words): the words of input ${place} that a turn of the drain takes; the lane's own bits come first.
//   needs: type ElemIn${place}, Vector<>; const ElemIn${place}* in${place}
//   needs: int first_m, first_n, m, matrix, n, turn, worker; long long batch_stride_in${place}, ld_in${place}
//   needs: int kTurnWordsIn${place}, kWordBytesIn${place}; int across_of_in${place}(int), across_of_in${place}_base(int)
//   needs: int along_of_in${place}(int), along_of_in${place}_base(int), value_of_in${place}(int)
//   needs: Vec load_vector<>(const Elem*, int)
//   fills: place = 2; buffer = static_cast<unsigned*>(nullptr); along = n; across = m; bytes = 1
#pragma unroll
for (int word = 0; word < kTurnWordsIn${place}; ++word) {
  const int value = value_of_in${place}(turn * kTurnWordsIn${place} + word), ahead = along_of_in${place}_base(worker) % (8 * kWordBytesIn${place});
  const int first = first_${along} + along_of_in${place}_base(worker) - ahead + along_of_in${place}(value);
  const int row = first_${across} + across_of_in${place}_base(worker) + across_of_in${place}(value);
  const auto in = load_vector<Vector<ElemIn${place}, kWordBytesIn${place}>>(
      in${place} + matrix * batch_stride_in${place} + row * ld_in${place} + first / 8, ${bytes});
  unsigned bits = 0;
  #pragma unroll
  for (int byte = 0; byte < kWordBytesIn${place}; ++byte) bits |= static_cast<unsigned>(in.elem[byte]) << 8 * byte;
  ${buffer}[word] = bits >> ahead;
}

// epilogue/bits.cu (read): the bits of ${name} for elements of D that a thread handles together.
//   fills: name = mask; count = 4; left = 4; bit = begin % 2 != 0; buffer = static_cast<bool*>(nullptr)
#pragma unroll
for (int begin = 0; begin < ${count}; ++begin) ${buffer}[begin] = (${left}) > 0 && ${bit};
