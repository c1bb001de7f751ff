"""Sorts the calls of exceptions.json by the class that they raise. Run it under PaddlePaddle 1.8.5 (Python 3.7)."""

import json
import os

FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "exceptions.json")


def sorted_by_class(calls, names):
    found = {}
    for call in calls:
        try:
            eval(call, dict(names))
        except Exception as error:
            found.setdefault(type(error).__name__, []).append(call)
    return found


if __name__ == "__main__":
    import paddle.fluid as fluid
    from exception_cases import imperative_names, static_names

    with open(FILE) as file:
        calls = {mode: [call for of in classes.values() for call in of] for mode, classes in json.load(file).items()}
    recorded = {"static": sorted_by_class(calls["static"], static_names(fluid))}
    with fluid.dygraph.guard(fluid.CPUPlace()):
        recorded["imperative"] = sorted_by_class(calls["imperative"], imperative_names(fluid))
    with open(FILE, "w") as file:
        json.dump(recorded, file, indent=0)
        file.write("\n")
