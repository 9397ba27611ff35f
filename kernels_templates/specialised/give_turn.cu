// specialised/give_turn.cu: all products of this tile are issued and done; the next team may multiply.
if (in_group == 0) arrive(next_turn);
turn_parity ^= 1;
pipe.skip((kTeams - 1) * k_tiles);
