# SPDX-License-Identifier: Apache-2.0
"""What OpenSearch Benchmark asks: each search with another id, text or words of the corpus."""

import json
import os
import random


class Drawn:
    """The body of an operation, in which "$id", "$text" and "$words" stand for what is drawn anew for each request."""

    infinite = True

    def __init__(self, workload, params, **kwargs):
        self._params = dict(params)
        self._params.setdefault("index", workload.indices[0].name)
        self._body = json.dumps(params["body"])
        self._random = random.Random(kwargs.get("seed", 1))
        with open(os.path.join(os.path.dirname(__file__), "data", "queries.json"), encoding="utf-8") as queries:
            self._queries = json.load(queries)

    def partition(self, partition_index, total_partitions):
        self._random = random.Random(partition_index)
        return self

    def params(self):
        body = self._body
        for name, value in self._random.choice(self._queries).items():
            body = body.replace(json.dumps("$" + name), json.dumps(value))
        return {**self._params, "body": json.loads(body)}


def register(registry):
    registry.register_param_source("drawn", Drawn)
