"""Replaces operations of torch-mlir's dialect tm_tensor (sort, scatter, scan) by loops (scf.for) on tensors.

Indices of tensor.extract, tensor.insert and tensor.insert_slice that depend on data are checked by TPP (tpp-insert-assertions), so an index that is out of range
makes the call fail.
"""
from __future__ import annotations

import collections.abc
import typing

from torch_mlir import ir

from tpp.importing.operations import LESS, walk

Values = list[typing.Any]
# A selection of this many elements inserts each into those found so far; one of more sorts all.
MOST_INSERTED = 64


def replace_by_loops(module: typing.Any) -> None:
    """Replaces those with static shapes; the others remain."""
    expansions = {"tm_tensor.sort": expand_sort, "tm_tensor.scatter": expand_scatter, "tm_tensor.scan": expand_scan}
    found: Values = []

    def each(operation: typing.Any) -> None:
        if operation.name in expansions and all(value.type.has_static_shape for value in operation.operands):
            found.append(operation)

    walk(module, each)
    for operation in found:
        with operation.location, ir.InsertionPoint(operation):
            results = expansions[operation.name](operation)
        for old, new in zip(operation.results, results):
            old.replace_all_uses_with(new)
        operation.erase()


def create(name: str, results: Values, operands: Values, **attributes: typing.Any) -> typing.Any:
    return ir.Operation.create(name, results=results, operands=operands, attributes=attributes)


def constant(value: int) -> typing.Any:
    index = ir.IndexType.get()
    return create("arith.constant", [index], [], value=ir.IntegerAttr.get(index, value)).result


def arith(name: str, *operands: typing.Any) -> typing.Any:
    return create(f"arith.{name}", [operands[0].type], list(operands)).result


def boolean() -> typing.Any:
    return ir.IntegerType.get_signless(1)


def compare(predicate: int, a: typing.Any, b: typing.Any, name: str = "cmpi") -> typing.Any:
    attribute = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), predicate)
    return create(f"arith.{name}", [boolean()], [a, b], predicate=attribute).result


SIGNED_LESS, SIGNED_GREATER_EQUAL, UNORDERED = 2, 5, 14  # predicates of arith.cmpi and arith.cmpf


def select(condition: typing.Any, a: typing.Any, b: typing.Any) -> typing.Any:
    return create("arith.select", [a.type], [condition, a, b]).result


def extract(tensor: typing.Any, indices: Values) -> typing.Any:
    return create("tensor.extract", [tensor.type.element_type], [tensor, *indices]).result


def insert(scalar: typing.Any, tensor: typing.Any, indices: Values) -> typing.Any:
    return create("tensor.insert", [tensor.type], [scalar, tensor, *indices]).result


def empty(shape: collections.abc.Sequence[int], element_type: typing.Any) -> typing.Any:
    return create("tensor.empty", [ir.RankedTensorType.get(shape, element_type)], []).result


def loop(first: typing.Any, end: typing.Any, step: typing.Any, carried: Values, body: collections.abc.Callable[[typing.Any, Values], Values]) -> Values:
    """scf.for: `body` gets the index and the carried values, and returns their next values."""
    made = ir.Operation.create("scf.for", results=[value.type for value in carried], operands=[first, end, step, *carried], regions=1)
    block = made.regions[0].blocks.append(ir.IndexType.get(), *[value.type for value in carried])
    with ir.InsertionPoint(block):
        create("scf.yield", [], body(block.arguments[0], list(block.arguments)[1:]))
    return list(made.results)


def loops(extents: collections.abc.Sequence[int], carried: Values, body: collections.abc.Callable[[Values, Values], Values], outer: Values | None = None) -> Values:
    """A nest of loops from 0 to each extent."""
    outer = outer or []
    if not extents:
        return body(outer, carried)
    zero, end, one = constant(0), constant(extents[0]), constant(1)
    return loop(zero, end, one, carried, lambda i, inner: loops(extents[1:], inner, body, [*outer, i]))


def choose(condition: typing.Any, like: Values, then: collections.abc.Callable[[], Values], otherwise: collections.abc.Callable[[], Values]) -> Values:
    """scf.if with results of the types of `like`."""
    made = ir.Operation.create("scf.if", results=[value.type for value in like], operands=[condition], regions=2)
    for region, body in zip(made.regions, (then, otherwise)):
        with ir.InsertionPoint(region.blocks.append()):
            create("scf.yield", [], body())
    return list(made.results)


def inline(operation: typing.Any, arguments: Values) -> typing.Any:
    """Copies the body of an operation to the insertion point. Returns what it yields."""
    copy = operation.operation.clone()
    block = copy.regions[0].blocks[0]
    for argument, value in zip(block.arguments, arguments):
        argument.replace_all_uses_with(value)
    *body, end = block.operations
    result = end.operands[0]
    for each in body:
        each.operation.move_before(copy)
    copy.erase()
    return result


