"""How long it takes from a push until its row is on the screen of a page that shows a part of a long list."""

import asyncio
import shutil
import time
from statistics import median, quantiles

from browser import Browser

# Resolves once the text is drawn: with the frame after the one in which it came. In milliseconds since 1970.
SEEN = """new Promise(resolve => {
    const drawn = () => requestAnimationFrame(() => setTimeout(() => resolve(performance.timeOrigin + performance.now())))
    const shown = document.querySelector('refreshable-list').shadowRoot
    const observer = new MutationObserver(() => shown.textContent.includes('%s') && (observer.disconnect(), drawn()))
    observer.observe(shown, { childList: true, subtree: true, characterData: true })
})"""
SHOWN = "!!document.querySelector('refreshable-list')?.shadowRoot?.textContent.includes('not seen')"


async def screen(log, watcher, results, given):
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if not chromium:
        return results.miss("a push to the screen: there is no Chromium here")
    browser = await asyncio.to_thread(Browser, chromium)
    try:
        await log.push([{"key": "k1", "at": "top", "fields": {"title": "not seen"}}])
        browser.open(f"http://localhost:{log.port}/#log")
        await asyncio.to_thread(browser.wait_for, SHOWN)
        times = []
        for number in range(60):
            seen = asyncio.create_task(asyncio.to_thread(browser.evaluate, SEEN % f"seen {number}."))
            await asyncio.sleep(0.2)
            start = time.time() * 1000
            await log.push([{"key": "k1", "fields": {"title": f"seen {number}."}}])
            times.append(await seen - start)
        results.add("from a push to the screen of a page that looks there, median", median(times), "ms", digits=1)
        results.add("    99th percentile", quantiles(times, n=100)[98], "ms", digits=1)
        heap = browser.ask("Runtime.getHeapUsage")["usedSize"] / 2**20
        results.add("    what the page's script holds", heap, "MiB", digits=1, most=30)
    finally:
        await asyncio.to_thread(browser.close)
