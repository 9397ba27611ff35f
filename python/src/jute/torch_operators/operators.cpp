// torch's products at its CUDA key, by jute where that was decided, else by torch as before. Built
// against the torch that loads it: the stable ABI (2.10 to 2.15) has no Scalar, which addmm takes.
#define USE_CUDA  // of the shim's header: what asks for a stream
#include <Python.h>

#include <ATen/Context.h>
#include <ATen/core/Tensor.h>
#include <ATen/cuda/EmptyTensor.h>
#include <ATen/ops/_grouped_mm_cuda_dispatch.h>
#include <ATen/ops/_scaled_mm_cuda_dispatch.h>
#include <ATen/ops/addmm_cuda_dispatch.h>
#include <ATen/ops/baddbmm_cuda_dispatch.h>
#include <ATen/ops/bmm_cuda_dispatch.h>
#include <ATen/ops/mm_cuda_dispatch.h>
#include <c10/core/DeviceGuard.h>
#include <torch/csrc/DynamicTypes.h>
#include <torch/csrc/autograd/python_variable.h>
#include <torch/csrc/inductor/aoti_torch/c/shim.h>
#include <torch/library.h>

#include <map>
#include <memory>
#include <mutex>

#include "call.hpp"

namespace jute::torch_operators {
namespace {

using at::Scalar;
using at::Tensor;
using MaybeTensor = std::optional<Tensor>;
using MaybeType = std::optional<at::ScalarType>;

const Functions* functions = nullptr;
PyObject* decide = nullptr;  ///< Python's, of calls that nobody has decided about
std::atomic<bool> is_on = false;
thread_local bool is_deciding = false;  ///< what Python calls meanwhile is torch's

/// Memory of torch's for runs: one a decision and stream, whose runs follow each other.
class Workspaces {
 public:
  /// The address, or null; `keep` holds what a graph records until its launch is there.
  void* of(const Decision& decision, const Tensor& like, void* stream, Tensor& keep) {
    if (functions->is_capturing(stream)) return made(decision, like, stream, keep);
    const std::lock_guard guard(mutex_);
    Tensor& kept = kept_[{&decision, stream}];
    return kept.defined() ? kept.data_ptr() : made(decision, like, stream, kept);
  }
  void forget() {
    const std::lock_guard guard(mutex_);
    kept_.clear();
  }

 private:
  static void* made(const Decision& decision, const Tensor& like, void* stream, Tensor& into) {
    into = at::detail::empty_cuda({decision.workspace_bytes}, like.options().dtype(at::kByte));
    return functions->clear(decision, into.data_ptr(), stream) ? into.data_ptr() : nullptr;
  }
  std::mutex mutex_;
  std::map<std::pair<const Decision*, void*>, Tensor> kept_;
};

Workspaces& workspaces() {
  static auto* all = new Workspaces;  // at exit the driver may be gone before it
  return *all;
}

/// One call of an operator.
class Asked {
 public:
  Asked(Operation operation, const Tensor& a, const Tensor& b) {
    if (!is_on.load(std::memory_order_relaxed) || is_deciding) return;
    is_usable_ = true;
    call_.operation = operation;
    call_.device = a.device().index();
    add(kA, a), add(kB, b);
    call_.switches.tf32 = a.scalar_type() == at::kFloat && at::globalContext().allowTF32CuBLAS();
  }

  Asked& add(Role role, const Tensor& tensor) {
    if (!is_usable_) return *this;
    is_usable_ = tensor.is_cuda() && tensor.device().index() == call_.device &&
                 tensor.layout() == at::kStrided && tensor.dim() <= kMostAxes && tensor.numel() > 0;
    if (!is_usable_) return *this;
    call_.tensors[role] = {tensor.const_data_ptr(), tensor.sizes().data(), tensor.strides().data(),
                           static_cast<std::int32_t>(tensor.dim()),
                           static_cast<std::int32_t>(tensor.scalar_type())};
    tensors_[role] = &tensor;
    return *this;
  }
  Asked& add(Role role, const MaybeTensor& tensor) { return tensor ? add(role, *tensor) : *this; }
  Asked& scale(const Scalar& beta, const Scalar& alpha) {
    is_usable_ = is_usable_ && !beta.isComplex() && !alpha.isComplex();
    if (is_usable_) call_.alpha = alpha.toDouble(), call_.beta = beta.toDouble();
    return *this;
  }
  Asked& give(MaybeType type) {
    call_.type_of_d = static_cast<std::int32_t>(type.value_or(tensors_[kA]->scalar_type()));
    return *this;
  }
  Asked& sum_fast(bool is_fast) { return call_.switches.fast_accum = is_fast, *this; }
  Asked& needs(bool is_met) { return is_usable_ = is_usable_ && is_met, *this; }

