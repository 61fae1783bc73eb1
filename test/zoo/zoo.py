"""Small instances of convolutional architectures, for tools/import. Each public function returns (module, (example input,)).

    tools/import test/zoo/zoo.py:resnet -o resnet.mlirbc

The parts are torchvision's own where it has them. Image sizes are odd or differ in height and width, channels are few and often odd.
"""
import functools

import torch
from torch import nn
from torch.nn import functional as F
from torchvision import ops
from torchvision.models._utils import IntermediateLayerGetter
from torchvision.models.convnext import CNBlockConfig, ConvNeXt
from torchvision.models.densenet import DenseNet
from torchvision.models.detection.retinanet import RetinaNetHead
from torchvision.models.efficientnet import EfficientNet, MBConvConfig
from torchvision.models.googlenet import Inception
from torchvision.models.inception import BasicConv2d, InceptionA, InceptionB, InceptionC, InceptionE
from torchvision.models.mnasnet import _InvertedResidual
from torchvision.models.mobilenetv2 import MobileNetV2
from torchvision.models.mobilenetv3 import InvertedResidualConfig, MobileNetV3
from torchvision.models.regnet import BlockParams, RegNet
from torchvision.models.resnet import BasicBlock, Bottleneck
from torchvision.models.segmentation.deeplabv3 import ASPP
from torchvision.models.segmentation.lraspp import LRASPP
from torchvision.models.shufflenetv2 import ShuffleNetV2
from torchvision.models.squeezenet import Fire
from torchvision.models.vgg import make_layers
from torchvision.models.video import resnet as videos
from torchvision.models.video.s3d import SepInceptionBlock3D, TemporalSeparableConv
from torchvision.ops.feature_pyramid_network import LastLevelMaxPool
from torchvision.ops.misc import Conv3dNormActivation

CLASSES = 10
DILATIONS = 1, 2, 4, 8


def _ready(model, *shape):
    """Draws all parameters and statistics, and returns (model, (example input,)). Biases and norms change their values by up to a half;
    each convolution and linear layer has results of unit variance for the example input, so that the model's results are of order one."""
    own = torch.Generator().manual_seed(0)
    image = torch.randn(shape, generator=own)

    def draw(name, tensor):
        uniform = torch.rand(tensor.shape, generator=own)
        if name == "layer_scale":
            return .3 + .5 * uniform
        if name in ("bias", "running_mean"):
            return .6 * uniform - .3
        if tensor.dim() == 1:  # running_var, weights of norms, slopes of prelu
            return .7 + .7 * uniform
        return torch.randn(tensor.shape, generator=own)

    def unit(module, _, output):
        handles.pop(module).remove()  # only for the first of several images
        for parameter in module.parameters():
            parameter /= output.std()
        return output / output.std()

    with torch.no_grad():
        for module in model.modules():
            for name, tensor in [*module.named_parameters(recurse=False), *module.named_buffers(recurse=False)]:
                if tensor.is_floating_point():
                    tensor.copy_(draw(name, tensor))
        scaled = (nn.Linear, nn.Conv1d, nn.Conv2d, nn.Conv3d, nn.ConvTranspose1d, nn.ConvTranspose2d)
        handles = {module: module.register_forward_hook(unit) for module in model.modules() if isinstance(module, scaled)}
        model.eval()(image)
    assert not handles, f"not called: {list(handles)}"
    return model, (image, )


class _Graph(nn.Module):
    """A module with parts of its own and a function of them and the input."""

    def __init__(self, function, **parts):
        super().__init__()
        self.function = function
        for name, part in parts.items():
            self.add_module(name, part)

    def forward(self, x):
        return self.function(self, x)


def _conv(inputs, outputs, kernel=3, stride=1, **rest):
    """Convolution, batch norm and relu, padded by half of the kernel unless `padding` says otherwise."""
    return ops.Conv2dNormActivation(inputs, outputs, kernel, stride, **rest)


