"""Imports PyTorch models: from torchvision, from transformers and from Python files."""
import importlib.util
import inspect
import os
import sys
import traceback
import warnings

import torch
from torch.utils import _pytree
from torch_mlir.extras.fx_importer import FxImporter
from tpp.importing.decompositions import decompositions
from tpp.importing.lowering import first_line, lower, new_context
from tpp.importing.places import FRAME, describe_place
from tpp.importing.problem import Problem
from importer import lowering, weights
from importer.literals import Literals
from importer.problem import near, quiet, show_count


class Flat(torch.nn.Module):
    """A model whose inputs are positional tensors and whose results are a flat tuple of tensors."""

    def __init__(self, model, keyword=None):
        super().__init__()
        self.model, self.keyword = model, keyword

    def forward(self, *inputs):
        result = self.model(**{self.keyword: inputs[0]}) if self.keyword else self.model(*inputs)
        return tuple(leaf for leaf in _pytree.tree_leaves(dict(result) if hasattr(result, "to_tuple") else result) if torch.is_tensor(leaf))


class TorchModel:
    reference = "PyTorch"

    def __init__(self, model, inputs, description, notes=(), keyword=None):
        self.flat, self.inputs = Flat(model.eval(), keyword).eval(), inputs
        self.description, self.notes = description, list(notes)

    def arrays(self):
        try:
            with torch.no_grad():
                results = self.flat(*self.inputs)
        except Exception as error:
            shapes = ", ".join("x".join(map(str, each.shape)) for each in self.inputs)
            raise Problem(f"the model fails on inputs of {shapes}: {first_line(error)}{own_line(error)}") from error
        if not results:
            raise Problem("the model returns no tensor")
        for i, result in enumerate(results):
            if result.is_floating_point() and not torch.isfinite(result).all():
                self.notes.append(f"result {i} contains infinities or NaN: comparing with it is of little use")
        return [lowering.to_array(each) for each in self.inputs], [lowering.to_array(each) for each in results]

    def export(self, entry):
        # torch-mlir finds buffers by their names in the state dict, which omits non-persistent buffers: make all buffers persistent.
        for part in self.flat.modules():
            part._non_persistent_buffers_set.clear()
        try:
            with torch.no_grad():
                program = torch.export.export(self.flat, tuple(self.inputs), strict=False)
                check_static(program)
                self.program = program
                program = program.run_decompositions(decompositions())
        except Problem:
            raise
        except Exception as error:
            depends = "DataDependent" in type(error).__name__ or "data-dependent" in str(error)
            why = "its control flow or shapes depend on the values of its inputs: " if depends else ""
            raise Problem(f"torch.export cannot trace the model: {why}{first_line(error)}{own_line(error)}") from error
        self.literals = Literals()  # the module refers to the weights' memory, so keep them alive with it
        fx = FxImporter(context=new_context(), hooks=self.literals)
        try:
            fx.import_program(program, func_name=entry)
        except Exception as error:
            raise Problem(f"torch-mlir cannot read what torch.export made: {first_line(error)}") from error
        return fx.module

    def lower(self, module):
        lower(module)

    def peer_files(self):
        """Returns [(suffix, function that writes to an open file)] for the exported model in PyTorch's format and in ONNX."""

        def save_onnx(file):
            try:
                with torch.no_grad(), quiet():
                    made = torch.onnx.export(self.program, dynamo=True, optimize=True)
                file.write(made.model_proto.SerializeToString())
            except OSError:
                raise
            except Exception as error:
                raise Problem(f"torch.onnx cannot export the model: {first_line(error)}") from error

        return [("pt2", lambda file: torch.export.save(self.program, file)), ("onnx", save_onnx)]


