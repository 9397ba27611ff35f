// move/turn.cu: ${X}'s blocks.
//   needs: type Elem${X}, Move<>; const Elem${X}* ${x}_source; Elem${X}* ${x}_target; int ${x}_inner, ${x}_outer
//   needs: long long ${x}_batch_stride_source, ${x}_batch_stride_target, ${x}_ld_source, ${x}_ld_target
//   needs: unsigned ${x}_blocks, ${x}_rows, ${x}_segments, block; void move_${x}(const Move<Elem${X}>&, unsigned)
if (block < ${x}_blocks) {
  move_${x}({${x}_source, ${x}_target, ${x}_inner, ${x}_outer, ${x}_rows, ${x}_segments,
          ${x}_ld_source, ${x}_ld_target, ${x}_batch_stride_source, ${x}_batch_stride_target}, block);
  return;
}
block -= ${x}_blocks;
