"""A step of training a transformer as GOAL: data, tensor, pipeline and expert parallel.

Ranks count along the tensor dimension first, then data, then stages: rank = (stage * data + replica) * tensor + part.
The ranks of an expert group are neighbours along the data dimension. Stages take their micro-batches one forward, one
backward (D. Narayanan et al.: "Efficient Large-Scale Language Model Training on GPU Clusters Using Megatron-LM", SC21,
section 2.2), whose section 3 has the counts of operations and the all-reduces of the tensor dimension, too. Gradients
of a layer are combined when its last backward is over, beside what is left to compute.

With `node_rate` (bytes per second) the ranks of a tensor group have a network of their own, in their node, and their
all-reduces are times and no messages.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from . import collectives
from .collectives import Group
from .errors import ConvertError
from .goal import CARD, Rank, Sequence, Writer

NS_PER_S = 1e9
FORWARD_TAG, BACKWARD_TAG, TENSOR_TAG, EXPERT_TAG, GRADIENT_TAG = 1, 2, 3, 4, 16  # gradients: one for each layer


@dataclass(frozen=True)
class Step:
    """The model, how it is divided, and the rate at which a rank computes."""

    layers: int = 16
    hidden: int = 2048
    sequence: int = 1024
    micro_batch: int = 1
    micro_batches: int = 4
    data: int = 2
    tensor: int = 8
    pipeline: int = 4
    experts: int = 1
    experts_per_token: int = 2
    element_bytes: int = 2
    flops: float = 100e12
    node_rate: float = 0
    algorithm: str = "ring"

    def __post_init__(self) -> None:
        for name in ("layers", "hidden", "sequence", "micro_batch", "micro_batches", "data", "tensor", "pipeline"):
            if getattr(self, name) < 1:
                raise ConvertError(f"--{name.replace('_', '-')} {getattr(self, name)}: give at least 1")
        if self.node_rate < 0:
            raise ConvertError(f"--node-rate {self.node_rate:g}: give bytes per second, or 0")
        if self.flops <= 0:
            raise ConvertError(f"--flops {self.flops:g}: give a rate above 0, such as 100e12")
        for what, parts, of, total in (
            ("--layers", "--pipeline", self.pipeline, self.layers),
            ("--hidden", "--tensor", self.tensor, self.hidden),
            ("--data", "--experts", max(1, self.experts), self.data),
        ):
            if total % of:
                raise ConvertError(f"{what} {total} is no multiple of {parts} {of}: change one of the two")

    @property
    def ranks(self) -> int:
        return self.pipeline * self.data * self.tensor

    @property
    def tokens(self) -> int:
        """Of a micro-batch."""
        return self.micro_batch * self.sequence

    @property
    def activations(self) -> int:
        """Bytes of a micro-batch between two layers."""
        return self.tokens * self.hidden * self.element_bytes

    def attention_ns(self) -> float:
        """Forward, of a layer: four products of matrices for each token, and scores of all pairs."""
        operations = 8 * self.tokens * self.hidden**2 + 4 * self.tokens * self.sequence * self.hidden
        return operations / self.tensor / self.flops * NS_PER_S

    def feed_forward_ns(self) -> float:
        times = self.experts_per_token if self.experts > 1 else 1
        return 16 * self.tokens * self.hidden**2 * times / self.tensor / self.flops * NS_PER_S


class _Player:
    """The step of one rank."""

    def __init__(self, step: Step, rank: Rank, me: int) -> None:
        self._step = step
        self._main = Sequence(rank)
        tensor, data = step.tensor, step.data
        self._part, self._replica, self._stage = me % tensor, me // tensor % data, me // (tensor * data)
        self._layers = step.layers // step.pipeline

    def _rank(self, stage: int, replica: int, part: int) -> int:
        return (stage * self._step.data + replica) * self._step.tensor + part

    def _group(self, replicas: range, parts: range, tag: int) -> Group:
        ranks = tuple(self._rank(self._stage, replica, part) for replica in replicas for part in parts)
        return Group(ranks, ranks.index(self._rank(self._stage, self._replica, self._part)), tag, self._step.algorithm)

    def _combine(self, size: int) -> None:
        """Partial sums of the tensor dimension."""
        step = self._step
        if step.node_rate > 0:
            self._main.calc(2 * (step.tensor - 1) / step.tensor * size / step.node_rate * NS_PER_S)
            return
        here = range(self._replica, self._replica + 1)
        collectives.play("allreduce", self._main, self._group(here, range(self._step.tensor), TENSOR_TAG), size)

    def _expert_replicas(self) -> range:
        first = self._replica - self._replica % self._step.experts
        return range(first, first + self._step.experts)

    def _to_experts(self) -> None:
        """Tokens travel to their experts, or back."""
        here = range(self._part, self._part + 1)
        size = self._step.activations * self._step.experts_per_token // self._step.tensor
        collectives.play("alltoall", self._main, self._group(self._expert_replicas(), here, EXPERT_TAG), size)

    def _layer(self, times: int) -> None:
        """Forward, or backward, which computes twice as much."""
        step = self._step
        self._main.calc(times * step.attention_ns())
        self._combine(step.activations)
        if step.experts > 1:
            self._to_experts()
        self._main.calc(times * step.feed_forward_ns())
        if step.experts > 1:
            self._to_experts()
        self._combine(step.activations)

    def _next_to(self, stages: int) -> int | None:
        stage = self._stage + stages
        return self._rank(stage, self._replica, self._part) if 0 <= stage < self._step.pipeline else None

    def _forward(self) -> None:
        size = self._step.activations // self._step.tensor
        if (before := self._next_to(-1)) is not None:
            self._main.receive(size, before, FORWARD_TAG)
        for _ in range(self._layers):
            self._layer(1)
        if (after := self._next_to(1)) is not None:
            self._main.isend(size, after, FORWARD_TAG)

    def _backward(self, is_last: bool) -> None:
        size = self._step.activations // self._step.tensor
        if (after := self._next_to(1)) is not None:
            self._main.receive(size, after, BACKWARD_TAG)
        for layer in range(self._layers):
            self._layer(2)
            if is_last:
                self._combine_gradients(layer)
        if (before := self._next_to(-1)) is not None:
            self._main.isend(size, before, BACKWARD_TAG)

    def _combine_gradients(self, layer: int) -> None:
        """Over the data dimension: attention among all, each expert among those that hold it."""
        step = self._step
        here = range(self._part, self._part + 1)
        weights = step.hidden**2 * step.element_bytes // step.tensor
        tag = GRADIENT_TAG + 2 * layer
        if step.experts == 1:
            parts = ((range(step.data), 12 * weights, tag),)
        else:
            same = range(self._replica % step.experts, step.data, step.experts)
            parts = ((range(step.data), 4 * weights, tag), (same, 8 * weights, tag + 1))
        for replicas, size, one in parts:
            collectives.play("allreduce", self._main.branch(cpu=CARD), self._group(replicas, here, one), size)

    def play(self) -> None:
        step = self._step
        first = min(step.pipeline - self._stage - 1, step.micro_batches)
        for _ in range(first):
            self._forward()
        for batch in range(step.micro_batches):
            if batch + first < step.micro_batches:
                self._forward()
            self._backward(batch == step.micro_batches - 1)


def generate(step: Step, writer_of: Callable[[int], Writer]) -> Writer:
    """Writes the step."""
    writer = writer_of(step.ranks)
    for me in range(step.ranks):
        with writer.rank(me) as rank:
            _Player(step, rank, me).play()
    return writer
