// Kernels of one's own on the emulator: memory, launches, findings.
#include <jute/emulator/emulated_gpu.hpp>
#include <jute/emulator/kernel_name.hpp>
#include <jute/jit/compile.hpp>
#include <jute/launch/device_presets.hpp>

#include <nanobind/stl/array.h>
#include <nanobind/stl/tuple.h>

#include <map>

#include "compiler.hpp"
#include "convert.hpp"
#include "module.hpp"
#include "runtime.hpp"

namespace jute::python {

using namespace nanobind::literals;

namespace {

using Three = std::array<Index, 3>;
Dim3 dim3(const Three& three) { return {three[0], three[1], three[2]}; }

/// An emulator, and what was loaded and allocated in it.
class Emulator {
 public:
  Emulator(const std::string& check, const std::string& schedule, std::uint64_t seed,
           const std::string& device, int resident_blocks)
      : backend_(open_emulator(
            {.device = device_preset(device),
             .check = chosen<Check>(
                 "check", check,
                 {{"full", Check::full}, {"memory", Check::memory}, {"none", Check::none}}),
             .schedule = chosen<Schedule>("schedule", schedule,
                                          {{"fixed", Schedule::fixed},
                                           {"random", Schedule::random},
                                           {"late", Schedule::late},
                                           {"early", Schedule::early}}),
             .seed = seed,
             .resident_blocks = resident_blocks,
             .on_pause = see_signals})) {}

  // Called without the GIL, which a launch that holds the emulator may want.
  DevicePointer allocate(Index bytes) { return buffers_.emplace_back(*backend_, bytes).pointer(); }
  void write(DevicePointer target, std::uint64_t host, Index bytes) {
    backend_->copy_in(target,
                      {reinterpret_cast<const std::byte*>(host), static_cast<size_t>(bytes)});
  }
  void read(std::uint64_t host, DevicePointer source, Index bytes) {
    backend_->copy_out({reinterpret_cast<std::byte*>(host), static_cast<size_t>(bytes)}, source);
  }
  void release() { buffers_.clear(); }
  /// The profiles of every launch since the last call. Waits for them.
  Report report() { return backend_->take_report(); }

  void launch(const std::string& ptx, const std::string& name, const Three& grid,
              const Three& block, const Three& cluster, Index shared_bytes, bool cooperative,
              const std::vector<nb::bytes>& arguments) {
    std::vector<std::vector<std::byte>> values;
    for (const nb::bytes& argument : arguments) {
      const auto* first = reinterpret_cast<const std::byte*>(argument.c_str());
      values.emplace_back(first, first + argument.size());
    }
    const nb::gil_scoped_release released;
    const Loaded& loaded = load(ptx, name);
    backend_->launch(loaded.kernel,
                     {.grid = dim3(grid),
                      .block = dim3(block),
                      .cluster = dim3(cluster),
                      .dynamic_smem_bytes = shared_bytes,
                      .arguments = packed_arguments(loaded.declared, values),
                      .residency = cooperative ? Residency::whole_grid : Residency::any});
  }

  nb::bytes tensor_map(const TensorMapSpec& spec, DevicePointer base) {
    const EncodedTensorMap map = backend_->encode(spec, base);
    return nb::bytes(map.bytes.data(), map.bytes.size());
  }

 private:
  struct Loaded {
    PtxKernel declared;
    Kernel kernel;
  };
  const Loaded& load(const std::string& ptx, const std::string& name) {
    auto& kernel = loaded_[{ptx, name}];
    if (!kernel.kernel) {
      kernel.declared = find_kernel(list_kernels(ptx), name);
      kernel.kernel = backend_->load(binary_from_ptx(ptx, kernel.declared.symbol));
    }
    return kernel;
  }

