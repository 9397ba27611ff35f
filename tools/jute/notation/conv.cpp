// `jute conv`: convolutions and their gradients, from files.
#include <jute/gemm/reference.hpp>
#include <jute/plan/notation/convolution.hpp>

#include <algorithm>
#include <memory>
#include <ostream>
#include <utility>

#include "command/exit_status.hpp"
#include "files/array_file.hpp"
#include "files/file_matrix.hpp"
#include "notation/products.hpp"
#include "product/gemm_data.hpp"

namespace jute::command {
namespace {

struct ConvOptions {
  ProductOptions product;
  std::string x, w, y, stride = "1", padding = "0", dilation = "1", gradient, extents;
  Index channel_groups = 1;
  std::string shape;
  bool nchw = false, draw = false;
};

/// The arrays of a product, as --gradient has them: what is read, and what is written.
struct Roles {
  char a, b, d;
};
Roles roles_of(const ConvOptions& options) {
  if (options.gradient == "x") return {'y', 'w', 'x'};
  if (options.gradient == "w") return {'y', 'x', 'w'};
  return {'x', 'w', 'y'};
}

const std::string& path_of(const ConvOptions& options, char array) {
  return array == 'x' ? options.x : array == 'w' ? options.w : options.y;
}

/// Whole numbers with commas between them, one for each axis or one for all.
std::vector<Index> axis_numbers(const std::string& option, const std::string& text,
                                std::size_t axes) {
  std::vector<Index> numbers = whole_numbers(option, text, "2 or 2,1");
  if (numbers.size() == 1) numbers.assign(axes, numbers[0]);
  if (numbers.size() != axes)
    throw UsageError(
        option, "it needs one number, or one for each of the " + std::to_string(axes) + " axes");
  return numbers;
}

/// A file's shape as (images or filters, axes, channels), whatever its order.
struct Shape {
  Index images = 1, channels = 1;
  std::vector<Index> axes;
};
Shape shape_of(const ArrayFile& file, const ConvOptions& options) {
  const std::vector<Index>& shape = file.array.shape;
  if (shape.size() < 3 || shape.size() > 2 + kMostConvolutionAxes || file.array.fortran_order)
    refuse_data(file.name, std::to_string(shape.size()) + " axes",
                std::string("it must have images, channels and one to three axes, in C order: ") +
                    (options.nchw ? "NCHW" : "NHWC"));
  if (options.nchw) return {shape[0], shape[1], {shape.begin() + 2, shape.end()}};
  return {shape.front(), shape.back(), {shape.begin() + 1, shape.end() - 1}};
}

void require_equal(const ArrayFile& file, const std::string& what, Index found, Index needed) {
  if (found != needed)
    refuse_data(file.name, std::to_string(found) + " " + what,
                "it must have " + std::to_string(needed) + " " + what);
}

bool fit(const Shape& one, const Shape& other, const ConvOptions& options) {
  if (options.gradient.empty()) return other.channels * options.channel_groups == one.channels;
  return options.gradient != "x" || other.images == one.channels;
}

/// Files whose channels fit where they are counted from the other end of the shapes are told so.
void require_order(const ArrayFile& first, const ArrayFile& second, const ConvOptions& options) {
  const Shape one = shape_of(first, options), other = shape_of(second, options);
  ConvOptions turned = options;
  turned.nchw = !options.nchw;
  if (one.axes.size() != other.axes.size() || fit(one, other, options) ||
      !fit(shape_of(first, turned), shape_of(second, turned), turned))
    return;
  if (options.nchw)
    throw UsageError("--nchw", "it must be left out: the files' channels fit as the last axis");
  refuse_data("channels", std::to_string(one.channels) + " and " + std::to_string(other.channels),
              "those of " + first.name + " and " + second.name +
                  " must fit: they do where files have the channels first",
              "--nchw");
}

/// Numbers of the options; the extents of the array that is written are not known yet.
Convolution numbers_of(const ConvOptions& options, std::size_t axes) {
  Convolution made{.channel_groups = options.channel_groups,
                   .axes = {},
                   .order = options.nchw ? ImageOrder::channels_first : ImageOrder::channels_last};
  made.axes.resize(axes);
  const auto stride = axis_numbers("--stride", options.stride, axes),
             padding = axis_numbers("--padding", options.padding, axes),
             dilation = axis_numbers("--dilation", options.dilation, axes);
  for (std::size_t i = 0; i < axes; ++i)
    made.axes[i] = {1, 1, std::max<Index>(stride[i], 1), dilation[i], padding[i]};
  for (const Index one : stride)
    if (one < 1) throw UsageError("--stride", "it must be at least 1");
  if (options.channel_groups < 1) throw UsageError("--channel-groups", "it must be at least 1");
  return made;
}

/// The convolution that the two files say. Of a gradient the written array's extents may be left
/// open by the stride: --extents says them, else inputs are the fewest, taps the most.
Convolution convolution_of(const ConvOptions& options, const ArrayFile& first,
                           const ArrayFile& second) {
  require_order(first, second, options);
  const Shape one = shape_of(first, options), other = shape_of(second, options);
  const std::size_t axes = one.axes.size();
  require_equal(second, "axes beside its channels", std::ssize(other.axes), std::ssize(one.axes));
  Convolution made = numbers_of(options, axes);
  const auto extents = options.extents.empty() ? std::vector<Index>{}
                                               : axis_numbers("--extents", options.extents, axes);
  made.images = one.images;
  const Index groups = options.channel_groups;
  if (options.gradient.empty()) {
    made.channels = one.channels;
    made.features = other.images;
    require_equal(second, "channels, those of a group", other.channels, one.channels / groups);
  } else if (options.gradient == "x") {
    made.features = one.channels;
    made.channels = other.channels * groups;
    require_equal(second, "filters", other.images, one.channels);
  } else {
    made.features = one.channels;
    made.channels = other.channels;
    require_equal(second, "images", other.images, one.images);
  }
  for (std::size_t i = 0; i < axes; ++i) {
    ConvolutionAxis& axis = made.axes[i];
    if (options.gradient == "w") {
      axis.input = other.axes[i];
      const Index spare = axis.input + 2 * axis.padding - 1 - (one.axes[i] - 1) * axis.stride;
      axis.filter = extents.empty() ? spare / std::max<Index>(axis.dilation, 1) + 1 : extents[i];
    } else {
      axis.filter = other.axes[i];
      axis.input = one.axes[i];
      if (options.gradient == "x")
        axis.input = extents.empty()
                         ? (one.axes[i] - 1) * axis.stride + axis.window() - 2 * axis.padding
                         : extents[i];
    }
  }
  require_legal(made);
  if (!options.gradient.empty())
    for (std::size_t i = 0; i < axes; ++i)
      require_equal(first, "outputs along an axis", one.axes[i], made.axes[i].output());
  return made;
}

std::vector<Problem> parts_asked(const ConvOptions& options, const Convolution& made,
                                 const Problem& like) {
  if (options.gradient == "x") return convolution_data_gradient(made, like);
  return {options.gradient == "w" ? convolution_filter_gradient(made, like)
                                  : convolution(made, like)};
}

/// The written array's shape, as its file has it.
std::vector<Index> result_shape(const ConvOptions& options, const Convolution& made) {
  std::vector<Index> axes;
  for (const ConvolutionAxis& axis : made.axes)
    axes.push_back(options.gradient == "x"   ? axis.input
                   : options.gradient == "w" ? axis.filter
                                             : axis.output());
  const Index images = options.gradient == "w" ? made.features : made.images;
  const Index channels = options.gradient == "x"   ? made.channels
                         : options.gradient == "w" ? made.channels / made.channel_groups
                                                   : made.features;
  axes.insert(options.nchw ? axes.begin() : axes.end(), channels);
  axes.insert(axes.begin(), images);
  return axes;
}

/// The layout of each operand of each product; `none` where nothing is summed.
int draw_layouts(const ConvOptions& options, const Convolution& made, const Session& session) {
  const std::string names = "ABD";
  for (const Problem& problem : parts_asked(options, made, product_like(options.product, {}))) {
    session.out << "M=" << problem.m << " N=" << problem.n << " K=" << problem.k;
    if (problem.batch > 1) session.out << " batch=" << problem.batch;
    session.out << "\n";
    const Matrix* matrices[] = {&problem.a, &problem.b, &problem.d};
    for (std::size_t i = 0; i < names.size(); ++i)
      session.out << names[i] << " "
                  << (matrices[i]->view ? to_string(canonical(*matrices[i]->view)) : "none")
                  << "\n";
  }
  return kDone;
}

void require_files(const ConvOptions& options) {
  const Roles roles = roles_of(options);
  for (const char read : {roles.a, roles.b})
    if (path_of(options, read).empty())
      throw UsageError(std::string("--") + read, std::string("it must be given, for example --") +
                                                     read + " " + read + ".npy");
  if (!path_of(options, roles.d).empty())
    throw UsageError(std::string("--") + roles.d,
                     "it must be left out: it is what is computed, and -o writes it");
  if (!options.extents.empty() && options.gradient.empty())
    throw UsageError("--extents", "it must stand together with --gradient");
}

/// The extents of --shape, or of the files' headers.
int draw_conv(const ConvOptions& options, const Session& session) {
  if (!options.shape.empty())
    return draw_layouts(options, parse_convolution(options.shape), session);
  require_files(options);
  const Roles roles = roles_of(options);
  return draw_layouts(options,
                      convolution_of(options, read_array_header(path_of(options, roles.a)),
                                     read_array_header(path_of(options, roles.b))),
                      session);
}

int run_conv(const ConvOptions& options, const Session& session) {
  if (options.draw) return draw_conv(options, session);
  if (!options.shape.empty()) throw UsageError("--shape", "it must stand together with --draw");
  require_files(options);
  const Roles roles = roles_of(options);
  ArrayFile a = read_array(path_of(options, roles.a)), b = read_array(path_of(options, roles.b));
  const Convolution made = convolution_of(options, a, b);
  GemmData data;
  const AskedTypes asked = asked_types(options.product.problem);
  const DType type_a = take_type(a.array, a.name, asked.a, data);
  const DType type_b = take_type(b.array, b.name, asked.b, data);
  data.memory[TensorRole::a] = std::move(a.array.bytes);
  data.memory[TensorRole::b] = std::move(b.array.bytes);
  NpyArray result{
      .descr = "", .fortran_order = false, .shape = result_shape(options, made), .bytes = {}};
  const Problem like = product_like(options.product, {type_a, type_b});
  result.descr = npy_descr(like.d.type);
  result.bytes.resize(static_cast<size_t>(element_count(result) * width_bytes(like.d.type)));
  Products products(options.product, session);
  std::vector<Problem> parts = parts_asked(options, made, like);
  data.problem = parts.front();
  finish_problem(data, options.product);
  products.require_results_of(data.problem);
  for (Problem& part : parts) {
    part.epilogue = data.problem.epilogue;
    part = completed(part);
  }
  data.memory[TensorRole::d] = std::move(result.bytes);
  result.bytes = products.run(data, parts);
  return products.deliver(result);
}

}  // namespace

void add_conv(Command& jute) {
  auto options = std::make_shared<ConvOptions>();
  Command& sub = jute.add("conv", "Convolve images with filters, or compute a gradient of that",
                          "jute conv --draw --shape 'x=32x56x56x64 w=256x3x3 padding=1'");
  sub.option("--x X.npy", &options->x, "Images: (N,H,W,C)").takes(Strays::word);
  sub.option("--w W.npy", &options->w, "Filters: (F,R,S,C/groups)").takes(Strays::word);
  sub.option("--y Y.npy", &options->y, "With --gradient: the outputs' gradient, (N,P,Q,F)");
  sub.option("--gradient", &options->gradient, "Compute that of x or of w instead of y")
      .one_of({"x", "w"});
  sub.option("--stride", &options->stride, "Inputs between two outputs; 2,1: for each axis")
      .with_default();
  sub.option("--padding", &options->padding, "Zeros before and behind each axis").with_default();
  sub.option("--dilation", &options->dilation, "Inputs between two taps").with_default();
  sub.option("--channel-groups", &options->channel_groups,
             "Groups of channels, each seen by features of its own")
      .with_default();
  sub.option("--extents INT,…", &options->extents,
             "With --gradient: H,W of dx or R,S of dw, where the stride leaves them open");
  sub.option("--nchw", &options->nchw, "Files have the channels first: NCHW, FCRS, NFPQ");
  sub.option("--draw", &options->draw, "Show the layout of each operand, and compute nothing")
      .with_nothing_but({"--x", "--w", "--y", "--gradient", "--stride", "--padding", "--dilation",
                         "--channel-groups", "--extents", "--nchw", "--shape", "--color",
                         "--quiet"});
  sub.option("--shape TEXT", &options->shape,
             "For --draw without files: \"x=32x56x56x64 w=256x3x3\"")
      .without({"--x", "--w", "--y", "--stride", "--padding", "--dilation", "--channel-groups",
                "--nchw", "--extents"});
  add_product_flags(sub, options->product);
  sub.run = [options](const Session& session) { return run_conv(*options, session); };
  sub.judge = [options](const Session& session) {
    if (options->draw)
      return judged_by([&](const Session& s) { return draw_conv(*options, s); })(session);
    require_files(*options);
    const Roles roles = roles_of(*options);
    const std::string &a = path_of(*options, roles.a), &b = path_of(*options, roles.b);
    if (is_regular_file(a) && is_regular_file(b))
      (void)convolution_of(*options, read_array_header(a), read_array_header(b));
  };
}

}  // namespace jute::command
