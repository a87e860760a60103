"""Prints the figures, in tables that a terminal of 120 columns holds, and the bars beneath."""

MICRO, KIB = 1e-6, 1024


def show(report):
    for size in report.given.sizes:
        if report.fanout.get(size):
            show_fanout(report, size)
    if report.memory:
        show_memory(report)
    for size, rows in report.idle.items():
        show_pulls(report, f"A pull and its answer, {size:,} idle watchers", rows)
    for size, rows in report.amid.items():
        show_pulls(report, f"A pull and its answer amid a broadcast to {size:,}", rows)
    if report.returns:
        show_returns(report)
    if report.storm:
        show_storm(report)
    if report.work:
        show_work(report)
    for name, reason in report.missing.items():
        print(f"\nNot measured: {name}: {reason}")
    show_bars(report)


def show_fanout(report, size):
    frames = report.frames
    print(f"\nOne message to {size:,} watchers; medians (least–most) of {report.given.repetitions} repetitions in turn")
    for kind, words in (
        ("plain", f"{frames['plain']['payload']} bytes"),
        ("deflate", f"{frames['deflate']['payload']} bytes, compressed; ours to {frames['deflate']['wire']}"),
    ):
        lines = [(words, "CPU µs a message", "kernel", "× bare send()", "messages/s", "bytes")]
        for (key, its), row in report.fanout[size].items():
            if its == kind:
                lines.append((
                    f"  {report.names[key]}", row["cpu"].text(MICRO), percent(row["kernel"]), row["ratio"].text(),
                    f"{row['rate'].middle:,.0f}{'*' * (row['slack'] < 0.05)}", f"{row['bytes']:.0f}"))  # fmt: skip
        columns(lines)
    if any(row["slack"] < 0.05 for row in report.fanout[size].values()):
        print("* The load client was at its limit: messages a second are no less than this.")


def show_memory(report):
    size = max(report.memory)
    print(f"\nAn idle watcher, of {size:,}, after the first 100")
    lines = [("", "RSS", "PSS", "in the kernel, both sides", "CPU to come and watch")]
    for key, row in report.memory[size].items():
        lines.append((
            f"  {title(report, key)}", f"{row['rss'] / KIB:.2f} KiB", f"{row['pss'] / KIB:.2f} KiB",
            f"{row['kernel'] / KIB:.1f} KiB", f"{row['opened']['cpu'] / MICRO:.0f} µs"))  # fmt: skip
    columns(lines)


def show_pulls(report, heading, rows):
    print(f"\n{heading}")
    lines = [("", "p50 ms", "p99 ms", "CPU µs", f"p50 × {'echo' if 'echo' in rows else 'bare answer'}")]
    for key, row in rows.items():
        cpu, ratio = (row[name].text(unit) if name in row else "" for name, unit in (("cpu", MICRO), ("ratio", 1)))
        lines.append((f"  {title(report, key)}", row["p50"].text(1e-3, 3), row["p99"].text(1e-3, 3), cpu, ratio))
    columns(lines)


def show_returns(report):
    print(f"\n{max(report.given.sizes):,} watchers are cut off, and all come back in the same moment")
    lines = [("", "till the last one watches", "CPU of one")]
    for key, row in report.returns.items():
        lines.append((f"  {title(report, key)}", f"{row['seconds']:.2f} s", f"{row['cpu'] / MICRO:.0f} µs"))
    columns(lines)


def show_storm(report):
    print("\n1,000 watchers join a list of 10,000 rows at once; medians (least–most)")
    lines = [("", "bytes each", "all the same", "CPU ms", "bare send() ms", "×", "one alone", "compressed", "time s")]
    for kind, row in report.storm.items():
        lines.append((
            f"  {kind}", f"{row['each']:,}", "yes" if row["same"] else "NO", row["cpu"].text(1e-3, 0), row["floor"].text(1e-3, 0),
            row["ratio"].text(), f"{row['alone'] * 1000:.1f}",
            f"{row['compressions']} times", row["seconds"].text()))  # fmt: skip
    columns(lines)


def show_work(report):
    print(f"\nWhat a message does for each further watcher, of {report.work['plain']['watchers']:,}, besides being sent")
    lines = [("", "memory asked for", "keys looked up", "raw streams of zlib, in all")]
    for kind, row in report.work.items():
        hashes = f"{row['hashes']:.3f} times" if row["seesHashes"] else "not seen in this build"
        lines.append((f"  {kind}", f"{row['allocations']:.3f} times", hashes, f"{row['streams']}"))
    columns(lines)


def show_bars(report):
    lines = [("", "measured", "bar", "")]
    for bar in report.bars:
        value = "–" if bar.value is None else f"{bar.value:.2f} {bar.unit}".strip()
        lines.append((bar.what, value, f"≤ {bar.most:g} {bar.unit}".strip(), bar.verdict))
    if report.bars:
        print("\nThe bars")
        columns(lines)
    print(f"\nMeasured in {report.seconds:.0f} s.")


def percent(share):
    return "–" if share is None else f"{share:.0%}"


def title(report, key):
    name, _, kind = key.partition("-")
    return report.names.get(name, name) + (f", {kind}" if kind else "")


def columns(lines):
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    for first, *others in lines:
        print("  ".join([f"{first:<{widths[0]}}", *(f"{text:>{width}}" for text, width in zip(others, widths[1:], strict=True))]).rstrip())
