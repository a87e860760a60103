"""What many numbers come to."""

import statistics


def percentile(values, share):
    """The value that so large a share of them does not exceed."""
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def line_through(points):
    """(slope, share of what varies that the line explains) of a straight line through (time, amount): least squares."""
    times, amounts = zip(*points, strict=True)
    if len(set(amounts)) == 1:
        return 0.0, 1.0
    slope, _ = statistics.linear_regression(times, amounts)
    return slope, statistics.correlation(times, amounts) ** 2
