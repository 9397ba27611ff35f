// torch's tensors by their methods, which is quickest; others by the protocol that they offer.
#include "array.hpp"

#include <nanobind/ndarray.h>

#include <charconv>
#include <string_view>
#include <unordered_map>

#include "exchange.hpp"

namespace jute::python {

namespace {

/// Names that every call asks for, made once.
struct Names {
  nb::str shape = interned("shape"), stride = interned("stride"), dtype = interned("dtype"),
          data_ptr = interned("data_ptr"), get_device = interned("get_device"),
          requires_grad = interned("requires_grad"), new_empty = interned("new_empty"),
          host = interned("__array_interface__"), cuda = interned("__cuda_array_interface__"),
          dlpack = interned("__dlpack__"), name = interned("name"), itemsize = interned("itemsize"),
          is_native = interned("isnative"), is_neg = interned("is_neg");
  static nb::str interned(const char* text) {
    return nb::steal<nb::str>(PyUnicode_InternFromString(text));
  }
};
const Names& names() {
  static const Names* all = new Names;  // never destroyed: the interpreter may be gone by then
  return *all;
}

bool has(nb::handle object, const nb::str& name) { return nb::hasattr(object, name); }

/// A type of arrays, found once: whose objects they are, and their C functions where it has them.
struct KnownType {
  Library library = Library::numpy;
  const Exchange* exchange = nullptr;
};

/// Refuses an array's protocol of what is none: its memory goes with the answer, or is not all of
/// it.
void refuse_no_array(nb::handle type, const char* name) {
  if (is_of("numpy", "generic", type))
    refuse(ErrorCode::wrong_type, name, nb::cast<std::string>(type.attr("__name__")),
           "it must be an array, no number: numpy.asarray makes one of it");
  if (nb::hasattr(type, "mask"))
    refuse(ErrorCode::wrong_type, name, nb::cast<std::string>(type.attr("__name__")),
           "it must be an array without a mask: a.filled(0) is one");
}

KnownType type_of(nb::handle object, const char* name) {
  static auto* known = new std::unordered_map<PyObject*, KnownType>;
  const nb::handle type = object.type();
  const auto found = known->find(type.ptr());
  if (found != known->end()) return found->second;
  refuse_no_array(type, name);
  KnownType made;
  if (is_of("torch", "Tensor", type))
    made = {Library::torch, exchange_of(type)};
  else if (has(object, names().cuda))
    made.library = Library::cuda_array;
  else if (has(object, names().host))
    made.library = Library::numpy;
  else if (has(object, names().dlpack))
    made.library = Library::dlpack;
  else
    refuse(ErrorCode::wrong_type, name, nb::cast<std::string>(nb::str(type)),
           "it must be an array: __dlpack__, __cuda_array_interface__ or __array_interface__");
  type.inc_ref();  // an address names one type only as long as that lives
  known->emplace(type.ptr(), made);
  return made;
}

/// An element type as its library describes it.
struct Elements {
  std::string name;
  std::optional<DType> type;  ///< none: jute has no such type
  int stored_bits = 0;        ///< 0: its library does not say
  bool is_native = true;      ///< bytes in the machine's order
};

/// Bits of an element by its name, `float6_e2m3fn` 6, `float4_e2m1fn_x2` 8; 0: it says none.
int named_bits(std::string_view name) {
  const auto number = [&](std::size_t at) {
    int value = 0;
    if (at < name.size()) std::from_chars(name.data() + at, name.data() + name.size(), value);
    return value;
  };
  const std::size_t many = name.rfind("_x");
  return number(name.find_first_of("0123456789")) *
         (many == std::string_view::npos ? 1 : std::max(1, number(many + 2)));
}

Elements described(nb::handle dtype) {
  Elements made;
  made.name = nb::cast<std::string>(
      nb::str(has(dtype, names().name) ? nb::object(dtype.attr(names().name)) : nb::borrow(dtype)));
  if (const std::size_t dot = made.name.rfind('.'); dot != std::string::npos)
    made.name.erase(0, dot + 1);
  made.type = type_of_array(made.name);
  if (has(dtype, names().itemsize))
    made.stored_bits = 8 * nb::cast<int>(dtype.attr(names().itemsize));
  if (has(dtype, names().is_native)) made.is_native = nb::cast<bool>(dtype.attr(names().is_native));
  return made;
}

/// The element type of a dtype object, found once for each: torch's and numpy's live as
/// long as they do.
const Elements& elements_of(nb::handle dtype, Elements& made) {
  static auto* known = new std::unordered_map<PyObject*, Elements>;
  const auto found = known->find(dtype.ptr());
  if (found != known->end()) return found->second;
  made = described(dtype);
  if (!made.type || !made.is_native) return made;
  dtype.inc_ref();
  return known->emplace(dtype.ptr(), made).first->second;
}

[[noreturn]] void refuse_elements(const char* name, const Elements& elements, std::string rule,
                                  std::optional<std::string> nearest = {}) {
  refuse(ErrorCode::wrong_type, name, elements.name, std::move(rule), std::move(nearest));
}

std::string bits_text(int bits) {
  return bits % 8 != 0 ? std::to_string(bits) + " bits"
                       : std::to_string(bits / 8) + (bits == 8 ? " byte" : " bytes");
}

/// Refuses elements that no way of reading bits makes right.
void check_storage(const char* name, const Elements& elements) {
  if (!elements.is_native)
    refuse_elements(name, elements,
                    "the bytes of its elements must be in this machine's order: "
                    "a.astype(a.dtype.newbyteorder('=')) is a copy that has them so");
  const int bits = named_bits(elements.name);
  if (bits > 0 && bits < 8 && elements.stored_bits >= 8)
    refuse_elements(
        name, elements,
        "its elements of " + std::to_string(bits) +
            " bits have a byte each, which no kernel reads: they must be converted, as by "
            "a.astype(numpy.int8), or packed, two of 4 bits in a byte of uint8, as type_a or "
            "type_b then says");
}

/// The type of elements, or the one that they are asked to be read as.
DType type_as(const Elements& elements, const char* name, std::optional<DType> as) {
  check_storage(name, elements);
  if (!as && elements.type) return *elements.type;
  if (!as) refuse_unknown_elements(name, elements.name);
  if (elements.stored_bits != 0 && elements.stored_bits != 8 * width_bytes(*as))
    refuse_elements(name, elements,
                    "to be read as " + std::string(jute::name(*as)) + " its elements must have " +
                        bits_text(8 * width_bytes(*as)));
  return *as;
}
DType type_as(nb::handle dtype, const char* name, std::optional<DType> as) {
  Elements made;
  return type_as(elements_of(dtype, made), name, as);
}

void check_rank(std::size_t rank, const char* name) {
  if (rank > kMostAxes)
    refuse(ErrorCode::out_of_range, name, std::to_string(rank) + " axes",
           "it must have at most " + std::to_string(kMostAxes), std::to_string(kMostAxes));
}

void read(nb::handle tuple, std::array<Index, kMostAxes>& out) {
  const Py_ssize_t count = PyTuple_Size(tuple.ptr());
  for (Py_ssize_t i = 0; i < count; ++i)
    out[static_cast<std::size_t>(i)] = PyLong_AsLongLong(PyTuple_GetItem(tuple.ptr(), i));
}

void make_compact(Array& array) {
  Index stride = 1;
  for (int i = array.rank; i-- > 0;) {
    array.stride[static_cast<std::size_t>(i)] = stride;
    stride *= std::max<Index>(array.extent[static_cast<std::size_t>(i)], 1);
  }
}

/// torch's lazy sign: memory holds the negatives of the elements. It is the imaginary part of a
/// conjugate that has it, whose steps are of two; asking every tensor would cost each call.
void refuse_negated(nb::handle tensor, const Array& array, const char* name) {
  for (std::size_t i = 0; i < array.extents().size(); ++i)
    if (array.extent[i] > 1 && array.stride[i] == 1) return;
  if (has(tensor, names().is_neg) && tensor.attr(names().is_neg)().is(Py_True))
    refuse(ErrorCode::unsupported, name, "a tensor that is negated when it is read",
           "its memory must hold its elements: x.resolve_neg() is a copy that does");
}

/// By attributes, where the library has no C functions or they refuse.
Array of_torch(nb::handle tensor, const char* name, std::optional<DType> as) {
  Array array{.library = Library::torch};
  const nb::object shape = tensor.attr(names().shape);
  array.rank = static_cast<int>(PyTuple_Size(shape.ptr()));
  check_rank(static_cast<std::size_t>(array.rank), name);
  read(shape, array.extent);
  read(tensor.attr(names().stride)(), array.stride);
  array.type = type_as(tensor.attr(names().dtype), name, as);
  const auto place = nb::cast<std::string>(tensor.attr("device").attr("type"));
  if (place != "cpu" && place != "cuda")
    refuse(ErrorCode::unsupported, name, "a tensor on " + place,
           "its elements must lie in host memory or on a GPU of NVIDIA", "cuda");
  array.address = nb::cast<std::uint64_t>(tensor.attr(names().data_ptr)());
  array.device = nb::cast<int>(tensor.attr(names().get_device)());
  return array;
}

/// An object without a dtype has numpy's text of it.
DType of_facts(nb::handle object, const nb::dict& facts, const char* name,
               std::optional<DType> as) {
  if (facts.contains("mask") && !facts["mask"].is_none())
    refuse(ErrorCode::wrong_type, name, "an array with a mask", "it must have none");
  if (has(object, names().dtype)) return type_as(object.attr(names().dtype), name, as);
  return type_as(nb::module_::import_("numpy").attr("dtype")(facts["typestr"]), name, as);
}

/// Both interfaces are a dictionary of the same keys; strides count bytes.
Array of_interface(nb::handle object, const char* name, std::optional<DType> as) {
  const bool on_gpu = has(object, names().cuda);
  const nb::dict facts(object.attr(on_gpu ? names().cuda : names().host));
  Array array{.library = on_gpu ? Library::cuda_array : Library::numpy};
  const nb::tuple shape(facts["shape"]);
  array.rank = static_cast<int>(shape.size());
  check_rank(shape.size(), name);
  read(shape, array.extent);
  array.type = of_facts(object, facts, name, as);
  make_compact(array);
  if (facts.contains("strides") && !facts["strides"].is_none()) {
    read(facts["strides"], array.stride);
    const Index width = width_bytes(array.type);
    for (int i = 0; i < array.rank; ++i) {
      Index& stride = array.stride[static_cast<std::size_t>(i)];
      if (stride % width != 0)
        refuse(ErrorCode::misaligned, name, std::to_string(stride) + " bytes",
               "its strides must be multiples of its elements, which have " +
                   std::to_string(width) + " bytes");
      stride /= width;
    }
  }
  const nb::tuple data(facts["data"]);
  array.address = nb::cast<std::uint64_t>(data[0]);
  array.read_only = nb::cast<bool>(data[1]);
  if (!on_gpu) return array;
  array.device = 0;
  if (nb::hasattr(object, "device") && nb::hasattr(object.attr("device"), "id"))
    array.device = nb::cast<int>(object.attr("device").attr("id"));
  if (facts.contains("stream") && !facts["stream"].is_none()) {
    array.stream = nb::cast<std::uint64_t>(facts["stream"]);
    if (array.stream == 1) array.stream = 0;  // the interface's word for the default stream
  }
  return array;
}

Array of_dlpack(nb::handle object, const char* name, std::optional<DType> as) {
  const auto view = nb::cast<nb::ndarray<nb::ro>>(object);
  Array array{.library = Library::dlpack};
  array.rank = static_cast<int>(view.ndim());
  check_rank(view.ndim(), name);
  for (std::size_t i = 0; i < view.ndim(); ++i) {
    array.extent[i] = static_cast<Index>(view.shape(i));
    array.stride[i] = static_cast<Index>(view.stride(i));
  }
  array.type = type_as(object.attr(names().dtype), name, as);
  if (const int bits = view.dtype().bits * view.dtype().lanes; bits != width_bits(array.type))
    refuse(ErrorCode::wrong_type, name, bits_text(bits),
           "an element must have the bits of " + std::string(jute::name(array.type)));
  array.address = reinterpret_cast<std::uint64_t>(view.data());
  array.device = view.device_type() == nb::device::cuda::value ? view.device_id() : kHost;
  return array;
}

/// What is made at its first use, with the GIL, for the life of the process. The guard of a static
/// would be held while Python imports and other threads run, one of which would wait for it with
/// the GIL.
template <class T>
class MadeOnce {
 public:
  template <class Make>
  const T& get(Make&& make) {
    if (made_ == nullptr) {
      auto made = std::make_unique<T>(make());
      if (made_ == nullptr) made_ = made.release();
    }
    return *made_;
  }