  /// Runs it by jute, into d or what d becomes; false: torch serves.
  bool serve(Tensor& d) {
    if (!is_usable_) return false;
    if (d.defined()) {
      if (!add(kD, d).is_usable_ || is_shared(d)) return false;
    }
    const Decision* decision = functions->find(call_);
    if (decision == nullptr) decision = decided();
    if (decision == nullptr || !decision->serves) return false;
    const c10::OptionalDeviceGuard guard(tensors_[kA]->device());
    void* stream = nullptr;
    if (aoti_torch_get_current_cuda_stream(call_.device, &stream) != AOTI_TORCH_SUCCESS)
      return false;
    Tensor keep;
    void* workspace = nullptr;
    if (decision->workspace_bytes > 0) {
      workspace = workspaces().of(*decision, *tensors_[kA], stream, keep);
      if (workspace == nullptr) return false;
    }
    Tensor made = d;
    if (!made.defined()) made = new_result(), add(kD, made);
    if (!functions->run(*decision, call_, workspace, stream)) return false;
    d = std::move(made);
    return true;
  }

 private:
  [[nodiscard]] std::int64_t extent(Role role, int axis) const {
    return call_.tensors[role].extents[axis];
  }

  Tensor new_result() const {
    const auto type = call_.type_of_d < 0 ? tensors_[kA]->scalar_type()
                                          : static_cast<at::ScalarType>(call_.type_of_d);
    const int of_a = call_.tensors[kA].rank, of_b = call_.tensors[kB].rank;
    std::array<std::int64_t, 3> shape{};
    std::size_t rank = 0;
    if (call_.tensors[kList].address != nullptr && of_a == of_b)
      shape[rank++] = extent(kList, 0);  // sums are cut, or each matrix
    else if (of_a == 3 && of_b == 3)
      shape[rank++] = extent(kA, 0);
    shape[rank++] = extent(kA, of_a - 2), shape[rank++] = extent(kB, of_b - 1);
    return at::detail::empty_cuda({shape.data(), rank}, tensors_[kA]->options().dtype(type));
  }

  /// Does d lie where an operand lies that it is no place of?
  [[nodiscard]] bool is_shared(const Tensor& d) const {
    for (const Tensor* tensor : tensors_) {
      if (tensor == nullptr || tensor == &d || tensor->is_same(d)) continue;
      if (tensor->storage().data() == d.storage().data()) return true;
    }
    return false;
  }

  static PyObject* wrapped(const Tensor* tensor) {
    return tensor == nullptr ? Py_NewRef(Py_None) : THPVariable_Wrap(*tensor);
  }

  [[nodiscard]] PyObject* type_of_d() const {
    if (call_.type_of_d < 0) return Py_NewRef(Py_None);
    const auto type = static_cast<at::ScalarType>(call_.type_of_d);
    return Py_NewRef(reinterpret_cast<PyObject*>(torch::getTHPDtype(type)));
  }

  static constexpr int kMore = 7;  ///< what Python is told besides tensors

