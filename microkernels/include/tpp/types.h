/* Types shared by the runtime's callers, its microkernels and the compiler: enumerations (expanded from kinds.def), operand layouts,
 * descriptors passed at dispatch, and the argument block passed at each invocation. C11; no functions but inline ones. */
#ifndef TPP_TYPES_H
#define TPP_TYPES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tpp_type {
#define TPP_TYPE(name, value, bytes, summary) TPP_TYPE_##name = value,
#include "tpp/kinds.def"
} tpp_type;

typedef enum tpp_status {
#define TPP_STATUS(NAME, value, text) TPP_STATUS_##NAME = value,
#include "tpp/kinds.def"
} tpp_status;

typedef enum tpp_unary_kind {
#define TPP_UNARY_KIND(name, value, group, formula, special_values) TPP_UNARY_##name = value,
#include "tpp/kinds.def"
} tpp_unary_kind;

typedef enum tpp_binary_kind {
#define TPP_BINARY_KIND(name, value, formula, special_values) TPP_BINARY_##name = value,
#include "tpp/kinds.def"
} tpp_binary_kind;

typedef enum tpp_reduce_kind {
#define TPP_REDUCE_KIND(name, value, formula, special_values) TPP_REDUCE_##name = value,
#include "tpp/kinds.def"
} tpp_reduce_kind;

typedef enum tpp_broadcast {
#define TPP_BROADCAST_KIND(name, value, summary) TPP_BROADCAST_##name = value,
#include "tpp/kinds.def"
} tpp_broadcast;

typedef enum tpp_provider {
#define TPP_PROVIDER(name, value, summary) TPP_PROVIDER_##name = value,
#include "tpp/kinds.def"
} tpp_provider;

/* How the A and B of each batch entry of a brgemm are found. */
typedef enum tpp_batch_kind {
  TPP_BATCH_stride = 0, /* entry b starts b * batch_stride bytes after the operand's pointer */
  TPP_BATCH_offset = 1, /* entry b starts table[b] bytes after the operand's pointer; a_batch and b_batch are const int64_t * */
  TPP_BATCH_address =
      2, /* entry b starts at table[b]; a_batch and b_batch are const void *const *, the pointers a and b are not read */
} tpp_batch_kind;

typedef enum tpp_reduce_axis {
  TPP_REDUCE_over_rows = 0, /* out[j] over all rows i of in[i][j]: 1 x cols */
  TPP_REDUCE_over_cols = 1, /* out[i] over all columns j of in[i][j]: rows x 1, with row stride out.ld */
} tpp_reduce_axis;

/* The layout of one 2-D operand; the operation fixes its rows and cols. Element (i, j) is stored at this offset, in elements of `type`:
 *
 *     (j / panel) * panel_stride + i * ld + j % panel
 *
 * A plain operand has panel = 0: one panel as wide as the operand, and panel_stride is ignored. `ld` is at least 1. panel = 1 gives
 * columns their own stride: a transposed operand has ld = 1, panel = 1, panel_stride = its leading dimension. vnni = 0 or 1 is plain.
 * vnni = v (2 or 4) groups v consecutive rows: element (i, j) is stored in group i / v at element j * v + i % v. `ld` is then the
 * distance between groups; `panel` still counts columns, so a panel's group holds panel * v elements. The rows that complete the last group
 * of a brgemm's B must be zero.
 *
 * Rows and panels of an input may overlap. Those of an output may not: dispatch returns INVALID_LEADING_DIMENSION unless both conditions
 * hold, where width = min(panel, cols) * v and groups = rows / v rounded up:
 *   - ld >= width, or there is one group;
 *   - panels follow each other (panel_stride >= (groups - 1) * ld + width), or are interleaved in each row (panel_stride >= width, and
 *     ld >= the end of the row's last panel unless there is one group), or there is one panel. */
typedef struct tpp_matrix {
  int32_t type; /* tpp_type */
  int32_t vnni;
  int64_t ld;
  int64_t panel;
  int64_t panel_stride;
} tpp_matrix;

