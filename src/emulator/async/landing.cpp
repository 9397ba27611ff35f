// Which schedules land what is asked for at once.
#include "emulator/async/async_queue.hpp"
#include "emulator/run/machine.hpp"

namespace jute::emulator {

bool lands_at_once(Block& block) {
  switch (block.launch.options.schedule) {
    case Schedule::fixed:
    case Schedule::early:
      return true;
    case Schedule::late:
      return false;
    case Schedule::random:
      return block.random() % 4 == 0;
  }
  return true;
}

}  // namespace jute::emulator
