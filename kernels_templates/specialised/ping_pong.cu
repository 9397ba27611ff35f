// specialised/ping_pong.cu (one): all groups multiply parts of the same tile.
//   needs: int cluster_step, first_cluster, group, thread
//   gives: int member, my_first, my_step, worker
const int member = group, worker = thread, my_first = first_cluster, my_step = cluster_step;

// specialised/ping_pong.cu (in turn): teams take turns: one multiplies its tile while the other drains. The stages of the
// other team's tiles are skipped.
//   needs: int kBarrierBytes
//   needs: Pipe pipe; int kTeamGroups, kTeamThreads, kPingPong, kTurnOffset
//   needs: int cluster_step, first_cluster, group, k_tiles, thread; unsigned shared; void skip(Pipe&, int)
//   gives: int member, my_first, my_step, team, turn_parity, worker; unsigned my_turn, next_turn
const int team = group / kTeamGroups, member = group % kTeamGroups, worker = thread % kTeamThreads;
const int my_first = first_cluster + team * cluster_step, my_step = kPingPong * cluster_step;
const unsigned my_turn = shared + kTurnOffset + kBarrierBytes * team, next_turn = shared + kTurnOffset + kBarrierBytes * ((team + 1) % kPingPong);
int turn_parity = team == 0;
skip(pipe, team * k_tiles);

// specialised/ping_pong.cu (take): the team before has issued its products.
//   needs: int turn_parity; unsigned my_turn; void wait_for(unsigned, int)
wait_for(my_turn, turn_parity);

// specialised/ping_pong.cu (give): while a tile's last products run, the next team may issue its own behind them. Each warp has
// seen its turn by then: no turn comes a second time before all of them have.
//   needs: int in_group, k_tile, k_tiles; unsigned next_turn; void arrive(unsigned)
if (k_tile + 1 == k_tiles && in_group % 32 == 0) arrive(next_turn);

// specialised/ping_pong.cu (none): a turn without products is given here.
//   needs: int in_group, k_tiles; unsigned next_turn; void arrive(unsigned)
if (k_tiles == 0 && in_group % 32 == 0) arrive(next_turn);

// specialised/ping_pong.cu (over): the stages of the other teams' tiles are skipped.
//   needs: Pipe pipe; int kPingPong; int k_tiles, turn_parity; void skip(Pipe&, int)
turn_parity ^= 1;
skip(pipe, (kPingPong - 1) * k_tiles);