def own_line(error):
    """Describes the innermost stack frame of an exception in the user's own files. Empty if there is none."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__)
              if "/site-packages/" not in frame.filename and os.path.dirname(frame.filename) != os.path.dirname(os.path.abspath(__file__))
              and os.path.isfile(frame.filename) and "/lib/python" not in frame.filename]
    return f"\n  at {frames[-1].filename}:{frames[-1].lineno}: {frames[-1].line}" if frames else ""


def check_static(program):
    for node in program.graph.nodes:
        for value in _pytree.tree_leaves(node.meta.get("val")):
            if torch.is_tensor(value) and not all(isinstance(extent, int) for extent in value.shape):
                trace = node.meta.get("stack_trace") or ""
                places = [f'"{path}":{line}:0' for path, line in FRAME.findall(trace)][::-1]
                raise Problem(f"the shape of the result of {node.target} depends on the values of the model's inputs; tpp-run needs static shapes" +
                              describe_place(" ".join(places)))


def generator(options):
    return torch.Generator().manual_seed(options.seed + 1)


def random_inputs(shapes, options):
    own = generator(options)
    return [torch.randn(shape, generator=own) for shape in shapes]


def given_inputs(options, wanted):
    """Returns the tensors of the files of --input, or None without --input. `wanted` is the number of inputs, or None for any number."""
    if not options.input:
        return None
    if wanted is not None and len(options.input) != wanted:
        raise Problem(f"--input names {len(options.input)} files, {options.model} has {wanted} input{'s' * (wanted != 1)}")
    return [torch.from_numpy(lowering.read_array(path).copy()) for path in options.input]


def finish(model, options, random):
    """Loads the weights of --weights, or varies constant weights if `random`. Returns a description of the weights."""
    text = show_count(sum(each.numel() for each in model.parameters()))
    if options.weights:
        weights.load(model, options.weights)
        return f"{text} from {options.weights}"
    if random:
        weights.vary(model, options.seed)
        return f"{text}, random"
    return text


def names(library):
    if library == "torchvision":
        import torchvision
        from torchvision.models import segmentation, video
        return [name for module in (torchvision.models, segmentation, video) for name in torchvision.models.list_models(module=module)]
    from transformers.models.auto import configuration_auto
    return sorted(configuration_auto.CONFIG_MAPPING_NAMES)


def load_torchvision(options):
    import torchvision
    if options.name not in names("torchvision"):
        raise Problem(f"torchvision has no model '{options.name}'{near(options.name, names('torchvision'))}; --list=torchvision prints all")
    torch.manual_seed(options.seed)
    segments = options.name in torchvision.models.list_models(module=torchvision.models.segmentation)
    backbone = {"weights_backbone": None} if segments else {}
    try:
        model = torchvision.models.get_model(options.name, weights=None, **backbone, **dict(options.set))
    except (TypeError, ValueError) as error:
        raise Problem(f"{options.model} cannot be made: {first_line(error)}") from error
    description = finish(model, options, True)
    frames, usual = [], 299 if options.name == "inception_v3" else 224
    if options.name in torchvision.models.list_models(module=torchvision.models.video):
        frames, usual = [16], 112 if options.name.endswith("_18") else 224
    extent = options.size or usual
    inputs = given_inputs(options, 1) or random_inputs([(options.batch or 1, 3, *frames, extent, extent)], options)
    return TorchModel(model, inputs, description)


def transformers_config(options):
    import transformers
    if os.path.isdir(options.name):
        return transformers.AutoConfig.from_pretrained(options.name, local_files_only=True)
    if options.name not in names("transformers"):
        raise Problem(f"transformers has no architecture '{options.name}'{near(options.name, names('transformers'))}, and there is no such folder; "
                      "--list=transformers prints all")
    return transformers.AutoConfig.for_model(options.name)


def load_transformers(options):
    import transformers
    transformers.logging.set_verbosity_error()
    config = transformers_config(options)
    for key, value in options.set + ([("num_hidden_layers", options.layers)] if options.layers else []):
        if not hasattr(config, key):
            raise Problem(f"{options.model} has no parameter '{key}'{near(key, list(config.to_dict()))}")
        setattr(config, key, value)
    if getattr(config, "is_encoder_decoder", False):
        raise Problem(f"{options.model} is an encoder with a decoder and needs inputs for both: write a FILE.py with a function that returns "
                      "the module wanted and its example inputs")
    config.use_cache = False  # otherwise the results include a cache of keys and values
    torch.manual_seed(options.seed)
    stored = os.path.isdir(options.name) and any(name.endswith((".safetensors", ".bin")) for name in os.listdir(options.name))
    try:
        # "eager" attention consists of basic operations. torch-mlir lowers the fused operation to one that tpp-run does not read.
        if stored:
            model = transformers.AutoModel.from_pretrained(options.name, config=config, local_files_only=True, attn_implementation="eager")
        else:
            model = transformers.AutoModel.from_config(config, attn_implementation="eager")
    except Exception as error:
        raise Problem(f"{options.model} cannot be made: {first_line(error)}") from error
    model = model.float()
    description = finish(model, options, not stored)
    keyword, inputs, notes = transformers_inputs(model, config, options)
    return TorchModel(model, given_inputs(options, 1) or inputs, description, notes, keyword)


def transformers_inputs(model, config, options):
    """Returns (keyword, [input], notes) for the model's main input."""
    batch, sequence = options.batch or 1, options.sequence or 128
    keyword = model.main_input_name
    if keyword == "pixel_values" and isinstance(getattr(config, "image_size", None), int):
        if options.sequence or options.ids:
            raise Problem(f"--sequence and --ids have no effect on {options.model}, which takes images")
        extent = options.size or config.image_size
        return keyword, random_inputs([(batch, getattr(config, "num_channels", 3), extent, extent)], options), []
    if keyword != "input_ids":
        raise Problem(f"{options.model} takes '{keyword}', for which there is no rule: write a FILE.py with a function that returns the module "
                      "and its example inputs")
    if options.size:
        raise Problem(f"--size has no effect on {options.model}, which takes tokens")
    if options.ids:
        return keyword, [torch.randint(0, config.vocab_size, (batch, sequence), generator=generator(options))], []
    if "inputs_embeds" not in inspect.signature(model.forward).parameters:
        raise Problem(f"{options.model} takes token ids only: give --ids")
    width = model.get_input_embeddings().weight.shape[1]
    note = "the model's input is token ids; the imported part starts after the embedding look-up, with embedded tokens (f32). --ids imports the look-up too"
    return "inputs_embeds", random_inputs([(batch, sequence, width)], options), [note]