 private:
  T* made_ = nullptr;
};

nb::object attribute(const char* module, const char* name) {
  return nb::module_::import_(module).attr(name);
}

/// The function by which torch's compiled code makes tensors, a third of the time; none where this
/// torch has no such functions.
struct TensorMakers {
  nb::object on_host, on_gpu, current_gpu;
};
const TensorMakers& tensor_makers() {
  static constinit MadeOnce<TensorMakers> all;
  return all.get([] {
    TensorMakers made;
    try {
      const nb::object torch = nb::module_::import_("torch").attr("_C");
      const nb::object guards = torch.attr("_dynamo").attr("guards");
      made.on_host = guards.attr("_empty_strided_cpu");
      if (nb::hasattr(torch, "_cuda_getDevice")) {
        made.current_gpu = torch.attr("_cuda_getDevice");
        made.on_gpu = guards.attr("_empty_strided_cuda");
      }
    } catch (const nb::python_error&) {  // those that it has serve
    }
    return made;
  });
}

/// Packed, by axes from the slowest to the fastest.
Extents strides_by(const Extents& shape, const Extents& axes) {
  Extents strides = shape;
  Index stride = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    const std::size_t axis = axes.size() == 0 ? i : static_cast<std::size_t>(axes[i]);
    strides[axis] = stride;
    stride *= std::max<Index>(shape[axis], 1);
  }
  return strides;
}

/// An array of like's element type and device.
nb::object new_tensor(nb::handle like, const Array& form, const Extents& shape,
                      const Extents& axes) {
  const TensorMakers& makers = tensor_makers();
  const bool is_on_host = form.device == kHost;
  const nb::object& make = is_on_host ? makers.on_host : makers.on_gpu;
  if (!make.is_valid() || (!is_on_host && nb::cast<int>(makers.current_gpu()) != form.device))
    return axes.size() == 0 ? like.attr(names().new_empty)(to_tuple_object(shape))
                            : like.attr("new_empty_strided")(
                                  to_tuple_object(shape), to_tuple_object(strides_by(shape, axes)));
  return make(to_tuple_object(shape), to_tuple_object(strides_by(shape, axes)),
              like.attr(names().dtype));
}

}  // namespace

