"""Weights: loads them from a file, or varies constant ones, so that every weight affects the result."""
import torch

from tpp.importing.problem import Problem

SHOWN = 5  # names per kind of error in a message


def read(path):
    try:
        if path.endswith(".safetensors"):
            from safetensors.torch import load_file
            return load_file(path)
        state = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:
        raise Problem(f"{path}: cannot read as a state dict of tensors: {str(error).splitlines()[0] if str(error) else type(error).__name__}") from error
    for key in ("state_dict", "model"):
        if isinstance(state, dict) and isinstance(state.get(key), dict):
            state = state[key]
    if not isinstance(state, dict) or not all(torch.is_tensor(value) for value in state.values()):
        raise Problem(f"{path}: holds no state dict (names and their tensors); save model.state_dict()")
    return state


def few(names):
    return ", ".join(names[:SHOWN]) + (f" and {len(names) - SHOWN} more" if len(names) > SHOWN else "")


def load(model, path):
    state, own = read(path), model.state_dict()
    prefix = getattr(model, "base_model_prefix", "")
    if prefix and not set(state) & set(own):
        # In the file of a model with a head, the imported part has a name prefix. Remove the prefix and ignore the head.
        state = {name[len(prefix) + 1:]: value for name, value in state.items() if name.startswith(prefix + ".")}
    wrong = [f"{name} is {'x'.join(map(str, state[name].shape))}, wanted {'x'.join(map(str, own[name].shape))}"
             for name in own if name in state and state[name].shape != own[name].shape]
    # num_batches_tracked counts training steps; files of older PyTorch versions lack it.
    lacking = [name for name in own if name not in state and not name.endswith("num_batches_tracked")]
    foreign = [name for name in state if name not in own]
    found = [f"{what}: {few(names)}" for what, names in (("wrong shapes", wrong), ("missing", lacking), ("unexpected", foreign)) if names]
    if found:
        raise Problem(f"{path}: these weights do not fit the model\n  " + "\n  ".join(found))
    model.load_state_dict(state, strict=False)


def vary(model, seed):
    """Adds random values to tensors whose elements are all equal (biases, norms, statistics, zero heads): misuse of one then shows."""
    own = torch.Generator().manual_seed(seed)
    statistics = [buffer for name, buffer in model.named_buffers() if name.endswith(("running_mean", "running_var"))]
    with torch.no_grad():
        for tensor in [*model.parameters(), *statistics]:
            if tensor.is_floating_point() and tensor.numel() > 1 and bool((tensor == tensor.flatten()[0]).all()):
                tensor += 0.2 * torch.rand(tensor.shape, generator=own) - 0.1
