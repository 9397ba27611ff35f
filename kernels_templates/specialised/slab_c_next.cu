// specialised/slab_c_next.cu: C for the turn that this slab serves next.
//   needs: Compute beta; Place at; int kSlabCopies, kSlabTurns; int in_group, turn
//   needs: void load_c(int, const Place&), wait_stores_read<>()
if (turn + kSlabCopies < kSlabTurns && beta != 0 && in_group == 0) {
  wait_stores_read<0>();
  load_c(turn + kSlabCopies, at);
}