def expand_scan(operation: typing.Any) -> Values:
    """tm_tensor.scan: output[i] = f(output[i - 1], input[i]) if it is inclusive, else f(output[i - 1], input[i - 1]), along one dimension."""
    source, output, first = operation.operands
    along, inclusive = operation.attributes["dimension"].value, operation.attributes["inclusive"].value
    shape = list(source.type.shape)

    def line(outer: Values, carried: Values) -> Values:

        def at(i: typing.Any) -> Values:
            return [*outer[:along], i, *outer[along:]]

        def step(i: typing.Any, inner: Values) -> Values:
            value, written = inner
            following = inline(operation, [value, extract(source, at(i))])
            return [following, insert(following if inclusive else value, written, at(i))]

        written, last = carried
        zero, one = constant(0), constant(1)
        value = extract(source, at(zero)) if inclusive else extract(first, outer)
        if inclusive:
            written = insert(value, written, at(zero))
        value, written = loop(one if inclusive else zero, constant(shape[along]), one, [value, written], step)
        return [written, insert(value, last, outer)]

    if 0 in shape:
        return [output, first]
    return loops(shape[:along] + shape[along + 1:], [output, first], line)


def expand_scatter(operation: typing.Any) -> Values:
    """tm_tensor.scatter: each row of `indices` is a place of `original`, at which updates[row] is written or combined with what is there."""
    updates, indices, original = operation.operands
    dims = [int(dim) for dim in operation.attributes["dimension_map"]]
    shape, rank = list(updates.type.shape), original.type.rank
    yielded = list(operation.regions[0].blocks[0].operations)[-1].operands[0]
    missing = rank - (len(shape) - 1)  # leading dimensions of `original` that the updates do not have

    def starts(row: typing.Any) -> dict[int, typing.Any]:
        places = {}
        for i, dim in enumerate(dims):
            place = create("arith.index_cast", [ir.IndexType.get()], [extract(indices, [row, constant(i)])]).result
            # Negative indices count from the end.
            places[dim] = select(compare(SIGNED_LESS, place, constant(0)), arith("addi", place, constant(original.type.shape[dim])), place)
        return places

    def write_slice(outer: Values, carried: Values) -> Values:
        at = starts(outer[0])
        extents = [1] * missing + shape[1:]
        dynamic = ir.ShapedType.get_dynamic_size()
        part = create_slice("tensor.extract_slice", ir.RankedTensorType.get(shape[1:], updates.type.element_type), [updates], outer,
                            [dynamic] + [0] * (len(shape) - 1), [1, *shape[1:]])
        return [create_slice("tensor.insert_slice", original.type, [part, carried[0]], [at[dim] for dim in sorted(at)],
                             [dynamic if dim in at else 0 for dim in range(rank)], extents)]

    def combine(outer: Values, carried: Values) -> Values:
        at = starts(outer[0])
        place = []
        for dim in range(rank):
            inside = outer[1 + dim - missing] if dim >= missing else None
            place.append(arith("addi", at[dim], inside) if dim in at and inside is not None else at.get(dim, inside))
        return [insert(inline(operation, [extract(updates, outer), extract(carried[0], place)]), carried[0], place)]

    if len(shape) > 1 and yielded == operation.regions[0].blocks[0].arguments[0]:
        return loops(shape[:1], [original], write_slice)
    return loops(shape, [original], combine)


def create_slice(name: str, kind: typing.Any, tensors: Values, offsets: Values, static_offsets: list[int], sizes: list[int]) -> typing.Any:
    """tensor.extract_slice or tensor.insert_slice with dynamic offsets, static sizes, and strides of 1."""
    numbers = ir.DenseI64ArrayAttr.get
    segments = ir.DenseI32ArrayAttr.get([1] * len(tensors) + [len(offsets), 0, 0])
    return create(name, [kind], [*tensors, *offsets], static_offsets=numbers(static_offsets), static_sizes=numbers(sizes),
                  static_strides=numbers([1] * len(sizes)), operandSegmentSizes=segments).result


def expand_sort(operation: typing.Any) -> Values:
    """tm_tensor.sort: reorders its operands along one dimension so that the body, of two elements of each, is true for each pair of neighbours. Elements for
    which it is true in both orders keep their order. A NaN counts as greater than numbers, as in PyTorch."""
    along = operation.attributes["dimension"].value
    shape = list(operation.operands[0].type.shape)
    extent = shape[along]
    selected = count_selected(operation, along)
    if extent < 2 or selected == 0:
        return list(operation.operands)
    correct_order(operation)
    if selected <= MOST_INSERTED:
        return expand_selection(operation, along, selected)
    return expand_merges(operation, along)


def count_selected(operation: typing.Any, along: int) -> int:
    """How many of the first elements are read."""
    most = 0
    for result in operation.results:
        for use in result.uses:
            user = use.owner
            if user.name != "tensor.extract_slice" or user.operands[0] != result or len(user.operands) != 1:
                return typing.cast(int, result.type.shape[along])
            offset, size, stride = (user.attributes[name][along] for name in ("static_offsets", "static_sizes", "static_strides"))
            most = max(most, offset + (size - 1) * stride + 1 if size else 0)
    return most