  std::unique_ptr<EmulatorBackend> backend_;
  std::vector<Buffer> buffers_;
  std::map<std::pair<std::string, std::string>, Loaded> loaded_;
};

void add_report(nb::module_& core) {
  nb::class_<Party>(core, "Party", "One access or event that a finding names")
      .def_prop_ro("kernel", [](const Party& self) { return demangled(self.kernel); })
      .def_prop_ro(
          "block",
          [](const Party& self) { return std::tuple(self.block[0], self.block[1], self.block[2]); })
      .def_ro("thread", &Party::thread)
      .def_ro("ptx_line", &Party::ptx_line)
      .def_ro("source", &Party::source, "\"file:line\" of the CUDA text; may be empty")
      .def_ro("text", &Party::text, "The instruction");
  nb::class_<Finding>(core, "Finding", "A broken rule; docs/emulator.md lists the codes")
      .def_ro("code", &Finding::code)
      .def_ro("message", &Finding::message)
      .def_ro("count", &Finding::count, "How often; the first is described")
      .def_prop_ro("parties", [](const Finding& self) { return self.parties; })
      .def("__repr__", [](const Finding& self) { return to_string(std::vector{self}); });
  nb::class_<Counters>(core, "Counters", "Costs of the launches")
      .def_ro("warp_instructions", &Counters::warp_instructions)
      .def_ro("smem_accesses", &Counters::smem_accesses)
      .def_ro("smem_bank_conflicts", &Counters::smem_bank_conflicts)
      .def_ro("global_bytes_read", &Counters::global_bytes_read)
      .def_ro("global_bytes_written", &Counters::global_bytes_written);
  nb::class_<Report>(core, "Report", "What the emulator found while kernels ran")
      .def_prop_ro("findings", [](const Report& self) { return self.findings; })
      .def_prop_ro("counters", [](const Report& self) { return self.counters; })
      .def_ro("printed", &Report::printed, "By the kernels' printf, block by block")
      .def_prop_ro("clean", &Report::clean)
      .def("__str__", [](const Report& self) { return to_string(self); })
      .def("__repr__", [](const Report& self) { return to_string(self); });
}

using Parameters = std::vector<std::tuple<std::string, std::string, Index>>;

std::vector<std::tuple<std::string, std::string, Parameters>> kernels_of(const std::string& ptx) {
  std::vector<std::tuple<std::string, std::string, Parameters>> kernels;
  for (const PtxKernel& kernel : list_kernels(ptx)) {
    Parameters parameters;
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i)
      parameters.emplace_back(kernel.parameters[i].name, name(kernel.signature.parameters[i].kind),
                              kernel.parameters[i].bytes);
    kernels.emplace_back(kernel.symbol, demangled(kernel.symbol), std::move(parameters));
  }
  return kernels;
}

std::tuple<std::string, std::vector<std::string>> ptx_of(
    const std::string& cuda, const std::string& file, const std::string& arch,
    const std::vector<std::string>& options, const std::vector<std::string>& instances) {
  const Settings settings = settings_here();
  CudaPtx made;
  {
    const nb::gil_scoped_release released;
    made = Compiler(settings).instantiate({.text = cuda,
                                           .file = file,
                                           .arch = parse_arch(arch),
                                           .options = options,
                                           .instances = instances});
  }
  return {made.text, made.symbols};
}

nb::bytes tensor_map(Emulator& emulator, DevicePointer base, const std::string& dtype,
                     const std::vector<Index>& dims, const std::vector<Index>& strides_bytes,
                     const std::vector<Index>& box, const std::string& swizzle) {
  return emulator.tensor_map({.type = parse_dtype(dtype),
                              .dims = dims,
                              .strides_bytes = strides_bytes,
                              .box = box,
                              .element_strides = std::vector<Index>(dims.size(), 1),
                              .swizzle = chosen<TmaSwizzle>("swizzle", swizzle,
                                                            {{"none", TmaSwizzle::none},
                                                             {"32B", TmaSwizzle::b32},
                                                             {"64B", TmaSwizzle::b64},
                                                             {"128B", TmaSwizzle::b128}})},
                             base);
}

}  // namespace

void add_emulation(nb::module_& core) {
  using Unlocked = nb::call_guard<nb::gil_scoped_release>;
  add_report(core);
  nb::class_<Emulator>(core, "Emulator", "Memory and launches on the CPU")
      .def(nb::init<const std::string&, const std::string&, std::uint64_t, const std::string&,
                    int>(),
           "check"_a = "full", "schedule"_a = "fixed", "seed"_a = 0, "device"_a = "h200",
           "resident_blocks"_a = 0)
      .def("allocate", &Emulator::allocate, "bytes"_a, Unlocked())
      .def("write", &Emulator::write, "target"_a, "host"_a, "bytes"_a, Unlocked())
      .def("read", &Emulator::read, "host"_a, "source"_a, "bytes"_a, Unlocked())
      .def("release", &Emulator::release, Unlocked())
      .def("launch", &Emulator::launch, "ptx"_a, "kernel"_a, "grid"_a, "block"_a, "cluster"_a,
           "shared_bytes"_a, "cooperative"_a, "arguments"_a)
      .def("tensor_map", tensor_map, "base"_a, "dtype"_a, "dims"_a, "strides_bytes"_a, "box"_a,
           "swizzle"_a = "none")
      .def("report", &Emulator::report, Unlocked());
  core.def("kernels_of", kernels_of, "ptx"_a,
           "(symbol, C++ name, [(parameter, kind, bytes)]) of each kernel of a text");
  core.def(
      "dtype_name", [](nb::handle dtype) { return std::string(name(to_dtype(dtype))); }, "dtype"_a,
      "jute's name of an element type of numpy, ml_dtypes or torch");
  core.def(
      "array_type",
      [](const std::string& dtype) {
        const ArrayType& type = array_type(parse_dtype(dtype));
        return std::pair(std::string(type.name), std::string(type.npy));
      },
      "dtype"_a, "Their name of one of jute's, and numpy's of its bits");
  core.def("find_kernel", [](const std::string& ptx, const std::string& name) {
    return find_kernel(list_kernels(ptx), name).symbol;
  });
  core.def("ptx_of", ptx_of, "cuda"_a, "file"_a, "arch"_a, "options"_a, "instances"_a,
           "(PTX, symbols of the instances) of a CUDA text, by NVRTC");
}

}  // namespace jute::python