void Extents::push_back(Index extent) {
  if (count_ == at_.size())
    refuse(ErrorCode::out_of_range, "shape", std::to_string(count_ + 1) + " axes",
           "an array must have at most " + std::to_string(kMostAxes), std::to_string(kMostAxes));
  at_[count_++] = extent;
}

nb::object to_tuple_object(const Extents& extents) {
  nb::object tuple = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(extents.size())));
  for (std::size_t i = 0; i < extents.size(); ++i)
    PyTuple_SetItem(tuple.ptr(), static_cast<Py_ssize_t>(i), PyLong_FromLongLong(extents[i]));
  return tuple;
}

namespace {

Array read_array(nb::handle object, const char* name, std::optional<DType> as) {
  const KnownType type = type_of(object, name);
  Array array;
  if (type.exchange != nullptr && read_tensor(*type.exchange, object, as, array)) return array;
  switch (type.library) {
    case Library::torch:
      return of_torch(object, name, as);
    case Library::dlpack:
      return of_dlpack(object, name, as);
    case Library::numpy:
    case Library::cuda_array:
      break;
  }
  return of_interface(object, name, as);
}

}  // namespace

Array array_of(nb::handle object, const char* name, std::optional<DType> as) {
  const Array array = read_array(object, name, as);
  if (array.library == Library::torch) refuse_negated(object, array, name);
  const auto width = static_cast<std::uint64_t>(width_bytes(array.type));
  if (array.device != kHost && array.address % width != 0)
    refuse(ErrorCode::misaligned, name, std::to_string(array.address),
           "on a GPU its address must be a multiple of its elements, which have " +
               bits_text(width_bits(array.type)));
  return array;
}