  const Decision* decided() {
    void* stream = nullptr;
    const bool is_capturing =
        aoti_torch_get_current_cuda_stream(call_.device, &stream) != AOTI_TORCH_SUCCESS ||
        functions->is_capturing(stream);
    if (Py_IsInitialized() == 0) return nullptr;
    const PyGILState_STATE state = PyGILState_Ensure();
    is_deciding = true;
    PyObject* arguments = PyTuple_New(kRoles + kMore);
    for (int role = 0; role < kRoles; ++role)
      PyTuple_SET_ITEM(arguments, role, wrapped(tensors_[role]));
    PyObject* const more[kMore] = {PyLong_FromLong(static_cast<long>(call_.operation)),
                                   PyFloat_FromDouble(call_.beta),
                                   PyFloat_FromDouble(call_.alpha),
                                   type_of_d(),
                                   PyBool_FromLong(call_.switches.tf32),
                                   PyBool_FromLong(call_.switches.fast_accum),
                                   PyBool_FromLong(is_capturing)};
    for (int i = 0; i < kMore; ++i) PyTuple_SET_ITEM(arguments, kRoles + i, more[i]);
    PyObject* const answer = PyObject_CallObject(decide, arguments);
    Py_DECREF(arguments);
    is_deciding = false;
    const Decision* decision = nullptr;
    if (answer == nullptr) {
      PyErr_WriteUnraisable(decide);
    } else if (answer != Py_None) {  // None: not now, another time
      decision = functions->keep(call_, answer);
    }
    Py_XDECREF(answer);
    PyGILState_Release(state);
    return decision;
  }

