"""Writes forward.json: tiny encoders of every family, with numbers from a formula, and the values they give, in plain numpy (float64).

Shares no code with the crate. Run: python3 forward.py > forward.json
"""
import json
import math

import numpy as np

BASE = dict(vocab_size=11, hidden_size=8, num_hidden_layers=2, num_attention_heads=2, intermediate_size=12,
            max_position_embeddings=16, type_vocab_size=2, hidden_act="gelu", layer_norm_eps=1e-12)
CONFIGS = {
    "bert": dict(BASE, model_type="bert"),
    "electra": dict(BASE, model_type="electra", embedding_size=4),
    "ernie": dict(BASE, model_type="ernie", use_task_id=True, task_type_vocab_size=3),
    "roformer": dict(BASE, model_type="roformer", hidden_act="gelu_new"),
    "roformer-value": dict(BASE, model_type="roformer", rotary_value=True, hidden_act="relu"),
}
IDS = [[2, 5, 7, 3, 9, 4, 3], [2, 8, 8, 1, 3]]
SECOND = [4, 5]


def names(c):
    narrow = c.get("embedding_size", c["hidden_size"])
    wide, inner = c["hidden_size"], c["intermediate_size"]
    yield "word", (c["vocab_size"], narrow)
    if c["model_type"] != "roformer":
        yield "position", (c["max_position_embeddings"], narrow)
    yield "type", (c["type_vocab_size"], narrow)
    if c.get("use_task_id"):
        yield "task", (c["task_type_vocab_size"], narrow)
    yield "norm.w", (narrow,)
    yield "norm.b", (narrow,)
    if narrow != wide:
        yield "project.w", (wide, narrow)
        yield "project.b", (wide,)
    for i in range(c["num_hidden_layers"]):
        for part, source, target in [("q", wide, wide), ("k", wide, wide), ("v", wide, wide), ("o", wide, wide), ("up", wide, inner), ("down", inner, wide)]:
            yield f"{i}.{part}.w", (target, source)
            yield f"{i}.{part}.b", (target,)
        for part in ["norm1", "norm2"]:
            yield f"{i}.{part}.w", (wide,)
            yield f"{i}.{part}.b", (wide,)


def weights(c):
    out = {}
    for number, (name, shape) in enumerate(names(c)):
        wave = np.sin(0.7 * number + 1.3 * np.arange(np.prod(shape))).reshape(shape)
        out[name] = 1 + 0.1 * wave if "norm" in name and name.endswith(".w") else 0.3 * wave
    return out


def norm(x, w, b):
    d = x - x.mean(-1, keepdims=True)
    return d / np.sqrt((d * d).mean(-1, keepdims=True) + 1e-12) * w + b


def act(name, x):
    if name == "relu":
        return np.maximum(x, 0)
    if name == "gelu_new":
        return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))


def rotate(x):
    places, width = x.shape
    out = x.copy()
    for place in range(places):
        for pair in range(width // 2):
            angle = place / 10000 ** (2 * pair / width)
            a, b = x[place, 2 * pair], x[place, 2 * pair + 1]
            out[place, 2 * pair] = a * math.cos(angle) - b * math.sin(angle)
            out[place, 2 * pair + 1] = b * math.cos(angle) + a * math.sin(angle)
    return out


def forward(c, w, ids, second):
    segments = [int(i >= second) for i in range(len(ids))]
    x = w["word"][ids] + w["type"][segments]
    if "position" in w:
        x = x + w["position"][: len(ids)]
    if "task" in w:
        x = x + w["task"][0]
    x = norm(x, w["norm.w"], w["norm.b"])
    if "project.w" in w:
        x = x @ w["project.w"].T + w["project.b"]
    width = c["hidden_size"] // c["num_attention_heads"]
    for i in range(c["num_hidden_layers"]):
        q, k, v = (x @ w[f"{i}.{p}.w"].T + w[f"{i}.{p}.b"] for p in "qkv")
        heads = []
        for h in range(c["num_attention_heads"]):
            a, b, d = (m[:, h * width:(h + 1) * width] for m in (q, k, v))
            if c["model_type"] == "roformer":
                a, b = rotate(a), rotate(b)
                d = rotate(d) if c.get("rotary_value") else d
            s = a @ b.T / math.sqrt(width)
            s = np.exp(s - s.max(-1, keepdims=True))
            heads.append(s / s.sum(-1, keepdims=True) @ d)
        x = norm(x + np.concatenate(heads, -1) @ w[f"{i}.o.w"].T + w[f"{i}.o.b"], w[f"{i}.norm1.w"], w[f"{i}.norm1.b"])
        y = act(c["hidden_act"], x @ w[f"{i}.up.w"].T + w[f"{i}.up.b"]) @ w[f"{i}.down.w"].T + w[f"{i}.down.b"]
        x = norm(x + y, w[f"{i}.norm2.w"], w[f"{i}.norm2.b"])
    return np.round(x, 6).tolist()


if __name__ == "__main__":
    cases = {name: dict(config=c, ids=IDS, second=SECOND, expected=[forward(c, weights(c), i, s) for i, s in zip(IDS, SECOND)])
             for name, c in CONFIGS.items()}
    print(json.dumps(cases))