/* One step applied to the accumulators of a brgemm before C is stored, in order.
 * unary:  acc = kind(acc), an activation (relu, gelu, gelu_tanh, tanh, sigmoid, silu, exp, round, or identity)
 * binary: acc = kind(acc, operand), with an operand of layout `form`, broadcast as `broadcast` says: bias (add, row or col), residual
 *         (add, none), scale (mul, scalar, row or col). The operand's pointer is passed at each invocation, in args.post[index of step].
 * Steps compute in f32, on operands of f32, bf16 or f16. If the sums are i32, steps compute in i32 on operands of i32 (add, sub, mul, max, min, relu
 * and identity; results wrap around) up to the unary step `convert`, and in f32 after it, on operands of f32, bf16, f16, i32, i8 or u8. */
typedef enum tpp_post_op_class { TPP_POST_OP_unary = 0, TPP_POST_OP_binary = 1 } tpp_post_op_class;
typedef struct tpp_post_op {
  int32_t op_class;  /* tpp_post_op_class */
  int32_t kind;      /* tpp_unary_kind or tpp_binary_kind */
  int32_t broadcast; /* tpp_broadcast, of a binary step's operand */
  int32_t reserved;  /* 0 */
  tpp_matrix form;   /* layout of a binary step's operand; m x n before the broadcast */
} tpp_post_op;

enum {
  TPP_MAX_POST_OPS = 16
}; /* callers built with a smaller number are accepted: descriptors have a size, and arguments are read as needed */

/* C[m x n] = post( beta * C + sum over b of A_b[m x k] * B_b[k x n] ).
 * beta is 0 or 1; with 0, C is never read. m, n, k may be 0. f32*f32, bf16*bf16 and f16*f16 accumulate in f32, i8 or u8 times i8 or u8 in i32. C has the
 * type of the sums, or that of A and B if these are floating point; after a `convert` step f32, bf16, f16, i8 or u8, with beta = 0. It is rounded once, to nearest even; integers
 * saturate, and NaN gives 0. C may not overlap A or B; a residual operand may be C itself. `streaming` is a hint for storing C, as in
 * tpp_unary_desc. `b_uses` is a hint for reading B: how many invocations, one soon after the other, have this B, as in a loop over rows of C. 0 is 1.
 * With more than one, each invocation says in tpp_args::b_use which one it is. Kernels then count on B being in the cache, and the invocations share the
 * prefetch of the block stored after the one that they multiply. */
typedef struct tpp_brgemm_desc {
  size_t struct_size; /* sizeof(tpp_brgemm_desc) */
  int64_t m, n, k;
  tpp_matrix a, b, c;
  int32_t batch_kind; /* tpp_batch_kind */
  int32_t beta;
  int64_t a_batch_stride, b_batch_stride; /* bytes */
  int32_t provider;                       /* tpp_provider */
  int32_t streaming;
  int32_t b_uses; /* at least 0 */
  int32_t post_op_count;
  tpp_post_op post_ops[TPP_MAX_POST_OPS];
} tpp_brgemm_desc;

/* out[m x n] = kind(in). For transpose, `in` is n x m. For vnni_pack, `in` is plain and out.vnni is 2 or 4. `broadcast` applies to the
 * input. `alpha` is leaky_relu's factor for x <= 0 (any finite number), and 0 for all other kinds. The output may be the input itself if
 * their layouts are equal and the kind is neither transpose nor vnni_pack; otherwise they may not overlap.
 *
 * `streaming` is a hint, 0 or 1. 1 says that the output belongs to a result that does not fit the caches; a kernel may then write it with
 * non-temporal stores. The result is the same, and visible to every thread that synchronizes with the calling thread after the
 * invocation. */
typedef struct tpp_unary_desc {
  size_t struct_size;
  int64_t m, n;
  tpp_matrix in, out;
  int32_t kind; /* tpp_unary_kind */
  int32_t broadcast;
  int32_t provider;
  int32_t streaming;
  float alpha;
  int32_t reserved; /* 0 */
} tpp_unary_desc;

/* out[m x n] = kind(in0, in1). The output may be an input of the same layout. */
typedef struct tpp_binary_desc {
  size_t struct_size;
  int64_t m, n;
  tpp_matrix in0, in1, out;
  int32_t kind; /* tpp_binary_kind */
  int32_t broadcast0, broadcast1;
  int32_t provider;
} tpp_binary_desc;

