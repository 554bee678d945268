// node first_frame.mjs URL COUNT: opens the studio COUNT times in a fresh Chromium and prints as JSON how long it took
// until the whole scene was drawn (median, ms) and how many bytes came over the line.
import { chromium } from '@playwright/test';

const [url, count] = process.argv.slice(2);
const args = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
if (process.getuid?.() === 0) args.push('--no-sandbox');
const executablePath = process.env.GESTE_CHROMIUM ?? '/usr/bin/chromium';
const times = [];
let bytes = 0;
const browser = await chromium.launch({ executablePath, args });
for (let k = 0; k < Number(count); ++k) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  await page.goto(url);
  await page.waitForFunction(() => performance.getEntriesByName('first-frame').length > 0, null, { timeout: 120_000 });
  times.push(await page.evaluate(() => performance.getEntriesByName('first-frame')[0].startTime));
  bytes = await page.evaluate(() =>
    [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
      .reduce((sum, entry) => sum + entry.transferSize, 0));
  await page.close();
}
await browser.close();
times.sort((a, b) => a - b);
console.log(JSON.stringify({ first_frame_ms: times[Math.floor(times.length / 2)], bytes }));
