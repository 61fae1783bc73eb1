/* An example consumer of the installed package: computes C = relu(A B + bias) through the C ABI and checks it against plain loops.
 * An optional argument names the provider to force. Prints nothing and returns 0 on success. */
#include <stdio.h>
#include <string.h>
#include <tpp/tpp.h>

enum { M = 5, N = 37, K = 9, BATCH = 2 };

static tpp_matrix row_major(int64_t ld) {
  tpp_matrix form = {TPP_TYPE_f32, 0, 0, 0, 0};
  form.ld = ld;
  return form;
}

int main(int argc, char **argv) {
  static float a[BATCH][M][K], b[BATCH][K][N], c[M][N], bias[N];
  tpp_brgemm_desc desc;
  const tpp_kernel *kernel = NULL;
  tpp_args args;
  tpp_status status;
  int e, i, j, p;
  const int fused = argc < 2 || strcmp(argv[1], "xsmm") != 0; /* libxsmm has no post-ops */

  for (e = 0; e < BATCH; ++e) {
    for (i = 0; i < M; ++i)
      for (p = 0; p < K; ++p)
        a[e][i][p] = (float)((e + 3 * i + p) % 7 - 3);
    for (p = 0; p < K; ++p)
      for (j = 0; j < N; ++j)
        b[e][p][j] = (float)((2 * e + p + 5 * j) % 5 - 2);
  }
  for (j = 0; j < N; ++j)
    bias[j] = (float)(j % 3 - 1);

  memset(&desc, 0, sizeof desc);
  desc.struct_size = sizeof desc;
  desc.m = M;
  desc.n = N;
  desc.k = K;
  desc.a = row_major(K);
  desc.b = row_major(N);
  desc.c = row_major(N);
  desc.batch_kind = TPP_BATCH_stride;
  desc.a_batch_stride = sizeof a[0];
  desc.b_batch_stride = sizeof b[0];
  if (argc > 1) {
#define TPP_PROVIDER(name, value, summary)                                                                                       \
  if (strcmp(argv[1], #name) == 0)                                                                                               \
    desc.provider = value;
#include <tpp/kinds.def>
  }
  if (fused) {
    desc.post_op_count = 2;
    desc.post_ops[0].op_class = TPP_POST_OP_binary;
    desc.post_ops[0].kind = TPP_BINARY_add;
    desc.post_ops[0].broadcast = TPP_BROADCAST_row;
    desc.post_ops[0].form = row_major(N);
    desc.post_ops[1].op_class = TPP_POST_OP_unary;
    desc.post_ops[1].kind = TPP_UNARY_relu;
  }

  status = tpp_dispatch_brgemm(&desc, &kernel);
  if (status != TPP_STATUS_OK) {
    fprintf(stderr, "%s: %s\n", tpp_status_text(status), tpp_last_error());
    return 1;
  }
  if (argc > 1 && tpp_kernel_provider(kernel) != (tpp_provider)desc.provider) {
    fprintf(stderr, "asked for %s, got %s\n", argv[1], tpp_kernel_name(kernel));
    return 1;
  }

  memset(&args, 0, sizeof args);
  args.a = a;
  args.b = b;
  args.c = c;
  args.batch = BATCH;
  args.post[0] = bias;
  tpp_invoke(kernel, &args);

  for (i = 0; i < M; ++i)
    for (j = 0; j < N; ++j) {
      float sum = fused ? bias[j] : 0;
      for (e = 0; e < BATCH; ++e)
        for (p = 0; p < K; ++p)
          sum += a[e][i][p] * b[e][p][j];
      if (fused && sum < 0)
        sum = 0;
      if (c[i][j] != sum) {
        fprintf(stderr, "c[%d][%d] is %g, should be %g (%s)\n", i, j, (double)c[i][j], (double)sum, tpp_kernel_name(kernel));
        return 1;
      }
    }
  return 0;
}
