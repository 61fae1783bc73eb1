// One test for each message of the attributes' parsers and verifiers.
// RUN: tpp-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{expected 'unary' or 'binary' in a post-op, got 'ternary'}}
func.func private @f() attributes {a = #tpp.post_op<ternary relu>}

// -----

// expected-error @below {{'add' is not a unary kind}}
func.func private @f() attributes {a = #tpp.post_op<unary add>}

// -----

// expected-error @below {{'relu' is not a binary kind}}
func.func private @f() attributes {a = #tpp.post_op<binary relu row>}

// -----

// expected-error @below {{'diagonal' is not a broadcast: expected none, row, col or scalar}}
func.func private @f() attributes {a = #tpp.post_op<binary add diagonal>}

// -----

// expected-error @below {{ld must be at least 1, got 0}}
func.func private @f() attributes {a = #tpp.matrix<type = f32, ld = 0>}

// -----

// expected-error @below {{panel must not be negative, got -1}}
func.func private @f() attributes {a = #tpp.matrix<type = f32, ld = 16, panel = -1>}

// -----

// expected-error @below {{panel_stride is 64, but panel is 0}}
func.func private @f() attributes {a = #tpp.matrix<type = f32, ld = 16, panel_stride = 64>}

// -----

// expected-error @below {{panel_stride must not be negative, got -64}}
func.func private @f() attributes {a = #tpp.matrix<type = f32, ld = 16, panel = 16, panel_stride = -64>}

// -----

// expected-error @below {{vnni must not be negative, got -2}}
func.func private @f() attributes {a = #tpp.matrix<type = f32, ld = 16, vnni = -2>}

// -----

// expected-error @below {{m must not be negative, got -13}}
func.func private @f() attributes {a = #tpp.brgemm_desc<m = -13, n = 32, k = 64, a = <type = f32, ld = 64>, b = <type = f32, ld = 32>, c = <type = f32, ld = 32>>}

// -----

// expected-error @below {{n must not be negative, got -32}}
func.func private @f() attributes {a = #tpp.brgemm_desc<m = 13, n = -32, k = 64, a = <type = f32, ld = 64>, b = <type = f32, ld = 32>, c = <type = f32, ld = 32>>}

// -----

// expected-error @below {{k must not be negative, got -64}}
func.func private @f() attributes {a = #tpp.brgemm_desc<m = 13, n = 32, k = -64, a = <type = f32, ld = 64>, b = <type = f32, ld = 32>, c = <type = f32, ld = 32>>}

// -----

// expected-error @below {{beta must be 0 or 1, got 3}}
func.func private @f() attributes {a = #tpp.brgemm_desc<m = 13, n = 32, k = 64, a = <type = f32, ld = 64>, b = <type = f32, ld = 32>, c = <type = f32, ld = 32>, beta = 3>}

// -----

// expected-error @below {{b_uses must be 0 to 2147483647, got -1}}
func.func private @f() attributes {a = #tpp.brgemm_desc<m = 13, n = 32, k = 64, a = <type = f32, ld = 64>, b = <type = f32, ld = 32>, c = <type = f32, ld = 32>, b_uses = -1>}

// -----

// expected-error @below {{streaming must be 0 or 1, got -1}}
func.func private @f() attributes {a = #tpp.brgemm_desc<m = 13, n = 32, k = 64, a = <type = f32, ld = 64>, b = <type = f32, ld = 32>, c = <type = f32, ld = 32>, streaming = -1>}

// -----

// expected-error @below {{a descriptor's batch_kind is stride, offset or address; one pair of tiles is a batch of one}}
func.func private @f() attributes {a = #tpp.brgemm_desc<m = 13, n = 32, k = 64, a = <type = f32, ld = 64>, b = <type = f32, ld = 32>, c = <type = f32, ld = 32>, batch_kind = none>}

// -----

// expected-error @below {{at most 16 post-ops are possible, got 17}}
func.func private @f() attributes {a = #tpp.brgemm_desc<m = 13, n = 32, k = 64, a = <type = f32, ld = 64>, b = <type = f32, ld = 32>, c = <type = f32, ld = 32>, post_ops = [#tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>, #tpp.post_op<unary relu>]>}

// -----

// expected-error @below {{post_ops must hold #tpp.post_op attributes, got 1 : i64}}
func.func private @f() attributes {a = #tpp.brgemm_desc<m = 13, n = 32, k = 64, a = <type = f32, ld = 64>, b = <type = f32, ld = 32>, c = <type = f32, ld = 32>, post_ops = [1 : i64]>}

// -----

// expected-error @below {{a descriptor's binary post-op needs its operand's form}}
func.func private @f() attributes {a = #tpp.brgemm_desc<m = 13, n = 32, k = 64, a = <type = f32, ld = 64>, b = <type = f32, ld = 32>, c = <type = f32, ld = 32>, post_ops = [#tpp.post_op<binary add row>]>}

// -----

// expected-error @below {{m must not be negative, got -1}}
func.func private @f() attributes {a = #tpp.unary_desc<kind = relu, m = -1, n = 32, in = <type = f32, ld = 32>, out = <type = f32, ld = 32>>}

// -----

// expected-error @below {{streaming must be 0 or 1, got 2}}
func.func private @f() attributes {a = #tpp.unary_desc<kind = identity, m = 1, n = 32, in = <type = f32, ld = 32>, out = <type = f32, ld = 32>, streaming = 2>}

// -----

// expected-error @below {{n must not be negative, got -1}}
func.func private @f() attributes {a = #tpp.binary_desc<kind = add, m = 13, n = -1, in0 = <type = f32, ld = 32>, in1 = <type = f32, ld = 32>, out = <type = f32, ld = 32>>}

// -----

// expected-error @below {{beta must be 0 or 1, got 2}}
func.func private @f() attributes {a = #tpp.reduce_desc<kind = sum, axis = over_rows, m = 13, n = 32, in = <type = f32, ld = 32>, out = <type = f32, ld = 32>, beta = 2>}

// -----

// expected-error @below {{an empty list must be left out: a layout has one spelling}}
func.func private @f() attributes {a = #tpp.layout<inner_dims_pos = [], inner_tiles = [16]>}

// -----

// expected-error @below {{inner_dims_pos has 2 entries, inner_tiles 1}}
func.func private @f() attributes {a = #tpp.layout<inner_dims_pos = [0, 1], inner_tiles = [16]>}

// -----

// expected-error @below {{inner_dims_pos must hold distinct dimensions that are not negative, got array<i64: 1, 1>}}
func.func private @f() attributes {a = #tpp.layout<inner_dims_pos = [1, 1], inner_tiles = [16, 2]>}

// -----

// expected-error @below {{inner tiles must be at least 1, got 0}}
func.func private @f() attributes {a = #tpp.layout<inner_dims_pos = [1], inner_tiles = [0]>}

// -----

// expected-error @below {{outer_dims_perm must be a permutation, got array<i64: 0, 2>}}
func.func private @f() attributes {a = #tpp.layout<outer_dims_perm = [0, 2]>}

// -----

// expected-error @below {{vnni must be 0 (rows are not grouped) or at least 2, got 1}}
func.func private @f() attributes {a = #tpp.layout<vnni = 1>}

// -----

// A halo is not part of a layout.
// expected-error @below {{duplicate or unknown struct parameter name: halo}}
func.func private @f() attributes {a = #tpp.layout<halo = [1, 1]>}

// -----

// expected-error @below {{vector_bits must be a power of two of at least 64, got 500}}
func.func private @f() attributes {a = #tpp.target<isa = "avx512", vector_bits = 500, registers = 32, caches = [49152], cores = 2>}

// -----

// expected-error @below {{registers must be at least 1, got 0}}
func.func private @f() attributes {a = #tpp.target<isa = "avx512", vector_bits = 512, registers = 0, caches = [49152], cores = 2>}

// -----

// expected-error @below {{caches must hold a positive number of bytes for each level, got array<i64: 0>}}
func.func private @f() attributes {a = #tpp.target<isa = "avx512", vector_bits = 512, registers = 32, caches = [0], cores = 2>}

// -----

// expected-error @below {{cpu must be the name of a processor, got an empty one}}
func.func private @f() attributes {a = #tpp.target<isa = "avx512", cpu = "", vector_bits = 512, registers = 32, caches = [49152], cores = 2>}

// -----

// expected-error @below {{cores must be at least 1, got 0}}
func.func private @f() attributes {a = #tpp.target<isa = "avx512", vector_bits = 512, registers = 32, caches = [49152], cores = 0>}

// -----

// expected-error @below {{vnni names 'i4', which is no element type}}
func.func private @f() attributes {a = #tpp.target<isa = "avx512", vector_bits = 512, registers = 32, caches = [49152], vnni = {i4 = 8}, cores = 2>}

// -----

// expected-error @below {{the vnni factor of i8 must be a positive integer, got 0}}
func.func private @f() attributes {a = #tpp.target<isa = "avx512", vector_bits = 512, registers = 32, caches = [49152], vnni = {i8 = 0}, cores = 2>}

// -----

// expected-error @below {{figures holds 'speed', which is no figure of a machine}}
func.func private @f() attributes {a = #tpp.target<isa = "avx512", vector_bits = 512, registers = 32, caches = [49152], cores = 2, figures = {speed = 3}>}

// -----

// expected-error @below {{figures holds 'cores', which is no figure of a machine}}
func.func private @f() attributes {a = #tpp.target<isa = "avx512", vector_bits = 512, registers = 32, caches = [49152], cores = 2, figures = {cores = 3}>}

// -----

// expected-error @below {{the figure clock_ghz must be between 1.000000e-02 and 1.000000e+02, got 0.000000e+00}}
func.func private @f() attributes {a = #tpp.target<isa = "avx512", vector_bits = 512, registers = 32, caches = [49152], cores = 2, figures = {clock_ghz = 0.0}>}

// -----

// expected-error @below {{the figure l1_ways must be a whole number, got 1.500000e+00 : f64}}
func.func private @f() attributes {a = #tpp.target<isa = "avx512", vector_bits = 512, registers = 32, caches = [49152], cores = 2, figures = {l1_ways = 1.5}>}

// -----

// expected-error @below {{the figure clock_ghz must be a number, got "fast"}}
func.func private @f() attributes {a = #tpp.target<isa = "avx512", vector_bits = 512, registers = 32, caches = [49152], cores = 2, figures = {clock_ghz = "fast"}>}

// -----

// expected-error @below {{the figure l1_ways must be a whole number, got 8 : i32}}
func.func private @f() attributes {a = #tpp.target<isa = "avx512", vector_bits = 512, registers = 32, caches = [49152], cores = 2, figures = {l1_ways = 8 : i32}>}

// -----

// expected-error @below {{l1_bytes must be between 1024 and 1073741824, got 512}}
func.func private @f() attributes {a = #tpp.target<isa = "avx512", vector_bits = 512, registers = 32, caches = [512], cores = 2>}