def load_python(options):
    """Loads FILE.py:NAME. NAME, or NAME() if it is callable, is a module or a tuple (module, example inputs)."""
    path = os.path.abspath(options.path)
    sys.path.insert(0, os.path.dirname(path))
    torch.manual_seed(options.seed)
    try:
        spec = importlib.util.spec_from_file_location("imported_model", path)
        file = importlib.util.module_from_spec(spec)
        sys.modules["imported_model"] = file
        spec.loader.exec_module(file)
        made = getattr(file, options.name, None)
        if made is None:
            public = [name for name, value in vars(file).items() if callable(value) and getattr(value, "__module__", "") == "imported_model"]
            raise Problem(f"{options.path} has no '{options.name}'{near(options.name, public)}; it has {', '.join(public) or 'no class or function'}")
        made = made() if callable(made) and not isinstance(made, torch.nn.Module) else made
    except Problem:
        raise
    except Exception as error:
        raise Problem(f"{options.model} cannot be made: {type(error).__name__}: {first_line(error)}{own_line(error)}") from error
    model, inputs = made if isinstance(made, tuple) and len(made) == 2 else (made, None)
    if not isinstance(model, torch.nn.Module):
        raise Problem(f"{options.model} gives a {type(model).__name__}; wanted a torch.nn.Module, or a tuple of one and its example inputs")
    if inputs is None and hasattr(model, "example_inputs"):
        inputs = model.example_inputs() if callable(model.example_inputs) else model.example_inputs
    if inputs is not None:
        inputs = [inputs] if torch.is_tensor(inputs) else list(inputs)
        if not all(map(torch.is_tensor, inputs)):
            raise Problem(f"{options.model}: the example inputs are not tensors alone")
    description = finish(model, options, False)
    if options.shape:
        inputs = random_inputs(options.shape, options)
    inputs = given_inputs(options, None if inputs is None else len(inputs)) or inputs
    if inputs is None:
        raise Problem(f"{options.model} has no example inputs: return them together with the module, define example_inputs() in it, or give --shape")
    return TorchModel(model, inputs, description)


def load(options):
    warnings.filterwarnings("ignore")
    return {"torchvision": load_torchvision, "transformers": load_transformers, "py": load_python}[options.kind](options)