namespace {

struct Stretch {
  std::uint64_t begin = 0, end = 0;  ///< bytes
  bool is_dense = true;              ///< all of them are elements
};

Stretch stretch_of(const Array& array) {
  Index last = 0, count = 1;
  for (int i = 0; i < array.rank; ++i) {
    const auto at = static_cast<std::size_t>(i);
    count *= array.extent[at];
    last += std::max<Index>(array.extent[at] - 1, 0) * array.stride[at];
  }
  const Index elements = count == 0 || last < 0 ? 0 : last + 1;
  return {array.address,
          array.address + static_cast<std::uint64_t>(elements * width_bytes(array.type)),
          count == elements};
}

}  // namespace

void refuse_shared(const Array& out, const Array& operand, const char* name) {
  if (out.device != operand.device) return;
  const Stretch written = stretch_of(out), read = stretch_of(operand);
  if (written.begin == written.end || read.begin == read.end) return;
  const bool overlap = written.begin < read.end && read.begin < written.end;
  if (overlap && (written.begin == read.begin || (written.is_dense && read.is_dense)))
    refuse(ErrorCode::unsupported, "out", std::string("memory of ") + name,
           std::string("it must not lie where ") + name + " lies, which is read meanwhile");
}

bool needs_gradient(const Array& array, nb::handle object) {
  return array.library == Library::torch && object.attr(names().requires_grad).is(Py_True);
}