def _shortcut(inputs, outputs, stride=1):
    return _conv(inputs, outputs, 1, stride, activation_layer=None)


def _classifier(channels, pooled=1):
    return [nn.AdaptiveAvgPool2d(pooled), nn.Flatten(), nn.Linear(channels, CLASSES)]


def resnet():
    """Basic blocks with and without a shortcut convolution, a 7x7 stem with stride 2, max pooling with padding."""
    blocks = BasicBlock(16, 16), BasicBlock(16, 24, 2, _shortcut(16, 24, 2)), BasicBlock(24, 32, 2, _shortcut(24, 32, 2))
    return _ready(nn.Sequential(_conv(3, 16, 7, 2), nn.MaxPool2d(3, 2, 1), *blocks, *_classifier(32)), 2, 3, 49, 38)


def resnext():
    """Bottlenecks with convolutions in 4 groups of 8 and of 12 channels."""
    block = functools.partial(Bottleneck, groups=4, base_width=32)
    blocks = block(32, 16, 1, _shortcut(32, 64)), block(64, 16), block(64, 24, 2, _shortcut(64, 96, 2))
    return _ready(nn.Sequential(_conv(3, 32, 3, 2), *blocks, *_classifier(96)), 1, 3, 35, 43)


def vgg():
    """3x3 convolutions with stride 1 of images that are large enough for Winograd's algorithm; adaptive pooling of 7x5 to 2x3."""
    features = make_layers([16, 16, "M", 32, 32, "M", 32, "M"], batch_norm=True)
    head = nn.AdaptiveAvgPool2d((2, 3)), nn.Flatten(), nn.Linear(192, 48), nn.ReLU(), nn.Linear(48, CLASSES)
    return _ready(nn.Sequential(features, *head), 1, 3, 56, 44)


def alexnet():
    """11x11 convolution with stride 4, local response norm, overlapping pools without padding, 5x5 convolution in two groups."""
    relu, norm, pool = nn.ReLU(), nn.LocalResponseNorm(5, .1), nn.MaxPool2d(3, 2)
    first, second = (nn.Conv2d(3, 24, 11, 4, 2), relu, norm, pool), (nn.Conv2d(24, 32, 5, padding=2, groups=2), relu, norm, pool)
    last = nn.Conv2d(32, 32, 3, padding=1), relu, nn.Conv2d(32, 24, 3, padding=1, groups=2), relu
    return _ready(nn.Sequential(*first, *second, *last, *_classifier(96, 2)), 1, 3, 83, 67)


def squeezenet():
    """Fire modules (concatenations), pools with ceil_mode, a convolution as classifier."""
    pool = nn.MaxPool2d(3, 2, ceil_mode=True)
    body = nn.Conv2d(3, 16, 3, 2), nn.ReLU(), pool, Fire(16, 8, 16, 16), Fire(32, 8, 24, 24), pool, Fire(48, 12, 32, 32)
    return _ready(nn.Sequential(*body, nn.Conv2d(64, CLASSES, 1), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten()), 2, 3, 45, 38)


def googlenet():
    """Inception modules: concatenations of four branches, one with a pool; pools with ceil_mode, of sizes where it adds a row."""
    pool = nn.MaxPool2d(3, 2, ceil_mode=True)
    stem = _conv(3, 16, 7, 2), pool, _conv(16, 16, 1), _conv(16, 24), pool
    modules = Inception(24, 8, 12, 16, 4, 8, 8), Inception(40, 16, 12, 24, 6, 12, 12), pool, Inception(64, 16, 16, 32, 8, 16, 16)
    return _ready(nn.Sequential(*stem, *modules, *_classifier(80)), 1, 3, 74, 61)


