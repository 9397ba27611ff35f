// specialised/team.cu: teams take turns: one multiplies its tile while the other drains. The stages of the
// other team's tiles are skipped.
const int team = group / kTeamGroups, member = group % kTeamGroups, worker = thread % kTeamThreads;
const unsigned my_turn = shared + kTurnOffset + 8 * team, next_turn = shared + kTurnOffset + 8 * ((team + 1) % kTeams);
int turn_parity = team == 0;
pipe.skip(team * k_tiles);