  Call call_;
  std::array<const Tensor*, kRoles> tensors_{};
  bool is_usable_ = false;
};

Tensor mm(const Tensor& self, const Tensor& mat2) {
  Tensor d;
  return Asked(Operation::mm, self, mat2).serve(d) ? d : at::cuda::mm(self, mat2);
}
Tensor& mm_out(const Tensor& self, const Tensor& mat2, Tensor& out) {
  if (Asked(Operation::mm, self, mat2).serve(out)) return out;
  return at::cuda::mm_outf(self, mat2, out);
}
Tensor bmm(const Tensor& self, const Tensor& mat2) {
  Tensor d;
  return Asked(Operation::bmm, self, mat2).serve(d) ? d : at::cuda::bmm(self, mat2);
}
Tensor& bmm_out(const Tensor& self, const Tensor& mat2, Tensor& out) {
  if (Asked(Operation::bmm, self, mat2).serve(out)) return out;
  return at::cuda::bmm_outf(self, mat2, out);
}

Asked added(Operation operation, const Tensor& self, const Tensor& a, const Tensor& b,
            const Scalar& beta, const Scalar& alpha) {
  return Asked(operation, a, b).add(kAdded, self).scale(beta, alpha);
}

Tensor addmm(const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& beta,
             const Scalar& alpha) {
  Tensor d;
  if (added(Operation::addmm, self, a, b, beta, alpha).serve(d)) return d;
  return at::cuda::addmm(self, a, b, beta, alpha);
}
Tensor& addmm_out(const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& beta,
                  const Scalar& alpha, Tensor& out) {
  if (added(Operation::addmm, self, a, b, beta, alpha).serve(out)) return out;
  return at::cuda::addmm_outf(self, a, b, beta, alpha, out);
}
Tensor& addmm_(Tensor& self, const Tensor& a, const Tensor& b, const Scalar& beta,
               const Scalar& alpha) {
  if (added(Operation::addmm, self, a, b, beta, alpha).serve(self)) return self;
  return at::cuda::addmm_(self, a, b, beta, alpha);
}
Tensor baddbmm(const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& beta,
               const Scalar& alpha) {
  Tensor d;
  if (added(Operation::baddbmm, self, a, b, beta, alpha).serve(d)) return d;
  return at::cuda::baddbmm(self, a, b, beta, alpha);
}
Tensor& baddbmm_out(const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& beta,
                    const Scalar& alpha, Tensor& out) {
  if (added(Operation::baddbmm, self, a, b, beta, alpha).serve(out)) return out;
  return at::cuda::baddbmm_outf(self, a, b, beta, alpha, out);
}
Tensor& baddbmm_(Tensor& self, const Tensor& a, const Tensor& b, const Scalar& beta,
                 const Scalar& alpha) {
  if (added(Operation::baddbmm, self, a, b, beta, alpha).serve(self)) return self;
  return at::cuda::baddbmm_(self, a, b, beta, alpha);
}

Asked scaled(const Tensor& a, const Tensor& b, const Tensor& scale_a, const Tensor& scale_b,
             const MaybeTensor& bias, const MaybeTensor& scale_result, MaybeType type,
             bool is_fast) {
  return Asked(Operation::scaled_mm, a, b)
      .needs(!scale_result)
      .add(kScaleA, scale_a)
      .add(kScaleB, scale_b)
      .add(kAdded, bias)
      .give(type)
      .sum_fast(is_fast);
}
Tensor scaled_mm(const Tensor& a, const Tensor& b, const Tensor& scale_a, const Tensor& scale_b,
                 const MaybeTensor& bias, const MaybeTensor& scale_result, MaybeType type,
                 bool is_fast) {
  Tensor d;
  if (scaled(a, b, scale_a, scale_b, bias, scale_result, type, is_fast).serve(d)) return d;
  return at::cuda::_scaled_mm(a, b, scale_a, scale_b, bias, scale_result, type, is_fast);
}
Tensor& scaled_mm_out(const Tensor& a, const Tensor& b, const Tensor& scale_a,
                      const Tensor& scale_b, const MaybeTensor& bias,
                      const MaybeTensor& scale_result, MaybeType type, bool is_fast, Tensor& out) {
  if (scaled(a, b, scale_a, scale_b, bias, scale_result, type, is_fast).serve(out)) return out;
  return at::cuda::_scaled_mm_outf(a, b, scale_a, scale_b, bias, scale_result, type, is_fast, out);
}
Tensor grouped_mm(const Tensor& a, const Tensor& b, const MaybeTensor& ends,
                  const MaybeTensor& bias, MaybeType type) {
  Tensor d;
  if (Asked(Operation::grouped_mm, a, b).needs(!bias && ends).add(kList, ends).give(type).serve(d))
    return d;
  return at::cuda::_grouped_mm(a, b, ends, bias, type);
}

/// That a kernel is replaced is what was asked for.
struct SilentWarnings : c10::WarningHandler {
  void process(const c10::Warning&) override {}
};

PyObject* start(PyObject*, PyObject* arguments) {
  PyObject *capsule = nullptr, *function = nullptr;
  if (PyArg_ParseTuple(arguments, "OO", &capsule, &function) == 0) return nullptr;
  functions = static_cast<const Functions*>(PyCapsule_GetPointer(capsule, kCapsule));
  if (functions == nullptr) return nullptr;
  Py_XSETREF(decide, Py_NewRef(function));
  static torch::Library* library = nullptr;
  if (library == nullptr) {
    SilentWarnings silent;
    const c10::WarningUtils::WarningHandlerGuard guard(&silent);
    library = new torch::Library(torch::Library::IMPL, "aten", c10::DispatchKey::CUDA, __FILE__,
                                 __LINE__);
    library->impl("mm", mm).impl("mm.out", mm_out).impl("bmm", bmm).impl("bmm.out", bmm_out);
    library->impl("addmm", addmm).impl("addmm.out", addmm_out).impl("addmm_", addmm_);
    library->impl("baddbmm", baddbmm).impl("baddbmm.out", baddbmm_out).impl("baddbmm_", baddbmm_);
    library->impl("_scaled_mm", scaled_mm).impl("_scaled_mm.out", scaled_mm_out);
    library->impl("_grouped_mm", grouped_mm);
  }
  is_on = true;
  Py_RETURN_NONE;
}

PyObject* stop(PyObject*, PyObject*) {
  is_on = false;
  workspaces().forget();
  Py_RETURN_NONE;
}

PyMethodDef methods[] = {
    {"start", start, METH_VARARGS, "start(capsule, decide): torch's products ask jute from now on"},
    {"stop", stop, METH_NOARGS, "They are torch's again"},
    {nullptr, nullptr, 0, nullptr}};
PyModuleDef module = {PyModuleDef_HEAD_INIT, "_torch_operators", nullptr, -1, methods};

}  // namespace
}  // namespace jute::torch_operators

PyMODINIT_FUNC PyInit__torch_operators() { return PyModule_Create(&jute::torch_operators::module); }