/* out = kind over one axis of in[m x n]; with beta = 1 the old value of out is one more operand, with beta = 0 out is never read. */
typedef struct tpp_reduce_desc {
  size_t struct_size;
  int64_t m, n;
  tpp_matrix in, out;
  int32_t kind; /* tpp_reduce_kind */
  int32_t axis; /* tpp_reduce_axis */
  int32_t beta;
  int32_t provider;
} tpp_reduce_desc;

/* Winograd's algorithm F(t x t, 3 x 3) computes t x t neighbouring outputs of a 3x3 convolution of stride 1 from a tile of (t + 2) x (t + 2) pixels, with
 * (t + 2)^2 multiplications for each pair of channels instead of 9 t^2: it transforms the tile, multiplies each of the (t + 2)^2 points with the
 * transformed filter at this point, and transforms the products back. Tiles overlap by two pixels. Kernels transform a run of `tiles` neighbouring
 * tiles. t, the field `tile`, is 2 or 4. The matrices are those of Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks", 2015:
 *
 *   t = 2   B^T = 1  0 -1  0    A^T = 1  1  1  0      t = 4   B^T = 4  0 -5  0  1  0    A^T = 1  1  1  1  1  0
 *                 0  1  1  0          0  1 -1 -1                    0 -4 -4  1  1  0          0  1 -1  2 -2  0
 *                 0 -1  1  0                                        0  4 -4 -1  1  0          0  1  1  4  4  0
 *                 0  1  0 -1                                        0 -2 -1  2  1  0          0  1 -1  8 -8  1
 *                                                                   0  2 -1 -2  1  0
 *                                                                   0  4  0 -5  0  1
 *
 * out[point y * (t + 2) + x][tile][channel] = (B^T * d * B)[y][x], where d[i][j] is pixel (i - top, j + t * tile - left) of the image `in`, of height x
 * width pixels, and 0 outside of it. Element (i, j, channel) of the image is element (j, channel) of the matrix `in`, i * in_row_stride elements further;
 * element (point, tile, channel) of the result is element (tile, channel) of the matrix `out`, point * out_point_stride elements further. The image is of
 * f32 or bf16, the result of f32. An infinity or NaN spreads over its tiles. `out` may not overlap `in`. args: a -> c. */
typedef struct tpp_winograd_input_desc {
  size_t struct_size;
  int64_t tiles, channels;
  int64_t height, width;                   /* of the image: at least 0; at most t + 2 - top, and t * tiles + 2 - left */
  int64_t top, left;                       /* pixels of the first tile before the image: 0 to t + 2 */
  tpp_matrix in;                           /* width x channels */
  tpp_matrix out;                          /* tiles x channels */
  int64_t in_row_stride, out_point_stride; /* elements; at least 0. Points and tiles of the output do not overlap */
  int32_t tile;                            /* 2 or 4 */
  int32_t provider;                        /* tpp_provider */
} tpp_winograd_input_desc;

/* out[i][j + t * tile][channel] = post((A^T * m * A)[i][j]), where m[y][x] is element (point y * (t + 2) + x, tile, channel) of `in`. Only pixels of the
 * height x width of `out` are computed. Strides and types are those of tpp_winograd_input_desc, with input and output exchanged. Steps of `post` are those
 * of brgemm for f32 sums; the operand of step s has the layout post_ops[s].form for the pixels of one row (width x channels), and rows of pixels are
 * post_row_strides[s] elements apart (0 if it is broadcast along the height). Pixels are rounded after them. `out` may not overlap `in`; a residual
 * operand may be `out` itself. args: a -> c, post. */
typedef struct tpp_winograd_output_desc {
  size_t struct_size;
  int64_t tiles, channels;
  int64_t height, width;                   /* of `out`: 0 to t, and 0 to t * tiles */
  tpp_matrix in;                           /* tiles x channels */
  tpp_matrix out;                          /* width x channels */
  int64_t in_point_stride, out_row_stride; /* elements; at least 0. Rows of pixels of the output do not overlap */
  int32_t tile;                            /* 2 or 4 */
  int32_t provider;                        /* tpp_provider */
  int32_t reserved;                        /* 0 */
  int32_t post_op_count;
  tpp_post_op post_ops[TPP_MAX_POST_OPS];
  int64_t post_row_strides[TPP_MAX_POST_OPS];
} tpp_winograd_output_desc;