def correct_order(operation: typing.Any) -> None:
    """Makes the comparison in the body true for what is in order if NaNs are the greatest, and `false` precedes `true`."""
    block = operation.regions[0].blocks[0]
    end = list(block.operations)[-1]
    compared = end.operands[0].owner
    if isinstance(compared, ir.Block):
        return
    if compared.name == "arith.cmpi" and compared.operands[0].type == boolean():
        # torch-mlir compares booleans as signed integers of one bit, 0 and -1.
        first, second = compared.operands
        compared.operands[0], compared.operands[1] = second, first
    if compared.name != "arith.cmpf":
        return
    less = compared.attributes["predicate"].value in LESS
    greatest = compared.operands[1 if less else 0]
    with operation.location, ir.InsertionPoint(end):
        end.operands[0] = arith("ori", end.operands[0], compare(UNORDERED, greatest, greatest, "cmpf"))


def is_in_order(operation: typing.Any, first: Values, second: Values) -> typing.Any:
    """Whether the elements `first` of the operands may precede `second`."""
    return inline(operation, [value for pair in zip(first, second) for value in pair])


def expand_selection(operation: typing.Any, along: int, selected: int) -> Values:
    """Keeps the `selected` first elements in order, and inserts each further element among them that precedes the last. The places of the others are not
    written."""
    sources = list(operation.operands)
    count = len(sources)
    shape = list(sources[0].type.shape)

    def line(outer: Values, lists: Values) -> Values:

        def at(i: typing.Any) -> Values:
            return [*outer[:along], i, *outer[along:]]

        def pass_on(moved: Values, lists: Values, end: typing.Any) -> tuple[Values, Values]:
            """Puts an element before the first place, of those before `end`, that it precedes. Those from there on move by one; returns the last."""

            def place(j: typing.Any, carried: Values) -> Values:
                before, moved, lists = carried[0], carried[1:1 + count], carried[1 + count:]
                there = [extract(each, at(j)) for each in lists]
                stays = arith("andi", before, is_in_order(operation, there, moved))
                lists = [insert(select(stays, a, b), each, at(j)) for a, b, each in zip(there, moved, lists)]
                return [stays] + [select(stays, b, a) for a, b in zip(there, moved)] + lists

            carried = loop(zero, end, one, [true, *moved, *lists], place)
            return carried[1:1 + count], carried[1 + count:]

        def fill(i: typing.Any, lists: Values) -> Values:
            moved, lists = pass_on([extract(each, at(i)) for each in sources], lists, i)
            return [insert(value, each, at(i)) for value, each in zip(moved, lists)]

        def replace_last(i: typing.Any, lists: Values) -> Values:
            moved = [extract(each, at(i)) for each in sources]
            stays = is_in_order(operation, [extract(each, at(last)) for each in lists], moved)
            return choose(stays, lists, lambda: lists, lambda: pass_on(moved, lists, end)[1])

        zero, one, last, end, extent = (constant(i) for i in (0, 1, selected - 1, selected, shape[along]))
        true = create("arith.constant", [boolean()], [], value=ir.IntegerAttr.get(boolean(), 1)).result
        return loop(end, extent, one, loop(zero, end, one, lists, fill), replace_last)

    return loops(shape[:along] + shape[along + 1:], [empty(shape, each.type.element_type) for each in sources], line)


def expand_merges(operation: typing.Any, along: int) -> Values:
    """Merges sorted runs of 1, 2, 4, ... elements, from the operands to new tensors and from those to others."""
    values = list(operation.operands)
    shape = list(values[0].type.shape)
    extent, length = shape[along], 1
    while length < extent:
        values = merge_runs(operation, values, along, length)
        length *= 2
    return values


def merge_runs(operation: typing.Any, sources: Values, along: int, length: int) -> Values:
    shape = list(sources[0].type.shape)

    def line(outer: Values, written: Values) -> Values:

        def at(i: typing.Any) -> Values:
            return [*outer[:along], i, *outer[along:]]

        def read(i: typing.Any) -> Values:
            return [extract(each, at(arith("minsi", i, last))) for each in sources]

        def pair(start: typing.Any, written: Values) -> Values:
            middle = arith("minsi", arith("addi", start, run), extent)
            end = arith("minsi", arith("addi", middle, run), extent)

            def step(i: typing.Any, carried: Values) -> Values:
                left, right, *written = carried
                first, second = read(left), read(right)
                has_left, is_over = compare(SIGNED_LESS, left, middle), compare(SIGNED_GREATER_EQUAL, right, end)
                takes_left = arith("andi", has_left, arith("ori", is_over, is_in_order(operation, first, second)))
                written = [insert(select(takes_left, a, b), each, at(i)) for a, b, each in zip(first, second, written)]
                return [select(takes_left, arith("addi", left, one), left), select(takes_left, right, arith("addi", right, one)), *written]

            return loop(start, end, one, [start, middle, *written], step)[2:]

        zero, one, run, two_runs, extent, last = (constant(i) for i in (0, 1, length, 2 * length, shape[along], shape[along] - 1))
        return loop(zero, extent, two_runs, written, pair)

    return loops(shape[:along] + shape[along + 1:], [empty(shape, each.type.element_type) for each in sources], line)
