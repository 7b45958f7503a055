"""Trains the classifier of index, thread and other pages, writes its weights; needs scikit-learn."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from bench.forum_quality import labelled_pages
from threadmill.forum.features import features

TARGET = Path(__file__).resolve().parents[1] / "src/threadmill/forum/page_class.json"


def main() -> None:
    """Train on the development part, print the accuracy on the held-out part, write the model."""
    import numpy as np
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import StandardScaler

    parser = argparse.ArgumentParser()
    parser.add_argument("--strength", type=float, default=0.1, help="inverse of the regularisation")
    parser.add_argument(
        "--all", action="store_true", help="train on the held-out part as well: the shipped model"
    )
    options = parser.parse_args()
    rows = [
        (part, label, weight, name, features(reading))
        for part, label, weight, name, reading in labelled_pages()
    ]
    names = sorted(rows[0][4])
    table = np.array([[row[4][name] for name in names] for row in rows])
    labels = np.array([row[1] for row in rows])
    weights = np.array([row[2] for row in rows])
    train = np.array([options.all or row[0] == "development" for row in rows])
    scaler = StandardScaler().fit(table[train])
    model = LogisticRegression(C=options.strength, max_iter=5000, class_weight="balanced")
    model.fit(scaler.transform(table[train]), labels[train], sample_weight=weights[train])
    for part in ("development", "held out"):
        chosen = np.array([row[0] == part for row in rows])
        guesses = model.predict(scaler.transform(table[chosen]))
        print(part, "accuracy", float((guesses == labels[chosen]).mean()), "of", int(chosen.sum()))
        for row, guess in zip([r for r in rows if r[0] == part], guesses, strict=True):
            if guess != row[1]:
                print("   ", row[3], row[1], "taken for", guess)
    TARGET.write_text(
        json.dumps(
            {
                "kinds": list(model.classes_),
                "features": names,
                "means": [round(float(v), 6) for v in scaler.mean_],
                "scales": [round(float(v), 6) for v in scaler.scale_],
                "weights": [[round(float(v), 5) for v in line] for line in model.coef_],
                "biases": [round(float(v), 5) for v in model.intercept_],
            },
            indent=1,
        )
        + "\n"
    )


if __name__ == "__main__":
    main()
