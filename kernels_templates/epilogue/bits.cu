// epilogue/bits.cu: ${name}, eight neighbours a byte, the first in its lowest bit: lanes put what they have of a byte
// together, and the one that has its first bit stores it. Behind an edge bits are 0.
//   needs: type ElemOut${place}; ElemOut${place}* out${place}; int kTileM, kTileN; int m, matrix, n, tile_m, tile_n
//   needs: unsigned gathered${place}[]; int kBits${place}, kLanes${place}, kRun${place}; long long batch_stride_out${place}, ld_out${place}
//   needs: int ${of}_m(int), ${of}_m_base(int), ${of}_n(int), ${of}_n_base(int)
//   fills: worker = 0; name = mask; place = 2; of = out; along = n; across = m; Along = N; Across = M
{
  const int packer = ${worker}, first_bit = ${of}_${along}_base(packer) % 8;
  const int along = tile_${along} * kTile${Along} + ${of}_${along}_base(packer) - first_bit;
  const int across = tile_${across} * kTile${Across} + ${of}_${across}_base(packer);
  ElemOut${place}* const target = out${place} + matrix * batch_stride_out${place} + across * ld_out${place};
  #pragma unroll
  for (int i = 0; i < kBits${place}; i += kRun${place}) {
    unsigned byte = (gathered${place}[i / 32] >> i % 32 & ((1u << kRun${place}) - 1)) << first_bit;
    #pragma unroll
    for (int lane = 16; lane > 0; lane /= 2)
      if ((kLanes${place} & lane) != 0) byte |= __shfl_xor_sync(0xffffffff, byte, lane);
    const int at = along + ${of}_${along}(i);
    if (first_bit == 0 && at < ${along} && across + ${of}_${across}(i) < ${across})
      target[${of}_${across}(i) * ld_out${place} + at / 8] = static_cast<ElemOut${place}>(byte);
  }
}

// epilogue/bits.cu (values): what a thread finds of ${name} in a tile, a bit for each element.
//   needs: int kBits${place}
//   gives: unsigned gathered${place}[]
//   fills: name = mask; place = 2
unsigned gathered${place}[(kBits${place} + 31) / 32] = {};

// epilogue/bits.cu (read): the bits of ${name} for elements of D that a thread handles together.
//   fills: name = mask; count = 4; left = 4; bit = begin % 2 != 0; buffer = static_cast<bool*>(nullptr)
#pragma unroll
for (int begin = 0; begin < ${count}; ++begin) ${buffer}[begin] = (${left}) > 0 && ${bit};