/* A convolution whose channels form groups, for a block of rows of pixels. Group g has `group_inputs` channels of the input and `group_outputs` of the
 * output: 1 and 1 are a depthwise convolution, 1 and m are one with a channel multiplier.
 *
 *   out[i][j][n] = post(sum over y, x, c of in[i * row_step + y * row_dilation - top][j * col_step + x * col_dilation - left]
 *                                             [n / group_outputs * group_inputs + c]
 *                                         * filter[(y * tap_cols + x) * group_inputs + c][n])
 *
 * Element (i, j, channel) of the input is element (j, channel) of the matrix `in`, i * in_row_stride elements further, and the same for the output. Pixels
 * of the input outside of in_height x in_width are `border`; if that is 0, kernels may leave out their products, also those with an infinity or NaN of the
 * filter. Only images of 8-bit integers can have another border, their zero point. f32*f32 and bf16*bf16 accumulate in f32, u8*i8 and i8*i8 in i32. `out`
 * has the type of the sums, or bf16 if in and filter have, or after a `convert` step of `post` f32, bf16, f16, i8 or u8. Steps of `post` and stores are
 * those of brgemm, the layouts of their operands those of tpp_winograd_output_desc. There are no VNNI groups. `out` may not overlap in or filter; a
 * residual operand may be `out` itself. args: a (in), b (filter) -> c, post.
 *
 * The window of a block is all pixels that its outputs need, outside ones included: (height - 1) * row_step + (tap_rows - 1) * row_dilation + 1 rows,
 * and as many columns by the same formula. Strides must be such that offsets of pixels of the window do not overflow, even of those outside. */
typedef struct tpp_grouped_conv_desc {
  size_t struct_size;
  int64_t height, width, channels;       /* of `out`; channels is a multiple of group_outputs */
  int64_t in_height, in_width;           /* of `in`: at least 0; pixels that no output needs are not read */
  int64_t group_inputs, group_outputs;   /* at least 1 */
  int64_t tap_rows, tap_cols;            /* of the filters: at least 1 */
  int64_t row_step, col_step;            /* pixels of the input from an output to the next: at least 1 */
  int64_t row_dilation, col_dilation;    /* pixels of the input from a tap to the next: at least 1 */
  int64_t top, left;                     /* rows and columns of the window before the input: 0 to all of them */
  tpp_matrix in;                         /* in_width x (channels / group_outputs * group_inputs) */
  tpp_matrix filter;                     /* (tap_rows * tap_cols * group_inputs) x channels */
  tpp_matrix out;                        /* width x channels */
  int64_t in_row_stride, out_row_stride; /* elements; at least 0. Rows of pixels of the output do not overlap */
  int32_t provider;                      /* tpp_provider */
  int32_t post_op_count;
  tpp_post_op post_ops[TPP_MAX_POST_OPS];
  int64_t post_row_strides[TPP_MAX_POST_OPS];
  int32_t border;   /* in the range of the input's type; 0 unless that is i8 or u8 */
  int32_t reserved; /* 0 */
} tpp_grouped_conv_desc;

/* The argument block of every kernel. brgemm: a, b, c, batch, tables, post, b_use. unary: a -> c. binary: a, b -> c. reduce: a -> c.
 * winograd_input: a -> c. winograd_output: a -> c, post. grouped_conv: a, b -> c, post. */
typedef struct tpp_args {
  const void *a;
  const void *b;
  void *c;
  int64_t batch;       /* entries of a brgemm's batch, >= 0; 0 gives C = post(beta * C) */
  const void *a_batch; /* offset or address table, see tpp_batch_kind */
  const void *b_batch;
  const void *post[TPP_MAX_POST_OPS]; /* cannot grow any more, because b_use follows */
  /* Of a brgemm with b_uses > 1, else not read: the number of the invocation among those with this B, from 0. A hint: any value is allowed. */
  int64_t b_use;
} tpp_args;

/* A kernel made by tpp_dispatch_*. Its first word is the entry point, which compiled code calls directly; the rest is private. Kernels
 * live until the process ends and may be invoked from any thread. */
typedef struct tpp_kernel tpp_kernel;
typedef void (*tpp_kernel_entry)(const tpp_kernel *kernel, const tpp_args *args);
struct tpp_kernel {
  tpp_kernel_entry entry;
};

#ifdef __cplusplus
}
#endif
#endif
