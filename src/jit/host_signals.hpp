#pragma once
// Who handles interrupts while NVRTC compiles: the host, whatever NVRTC would rather have.
#include <string_view>

namespace jute::jit {

/// NVRTC calls signal() when it begins to compile, for SIGINT and SIGTERM: its handler ends the
/// process. It leaves a signal alone that signal() says is ignored. Of the library that holds
/// `function`, and of it alone, the import of signal() is turned to one that says so of these two
/// and changes nothing; every other call goes on to the C library. Nothing of the process is
/// replaced for a moment, so no signal of any thread is lost.
/// Gives whether it is so: false where the library's file does not have `name` in its own, or
/// imports no signal().
bool leave_signals_to_host(const void* function, std::string_view name);

}  // namespace jute::jit