Array writable_array_of(nb::handle object, const char* name, std::optional<DType> as) {
  Array array = array_of(object, name, as);
  if (array.read_only)
    refuse(ErrorCode::unsupported, name, "a read-only array", "it must be one that may be written");
  return array;
}

nb::object new_array(nb::handle like, const Array& form, DType type, const Extents& shape,
                     const Extents& axes) {
  if (form.library == Library::torch && form.type == type)
    return new_tensor(like, form, shape, axes);
  static constinit MadeOnce<nb::object> make;
  return make.get([] { return attribute("jute._arrays", "empty"); })(
      like, to_tuple_object(shape), nb::str(std::string(name(type)).c_str()));
}

nb::object new_one(nb::handle like, const Array& form) {
  return nb::module_::import_("jute._arrays")
      .attr("one")(like, nb::str(std::string(name(form.type)).c_str()));
}

std::uint64_t current_stream(const Array& array) {
  if (array.library != Library::torch || array.device == kHost) return array.stream;
  if (array.exchange != nullptr)
    if (const auto stream = current_stream(*array.exchange, array.device)) return *stream;
  static constinit MadeOnce<nb::object> stream;
  return nb::cast<std::uint64_t>(
      stream.get([] { return attribute("torch._C", "_cuda_getCurrentRawStream"); })(array.device));
}

bool is_capturing(const Array& array) {
  if (array.library != Library::torch || array.device == kHost) return false;
  static constinit MadeOnce<nb::object> capturing;
  return nb::cast<bool>(
      capturing.get([] { return attribute("torch._C", "_cuda_isCurrentStreamCapturing"); })());
}

}  // namespace jute::python
