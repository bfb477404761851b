"""Data and outputs of PyTorch programs as numpy arrays."""

import numpy as np

from .problem import ProblemError


def as_arrays(torch, field, data, dtype):
    """Return a tuple of arrays from arrays or tensors, a Dataset or a DataLoader.

    Floating-point values are cast to `dtype`, the model's torch type.
    """
    if isinstance(data, torch.utils.data.DataLoader):
        batches = [batch if isinstance(batch, (tuple, list)) else (batch,) for batch in data]
        data = tuple(torch.cat(parts) for parts in zip(*batches, strict=True))
    elif isinstance(data, torch.utils.data.Dataset):
        data = torch.utils.data.default_collate([data[i] for i in range(len(data))])
    if torch.is_tensor(data) or isinstance(data, np.ndarray):
        data = (data,)
    if not isinstance(data, (tuple, list)):
        raise ProblemError(
            f"{field} must be a tuple of arrays or tensors, a Dataset or a DataLoader, "
            f"but {type(data).__name__} came"
        )
    floats = str(dtype).removeprefix("torch.")
    floats = "float32" if floats == "bfloat16" else floats
    arrays = [part.detach().cpu().numpy() if torch.is_tensor(part) else np.array(part) for part in data]
    return tuple(array.astype(floats) if array.dtype.kind == "f" else array for array in arrays)


def as_probabilities(torch, outputs, targets, criterion):
    """Return the outputs as class probabilities where the targets are classes, else as they are.

    Outputs that are probabilities already, or their logarithms, are recognized by their sums.
    """
    if isinstance(criterion, torch.nn.BCEWithLogitsLoss):
        return 0.5 * (1.0 + np.tanh(0.5 * outputs))
    if targets.dtype.kind not in "iu" or outputs.ndim != 2 or outputs.shape[1] < 2:
        return outputs
    if np.all(outputs >= 0) and np.allclose(outputs.sum(axis=1), 1.0, atol=1e-4):
        return outputs
    shifted = np.exp(outputs - outputs.max(axis=1, keepdims=True))
    return shifted / shifted.sum(axis=1, keepdims=True)
