// specialised/team.cu: teams take turns: one multiplies its tile while the other drains. The stages of the
// other team's tiles are skipped.
//   needs: Pipe pipe; int kTeamGroups, kTeamThreads, kTeams, kTurnOffset
//   needs: int cluster_step, first_cluster, group, k_tiles, thread; unsigned shared; void skip(Pipe&, int)
//   gives: int member, my_first, my_step, team, turn_parity, worker; unsigned my_turn, next_turn
const int team = group / kTeamGroups, member = group % kTeamGroups, worker = thread % kTeamThreads;
const int my_first = first_cluster + team * cluster_step, my_step = kTeams * cluster_step;
const unsigned my_turn = shared + kTurnOffset + 8 * team, next_turn = shared + kTurnOffset + 8 * ((team + 1) % kTeams);
int turn_parity = team == 0;
skip(pipe, team * k_tiles);
