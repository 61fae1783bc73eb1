"""Systems of linear equations with triangular matrices."""
from __future__ import annotations

import torch


def solve(a: torch.Tensor, b: torch.Tensor, *, upper: bool, left: bool = True, unitriangular: bool = False) -> torch.Tensor:
    """aten.linalg_solve_triangular: the x for which a @ x, or x @ a unless `left`, is b. a: [..., n, n], of which one triangle is read.

    PyTorch substitutes row by row. Here the matrix is inverted in log2(n) steps, each of two products of matrices: of a matrix with blocks P, 0, C and Q,
    the inverse has the blocks P', 0, -Q' C P' and Q'.
    """
    if not left:
        return solve(a.mT, b.mT, upper=not upper, unitriangular=unitriangular).mT.contiguous()
    if upper:
        return solve(a.flip(-2, -1), b.flip(-2), upper=False, unitriangular=unitriangular).flip(-2)
    n = a.shape[-1]
    rows, columns = torch.arange(n, device=a.device).reshape(n, 1), torch.arange(n, device=a.device)
    if not unitriangular:
        diagonal = torch.where(rows == columns, a, 0).sum(-1, keepdim=True)
        a, b = a / diagonal, b / diagonal
    inverse = (rows == columns).to(a.dtype).expand(a.shape)
    for level in range((n - 1).bit_length()):
        block_of_row, block_of_column = rows >> level, columns >> level
        corners = torch.where(((block_of_row & 1) == 1) & (block_of_column == block_of_row - 1), a, 0)
        inverse = inverse - (inverse @ corners @ inverse if level > 0 else corners)
    return inverse @ b