def inception_v3():
    """Convolutions of 1x7, 7x1, 1x3 and 3x1, stride 2 without padding, average pools that count their padding; nested concatenations."""

    def narrow(inputs, outputs, **rest):
        return BasicConv2d(inputs // 16, outputs // 16, **rest)

    stem = _conv(3, 12, 3, 2, padding=0), _conv(12, 16, 3, padding=0), nn.MaxPool2d(3, 2)
    modules = InceptionA(256, 64, narrow), InceptionB(288, narrow), InceptionC(768, 128, narrow), InceptionE(768, narrow)
    return _ready(nn.Sequential(*stem, *modules, *_classifier(128)), 1, 3, 63, 59)


def densenet():
    """Dense blocks: each layer reads the concatenation of all before it; norms and relu before convolutions; average pools that drop a row."""
    return _ready(DenseNet(12, (2, 3, 2), 16, bn_size=2, num_classes=CLASSES), 1, 3, 57, 44)


def mobilenet_v2():
    """Inverted residuals with relu6, depthwise convolutions of stride 1 and 2, a 1x1 convolution to 1280 channels."""
    settings = [[1, 8, 1, 1], [6, 12, 2, 2], [6, 20, 1, 2]]
    return _ready(MobileNetV2(CLASSES, .5, settings, round_nearest=4, dropout=0), 1, 3, 41, 54)


def mobilenet_v3():
    """Hard swish, squeeze and excitation with hard sigmoid, depthwise 5x5, and a dilated stage."""
    config = functools.partial(InvertedResidualConfig, width_mult=1)
    first = [config(16, 3, 16, 16, True, "RE", 2, 1), config(16, 3, 40, 24, False, "RE", 2, 1)]
    second = [config(24, 5, 72, 24, True, "HS", 1, 1), config(24, 5, 72, 32, True, "HS", 2, 2)]
    return _ready(MobileNetV3(first + second, 64, CLASSES), 2, 3, 45, 37)


def efficientnet():
    """MBConv: swish, squeeze and excitation with sigmoid, depthwise 5x5 with stride 2."""
    settings = [MBConvConfig(1, 3, 1, 16, 12, 1), MBConvConfig(6, 3, 2, 12, 20, 2), MBConvConfig(6, 5, 2, 20, 28, 1)]
    return _ready(EfficientNet(settings, 0, num_classes=CLASSES, last_channel=112), 1, 3, 47, 55)


def mnasnet():
    """Depthwise separable stem, inverted residuals of 3x3 and 5x5; strides of 2 with padding at two sides only, as TensorFlow does."""
    pad, block = nn.ZeroPad2d((0, 1, 0, 1)), _InvertedResidual
    stem = pad, _conv(3, 16, 3, 2, padding=0), pad, _conv(16, 16, 3, 2, groups=16, padding=0), _shortcut(16, 12)
    return _ready(nn.Sequential(*stem, block(12, 20, 3, 2, 3), block(20, 20, 3, 1, 3), block(20, 32, 5, 2, 6), *_classifier(32)), 2, 3, 48, 46)


def shufflenet_v2():
    """Channel shuffle: halves of the channels are split, computed, concatenated and interleaved."""
    return _ready(ShuffleNetV2([2, 2, 1], [12, 24, 48, 64, 96], CLASSES), 1, 3, 71, 58)


def regnet():
    """Bottlenecks with convolutions in groups of 8 channels, and squeeze and excitation as wide as a quarter of the block's input."""
    params = BlockParams([1, 2, 1], [16, 24, 40], [8, 8, 8], [1, 1, 1], [2, 2, 2], .25)
    return _ready(RegNet(params, CLASSES, stem_width=12), 2, 3, 53, 46)


def convnext():
    """Depthwise 7x7, layer norm over channels, gelu, a scale for each channel; 4x4 and 2x2 convolutions without overlap, of odd sizes."""
    settings = [CNBlockConfig(16, 24, 1), CNBlockConfig(24, 32, 2), CNBlockConfig(32, None, 1)]
    return _ready(ConvNeXt(settings, num_classes=CLASSES), 1, 3, 67, 58)


def _double(inputs, outputs):
    return nn.Sequential(_conv(inputs, outputs), _conv(outputs, outputs))


def unet_transposed():
    """U-Net whose decoder has transposed convolutions, one of a size that needs one more row, not one more column; concatenations."""

    def forward(m, x):
        first = m.first(x)
        second = m.second(F.max_pool2d(first, 2, ceil_mode=True))
        third = m.third(F.max_pool2d(second, 2))
        up = m.double2(torch.cat([second, m.up2(third)], 1))
        return m.head(m.double1(torch.cat([first, m.up1(up, first.shape[2:])], 1)))

    encoder = dict(first=_double(3, 12), second=_double(12, 16), third=_double(16, 24))
    ups = dict(up2=nn.ConvTranspose2d(24, 16, 2, 2), up1=nn.ConvTranspose2d(16, 12, 3, 2, 1))
    return _ready(_Graph(forward, **encoder, **ups, double2=_double(32, 16), double1=_double(24, 12), head=nn.Conv2d(12, 3, 1)), 1, 3, 36, 43)


def unet_bilinear():
    """U-Net whose decoder interpolates, with both conventions of the corners, and leaky relu."""

    def forward(m, x):
        first = m.first(x)
        second = m.second(F.avg_pool2d(first, 2, ceil_mode=True))
        third = m.third(F.max_pool2d(second, 2))
        up = F.interpolate(third, second.shape[2:], mode="bilinear", align_corners=True)
        up = F.leaky_relu(m.double2(torch.cat([up, second], 1)), .1)
        up = F.interpolate(up, first.shape[2:], mode="bilinear")
        return m.head(m.double1(torch.cat([up, first], 1)))

    encoder = dict(first=_double(3, 12), second=_double(12, 16), third=_double(16, 24))
    decoder = dict(double2=nn.Conv2d(40, 16, 3, padding=1), double1=_double(28, 16), head=nn.Conv2d(16, 3, 1))
    return _ready(_Graph(forward, **encoder, **decoder), 1, 3, 41, 38)


def deeplab():
    """Dilated bottlenecks; ASPP: dilations 2, 4 and 12 (more than the image has rows), pooling to one pixel; resized to the size of the input."""

    def forward(m, x):
        return F.interpolate(m.head(m.aspp(m.body(x))), x.shape[2:], mode="bilinear")

    blocks = Bottleneck(16, 8, 2, _shortcut(16, 32, 2)), Bottleneck(32, 8, dilation=2), Bottleneck(32, 8, dilation=4)
    head = nn.Sequential(_conv(16, 16), nn.Conv2d(16, 4, 1))
    return _ready(_Graph(forward, body=nn.Sequential(_conv(3, 16, 3, 2), *blocks), aspp=ASPP(32, (2, 4, 12), 16), head=head), 1, 3, 39, 45)


def lraspp():
    """Lite R-ASPP on a MobileNetV3: two scales, one multiplied by pooled gates; bilinear interpolation of 6x5 to 11x10 to 43x38."""
    config = functools.partial(InvertedResidualConfig, width_mult=1)
    settings = [config(16, 3, 32, 16, False, "RE", 2, 1), config(16, 3, 56, 24, True, "RE", 2, 1), config(24, 5, 72, 24, True, "HS", 1, 2)]
    features = IntermediateLayerGetter(MobileNetV3(settings, 8).features, {"1": "low", "4": "high"})
    return _ready(LRASPP(features, 16, 144, 5, 32), 1, 3, 43, 38)


def retinanet():
    """Feature pyramid with nearest interpolation, and heads that are shared by three scales; boxes of all scales in one result."""

    def forward(m, x):
        low = m.low(x)
        return m.head(list(m.pyramid({"low": low, "high": m.high(low)}).values()))

    pyramid = ops.FeaturePyramidNetwork([16, 24], 16, LastLevelMaxPool())
    head = RetinaNetHead(16, 2, 3)
    for part in (head.classification_head, head.regression_head):
        part.conv = part.conv[:2]
    low = nn.Sequential(_conv(3, 16, 5, 2), _conv(16, 16, 3, 2))
    return _ready(_Graph(forward, low=low, high=_conv(16, 24, 3, 2), pyramid=pyramid, head=head), 2, 3, 37, 46)


def yolo():
    """Space to depth, cross-stage parts, 5x5 pools with stride 1 in a chain, nearest interpolation, boxes decoded with sigmoid and a grid."""
    swish = functools.partial(_conv, activation_layer=nn.SiLU)

    def cross_stage(m, x):
        parts = [m.enter(x), *m.other(x).chunk(2, 1)]
        return m.leave(torch.cat([*parts, m.inner(parts[-1]) + parts[-1]], 1))

    def pools(m, x):
        parts = [m.enter(x)]
        for _ in range(3):
            parts.append(F.max_pool2d(parts[-1], 5, 1, 2))
        return m.leave(torch.cat(parts, 1))

    def decoded(box, stride):
        y, x = torch.meshgrid(torch.arange(box.shape[2]), torch.arange(box.shape[3]), indexing="ij")
        box = box.sigmoid()
        centers = (box[..., :2] * 2 - .5 + torch.stack([x, y], -1)) * stride / 64
        return torch.cat([centers, (box[..., 2:4] * 2)**2, box[..., 4:]], -1).flatten(1, 3)

    def forward(m, x):
        low = m.low(F.pixel_unshuffle(x, 2))
        high = m.high(low)
        low = m.join(torch.cat([F.interpolate(high, scale_factor=2), low], 1))
        boxes = [head(level).unflatten(1, (2, 6)).permute(0, 1, 3, 4, 2) for head, level in ((m.coarse, high), (m.fine, low))]
        return torch.cat([decoded(box, stride) for box, stride in zip(boxes, (8, 4))], 1)

    inner = nn.Sequential(swish(8, 8, 1), swish(8, 8))
    cross = _Graph(cross_stage, enter=swish(16, 8, 1), other=swish(16, 16, 1), inner=inner, leave=swish(32, 16, 1))
    high = nn.Sequential(swish(16, 32, 3, 2), _Graph(pools, enter=swish(32, 16, 1), leave=swish(64, 24, 1)))
    heads = dict(coarse=nn.Conv2d(24, 12, 1), fine=nn.Conv2d(24, 12, 1))
    return _ready(_Graph(forward, low=nn.Sequential(swish(12, 16, 3, 2), cross), high=high, join=swish(40, 24), **heads), 1, 3, 48, 64)


def super_resolution():
    """Edges repeated, prelu, a long skip connection, pixel shuffle by 3, bilinear interpolation of the input by 3."""

    def forward(m, x):
        y = m.enter(x)
        return m.leave(m.body(y) + y) + F.interpolate(x, scale_factor=3, mode="bilinear")

    conv = functools.partial(nn.Conv2d, padding=1, padding_mode="replicate")
    enter, body = nn.Sequential(nn.Conv2d(3, 24, 5, padding=2), nn.PReLU()), nn.Sequential(conv(24, 24, 3), nn.PReLU(24), conv(24, 24, 3))
    return _ready(_Graph(forward, enter=enter, body=body, leave=nn.Sequential(conv(24, 27, 3), nn.PixelShuffle(3))), 1, 3, 19, 17)


def style_transfer():
    """Images reflected at their edges, instance norm, nearest interpolation, tanh."""

    def layer(inputs, outputs, kernel, stride=1):
        return nn.Sequential(nn.ReflectionPad2d(kernel // 2), nn.Conv2d(inputs, outputs, kernel, stride), nn.InstanceNorm2d(outputs, affine=True))

    relu = nn.ReLU()
    residual = _Graph(lambda m, x: x + m.second(F.relu(m.first(x))), first=layer(24, 24, 3), second=layer(24, 24, 3))
    encoder, decoder = (layer(3, 12, 9), relu, layer(12, 24, 3, 2), relu), (nn.Upsample(scale_factor=2), layer(24, 12, 3), relu)
    return _ready(nn.Sequential(*encoder, residual, *decoder, nn.ReflectionPad2d(4), nn.Conv2d(12, 3, 9), nn.Tanh()), 1, 3, 38, 46)


def group_norm():
    """Group norm with groups of 6 and of 2 channels, instance norm, elu and softplus, adaptive pools of 13x10 to 5x3 and 4x3."""

    def forward(m, x):
        x = F.softplus(m.body(x))
        return m.linear(torch.cat([F.adaptive_avg_pool2d(x, (5, 3)).flatten(1), F.adaptive_max_pool2d(x, (4, 3)).flatten(1)], 1))

    groups = [_conv(24, 24, 3, norm_layer=functools.partial(nn.GroupNorm, count), activation_layer=nn.ELU) for count in (4, 12)]
    instance = _conv(24, 20, 3, norm_layer=functools.partial(nn.InstanceNorm2d, affine=True), activation_layer=None)
    return _ready(_Graph(forward, body=nn.Sequential(_conv(3, 24, 5, 3), *groups, instance), linear=nn.Linear(20 * 27, CLASSES)), 2, 3, 37, 30)


def _video_classifier(channels):
    return [nn.AdaptiveAvgPool3d(1), nn.Flatten(), nn.Linear(channels, CLASSES)]


def r3d():
    """Videos: 3x3x3 convolutions with stride 1 and 2, max and average pools over frames, rows and columns."""
    down = nn.Sequential(nn.Conv3d(12, 16, 1, 2, bias=False), nn.BatchNorm3d(16))
    blocks = videos.BasicBlock(12, 12, videos.Conv3DSimple), videos.BasicBlock(12, 16, videos.Conv3DSimple, 2, down)
    stem = Conv3dNormActivation(3, 12, (3, 5, 5), (1, 2, 2)), nn.MaxPool3d(3, (1, 2, 2), 1)
    return _ready(nn.Sequential(*stem, *blocks, nn.AvgPool3d((2, 3, 3)), nn.Flatten(), nn.Linear(16, CLASSES)), 1, 3, 6, 29, 26)


def s3d():
    """Videos: separable Inception modules, max pools of 3x3x3 with stride 1 and of 2x2x2 with stride 2."""
    norm = functools.partial(nn.BatchNorm3d, eps=1e-3)
    stem = TemporalSeparableConv(3, 16, 5, 2, 2, norm), nn.MaxPool3d((1, 3, 3), (1, 2, 2), (0, 1, 1))
    blocks = SepInceptionBlock3D(16, 8, 12, 16, 4, 8, 8, norm), nn.MaxPool3d(2, 2), SepInceptionBlock3D(40, 12, 12, 16, 4, 8, 12, norm)
    return _ready(nn.Sequential(*stem, *blocks, *_video_classifier(48)), 1, 3, 8, 30, 27)


def wavenet():
    """Signals: causal dilated convolutions with gates, residual and skip sums, pooling, and a transposed convolution back to the length."""

    def forward(m, x):
        x, skips = m.enter(F.pad(x, (1, 0))), 0
        for dilation, gate, leave in zip(DILATIONS, m.gates, m.leaves):
            filtered, gated = gate(F.pad(x, (dilation, 0))).chunk(2, 1)
            joined = leave(torch.tanh(filtered) * torch.sigmoid(gated))
            x, skips = x + joined[:, :16], skips + joined[:, 16:]
        return m.up(F.max_pool1d(F.relu(skips), 3, 2, 1))

    gates, leaves = [nn.Conv1d(16, 48, 2, dilation=dilation) for dilation in DILATIONS], [nn.Conv1d(24, 40, 1) for _ in DILATIONS]
    parts = dict(enter=nn.Conv1d(2, 16, 2), gates=nn.ModuleList(gates), leaves=nn.ModuleList(leaves), up=nn.ConvTranspose1d(24, 4, 4, 2, 1))
    return _ready(_Graph(forward, **parts), 2, 2, 93)
