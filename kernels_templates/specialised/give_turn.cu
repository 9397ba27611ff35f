// specialised/give_turn.cu: all products of this tile are issued and done; the next team may multiply.
//   needs: Pipe pipe; int kTeams; int in_group, k_tiles, turn_parity; unsigned next_turn
//   needs: void arrive(unsigned), skip(Pipe&, int)
if (in_group == 0) arrive(next_turn);
turn_parity ^= 1;
skip(pipe, (kTeams - 1) * k_tiles);
