"""TorchScript, torch.export and torch.compile, as programs for CUDA use them."""

import io

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 3)

    def forward(self, x):
        if x.is_cuda:
            x = x + torch.ones(4, device="cuda")
        if x.device.type == "cuda":
            x = x * 2
        return torch.relu(self.linear(x.cuda()))


def expected(model, x):
    return torch.relu(
        torch.nn.functional.linear((x + 1) * 2, model.linear.weight, model.linear.bias)
    )


def test_script():
    model = Model().cuda()
    scripted = torch.jit.script(model)
    x = torch.randn(2, 4, device="cuda")
    for _ in range(4):  # from the third call on, TorchScript uses recorded types
        assert torch.allclose(scripted(x), expected(model, x))
    buffer = io.BytesIO()
    torch.jit.save(scripted, buffer)
    for location in (None, "cuda", "cpu"):
        buffer.seek(0)
        loaded = torch.jit.load(buffer, map_location=location)
        assert loaded.linear.weight.device.type == (location or "cuda")
    traced = torch.jit.trace(model, x)
    assert torch.allclose(traced(x), expected(model, x))


def test_archives_made_without_the_device():
    module = torch.jit.ScriptModule()
    module.define(
        """
        def forward(self, x):
            y = x
            for _ in range(2):
                if x.is_cuda:
                    y = y + 1
            return y
        """
    )
    buffer = io.BytesIO()
    torch.jit.save(module, buffer)
    buffer.seek(0)
    loaded = torch.jit.load(buffer)
    for _ in range(4):
        assert (
            loaded(torch.zeros(1, device="cuda")).item() == 2 and loaded(torch.zeros(1)).item() == 0
        )


@torch.jit.script
def factories(n: int):
    a = torch.zeros(n, device=torch.device("cuda"))
    b = torch.ones(n, device="cuda:0", dtype=torch.float32)
    return a + b, str(a.device), a.device == torch.device("cuda:0")


def test_factories_in_a_script():
    tensor, text, same = factories(2)
    assert tensor.is_cuda and text == "cuda:0" and same


def test_export():
    model = Model().cuda()
    x = torch.randn(2, 4, device="cuda")
    program = torch.export.export(model, (x,))
    assert torch.allclose(program.module()(x), expected(model, x))
    assert "cuda" in str(program.graph)


def test_compile():
    model = Model().cuda()
    x = torch.randn(2, 4, device="cuda")
    for options in ({"backend": "eager"}, {"backend": "aot_eager"}, {}):
        torch._dynamo.reset()
        compiled = torch.compile(model, fullgraph=True, **options)
        assert torch.allclose(compiled(x), expected(model, x))
        model.zero_grad()
        compiled(x).sum().backward()
        assert model.linear.weight.grad.is_cuda


def test_compile_mixed_precision():
    model = torch.nn.Linear(4, 4).cuda()
    scaler = torch.amp.GradScaler("cuda")

    @torch.compile
    def step(x):
        with torch.autocast("cuda", dtype=torch.float16):
            return model(x.cuda()).float().sum()

    loss = step(torch.ones(2, 4, device="cuda"))
    scaler.scale(loss).backward()
    assert model.weight.grad.is_cuda and loss.is_cuda
