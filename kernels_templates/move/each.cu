// move/each.cu: an entry of the list: a problem, of which the device alone knows where its operands lie and how large they are.
//   gives: type EachGroup
struct EachGroup {
  const void *a, *b, *c;
  void* d;
  long long lda, ldb, ldc, ldd;
  int m, n, k, reserved;
};

// move/each.cu (numbers): the same of operands that have scales or zero points.
//   needs: type EachGroup
//   gives: type ListedGroup
struct ListedGroup : EachGroup {
  const void *scale_a, *zero_a, *scale_b, *zero_b;
  long long ld_scale_a, ld_zero_a, ld_scale_b, ld_zero_b;
};

// move/each.cu (right): is an entry of the list within the bounds, and does what is read here lie as it was promised to?
//   needs: type ListedGroup; int most_k, most_m, most_n
//   gives: bool is_right(const ListedGroup&)
//   fills: lies = true
const auto lies = [](const void* base, long long row_bits, int alignment) {
  return reinterpret_cast<unsigned long long>(base) % alignment == 0 && row_bits % (8 * alignment) == 0;
};
const auto is_right = [&](const ListedGroup& one) {
  return one.m >= 0 && one.m <= most_m && one.n >= 0 && one.n <= most_n && one.k >= 0 && one.k <= most_k &&
         ${lies};
};

// move/each.cu (list): the list that the product reads, with copies in their operands' places. An entry that is wrong here has no
// size there that it may have, by which the product knows it.
//   needs: type EachGroup, ListedGroup; const ListedGroup* ends; EachGroup* list; unsigned block, groups, list_blocks; int kThreads
//   needs: bool is_right(const ListedGroup&)
//   gives: EachGroup made; unsigned group
if (block < list_blocks) {
  const unsigned group = block * kThreads + threadIdx.x;
  if (group >= groups) return;
  const ListedGroup own = ends[group];
  EachGroup made = own;
  $[copies]
  if (!is_right(own)) made.m = -1;
  list[group] = made;
  return;
}

// move/each.cu (copy): the copy of ${X}.
//   needs: type EachGroup; EachGroup made; unsigned group; ${part}* ${x}_target; long long ${x}_batch_stride, ${x}_ld
//   fills: part = bf16
made.${x} = ${x}_target + group * ${x}_batch_stride;
made.ld${x} = ${x}_ld;

// move/each.cu (turn): ${X}'s blocks, each for rows of one group, of which it has as many as the bound.
//   needs: type ListedGroup; const ListedGroup* ends; ${part}* ${x}_target; int kThreads, ${x}_inner, ${x}_outer
//   needs: long long ${x}_batch_stride, ${x}_ld; unsigned ${x}_blocks, ${x}_rows, ${x}_segments, block
//   needs: bool is_right(const ListedGroup&); void move_${x}(const Converted<${type}, ${part}>&, unsigned)
//   fills: numbers = {}, {}; type = e4m3; part = bf16; inner = k; outer = m; strides = 1, own.lda
if (block < ${x}_blocks) {
  const unsigned group = (block * (kThreads / 32) + threadIdx.x / 32) / ${x}_segments / ${x}_outer, first = group * ${x}_outer;
  if (first >= ${x}_rows) return;
  const ListedGroup own = ends[group];
  if (!is_right(own) || own.${inner} == 0) return;
  move_${x}({static_cast<const ${type}*>(own.${x}), ${x}_target, own.${inner}, ${x}_outer, first + own.${outer}, ${x}_segments, ${x}_ld,
          ${x}_batch_stride, 0, ${strides}, ${numbers}}, block);
  return;
}
