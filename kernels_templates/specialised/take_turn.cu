// specialised/take_turn.cu: the team before has issued its products.
//   needs: int turn_parity; unsigned my_turn; void wait_for(unsigned, int)
wait_for(my_turn, turn_parity);
