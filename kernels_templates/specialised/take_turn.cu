wait_for(my_turn, turn_parity);
