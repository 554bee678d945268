// The report, opened from the file system with the network off.

import { chromium, expect, test, type Page } from '@playwright/test';
import { expectAccessible, kColours } from './axe';
import { BLOCK, makeResult, makeScene, makeSwept, makeTrack, TIGHTEST_AT, writeReport } from './report_sample';

let good = '';
let shared: { page: Page; faults: string[] };

test.use({ offline: true });

// Opening takes longer than most tests: those that need no fresh page share one.
test.beforeAll(async ({ browser }) => {
  good = writeReport('good', makeResult(), await makeScene(), await makeTrack());
  const page = await browser.newPage();
  shared = { page, faults: await open(page, good) };
});
test.afterAll(() => shared.page.close());

/** The shared page as it was opened, then with what the link says. */
async function reopen(link = ''): Promise<Page> {
  const { page } = shared;
  await goTo(page, '#s=0&view=iso');
  await page.getByRole('searchbox').fill('');
  await page.locator('h1').click();
  await page.keyboard.press('Escape');
  if (link) await goTo(page, link);
  return page;
}

async function goTo(page: Page, link: string): Promise<void> {
  await page.evaluate((hash) => new Promise<void>((done) => {
    if (location.hash === hash) return done();
    window.addEventListener('hashchange', () => done(), { once: true });
    location.hash = hash;
  }), link);
  await page.waitForFunction(() => document.body.dataset.ready === '1');
}

async function open(page: Page, address: string): Promise<string[]> {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('request', (request) => {
    if (!/^(file|data|blob):/.test(request.url())) faults.push(`asked for ${request.url()}`);
  });
  page.on('dialog', (dialog) => faults.push(`dialog: ${dialog.message()}`));
  await page.goto(address);
  await page.waitForFunction(() => document.body.dataset.ready === '1', null, { timeout: 60_000 });
  return faults;
}

const scrubber = (page: Page) => page.getByRole('slider', { name: 'Time' });
const timeOf = (page: Page) => scrubber(page).inputValue().then(Number);

test('GX-7: opens alone, says the verdict, and keeps names as text', async () => {
  const { page, faults } = shared;
  await expect(page.getByRole('heading', { level: 1 })).toContainText('proven free of collisions');
  await expect(page.getByRole('heading', { level: 1 })).toContainText(BLOCK);
  await expect(page.getByText('Proven free', { exact: true })).toBeVisible();
  await expect(page.locator('.stage-host canvas')).toBeVisible();
  await expect(page.getByText('the <b>block</b> has no mass')).toBeVisible();
  await expect(page.getByText('geste run sample.yaml --seed 1 --out result')).toBeVisible();
  await expect(page.locator('.files code').first()).toHaveAttribute('title', /^(0123456789abcdef){4}$/);
  expect(await page.locator('#report img').count()).toBe(0);
  expect(faults).toEqual([]);
});

test('scrubs by hand, by key and by a click into the plot; the picture and the figures follow', async () => {
  const page = await reopen();
  const stage = page.locator('.stage');
  const before = await stage.screenshot();
  await scrubber(page).fill('2.4');
  await expect(page.locator('.plot-readout')).toContainText('2.4 s');
  await expect(page.locator('.plot-readout')).toContainText('bench/top');
  await expect.poll(async () => (await stage.screenshot()).equals(before)).toBe(false);
  await scrubber(page).press('ArrowLeft');
  expect(await timeOf(page)).toBeCloseTo(2.35, 3);
  const over = page.locator('.plot .u-over').first();
  const box = (await over.boundingBox())!;
  await over.click({ position: { x: box.width / 2, y: box.height / 2 } });
  expect(await timeOf(page)).toBeCloseTo(1.5, 1);
  await expect(page.locator('.joint-value').first()).not.toBeEmpty();
});

test('plays, pauses and starts over in a loop', async () => {
  const page = await reopen();
  await page.getByLabel('Speed').selectOption('4');
  await page.getByRole('button', { name: /^Loop/ }).click();
  await page.getByRole('button', { name: /^Play/ }).click();
  await expect.poll(() => timeOf(page)).toBeGreaterThan(0.5);
  await scrubber(page).evaluate((slider: HTMLInputElement) => new Promise<void>((wentBack) => {
    let last = 0;
    const look = (): void => {
      if (Number(slider.value) < last) return wentBack();
      last = Number(slider.value);
      requestAnimationFrame(look);
    };
    look();
  }));
  await page.locator('h1').click();
  await page.keyboard.press(' ');
  const stopped = await timeOf(page);
  await page.waitForTimeout(400);
  expect(await timeOf(page)).toBe(stopped);
});

test('goes to the tightest moment and marks it with both names', async () => {
  const page = await reopen();
  await expect(page.locator('.view-mark')).toHaveCount(0);
  await page.getByRole('button', { name: 'Go to the tightest moment' }).click();
  expect(await timeOf(page)).toBe(TIGHTEST_AT);
  await expect(page.locator('.view-mark .view-label')).toHaveText(`bench/top – ${BLOCK}: 30.00 mm at 1.5 s`);
  await expect(page.getByRole('treeitem', { name: BLOCK, exact: true })).toHaveAttribute('aria-selected', 'true');
  await scrubber(page).fill('0.2');
  await expect(page.locator('.view-mark')).toHaveCount(0);
});

test('finds, isolates and shows parts', async () => {
  const page = await reopen();
  const whole = await page.locator('.stage').screenshot();
  await page.getByRole('searchbox').fill('legs');
  await page.getByRole('treeitem', { name: 'legs' }).click();
  await page.getByRole('button', { name: /^Show only what is selected/ }).click();
  await expect(page.getByText(/2 hidden/)).toBeVisible();
  await expect.poll(async () => (await page.locator('.stage').screenshot()).equals(whole)).toBe(false);
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(page.getByText(/hidden$/)).toHaveCount(0);
});

test('picks parts in 3D', async () => {
  const page = await reopen('#t=0.5&view=top');
  const box = (await page.locator('.stage-host canvas').boundingBox())!;
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await expect(page.getByRole('treeitem', { name: BLOCK, exact: true })).toHaveAttribute('aria-selected', 'true');
});

test('shows the space that is passed through, seen through, until it is switched off', async ({ page }) => {
  const address = writeReport('swept', makeResult(), await makeScene(), await makeTrack(), await makeSwept());
  const faults = await open(page, `${address}#t=0.5&view=top`);
  const stage = page.locator('.stage-host');
  const button = page.getByRole('button', { name: 'Space passed through (S)' });
  await expect(button).toHaveAttribute('aria-pressed', 'true');
  const shown = await stage.screenshot();
  // What is inside is picked, as if it were not there.
  const box = (await stage.locator('canvas').boundingBox())!;
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await expect(page.getByRole('treeitem', { name: BLOCK, exact: true })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Escape');
  await page.keyboard.press('s');
  await expect(button).toHaveAttribute('aria-pressed', 'false');
  await expect.poll(async () => (await stage.screenshot()).equals(shown)).toBe(false);
  expect(faults).toEqual([]);
});

test('links name moment, view, theme and part; a picture is the 3D alone', async ({ page }) => {
  await open(page, `${good}#s=1.25&theme=light&isolate=bench`);
  expect(await timeOf(page)).toBe(1.25);
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  await expect(page.getByText(/1 hidden/)).toBeVisible();
  await page.goto('about:blank');
  await open(page, `${good}#picture=1&t=0.5&view=front&theme=dark`);
  const canvas = await page.locator('.stage-host canvas').boundingBox();
  expect(canvas).toEqual({ x: 0, y: 0, ...page.viewportSize()! });
  await expect(page.locator('h1')).toBeHidden();
  await expect(page.locator('.stage-tools')).toBeHidden();
  await expect(page).toHaveTitle(/^sample: Replayed/);
});

test('bad starts are listed and marked, without any motion', async ({ page }) => {
  const result = {
    ...makeResult(), verdict: 'No motion: the start collides.', certificate: { checked: false },
    motion: { frames: 0, begin_s: 0, end_s: 0 },
    collisions: [{ where: 'start', a: 'bench/top', b: BLOCK, depth_m: 0.004, point: [0, 0, 0.72] }],
  };
  const faults = await open(page, writeReport('bad_start', result, await makeScene(), null));
  await expect(page.getByText('Collides', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: /bench\/top/ })).toContainText('4.00 mm deep');
  await expect(page.locator('.view-mark .view-label')).toContainText('4.00 mm deep');
  await expect(scrubber(page)).toHaveCount(0);
  expect(faults).toEqual([]);
});

test('without WebGL everything but the 3D remains', async () => {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--disable-3d-apis'],
  });
  const page = await browser.newPage();
  const faults = await open(page, good);
  await expect(page.getByText(/no 3D view; everything else works/)).toBeVisible();
  await page.getByRole('button', { name: 'Go to the tightest moment' }).click();
  expect(await timeOf(page)).toBe(TIGHTEST_AT);
  await expect(page.locator('.plot-readout')).toContainText('30.00 mm');
  await expect(page.getByRole('treeitem').first()).toBeVisible();
  expect(faults).toEqual([]);
  await browser.close();
});

test('a damaged scene is told in one line; plots remain', async ({ page }) => {
  const scene = (await makeScene()).slice();
  scene[scene.length - 200] ^= 0xff;
  const faults = await open(page, writeReport('damaged', makeResult(), scene.subarray(0, scene.length - 90), await makeTrack()));
  await expect(page.locator('.stage-line')).toContainText('The pack is damaged');
  await expect(page.locator('.plot')).toHaveCount(1);
  expect(faults).toEqual([]);
});

test('lost graphics come back', async ({ page }) => {
  await open(page, good);
  await page.evaluate(() => {
    const gl = document.querySelector<HTMLCanvasElement>('.stage-host canvas')!.getContext('webgl2')!;
    (window as unknown as { loser: WEBGL_lose_context }).loser = gl.getExtension('WEBGL_lose_context')!;
    (window as unknown as { loser: WEBGL_lose_context }).loser.loseContext();
  });
  await expect(page.getByText(/took the graphics away/)).toBeVisible();
  await scrubber(page).fill('2');
  await page.evaluate(() => (window as unknown as { loser: WEBGL_lose_context }).loser.restoreContext());
  await expect(page.getByText(/took the graphics away/)).toBeHidden();
  const blank = await page.locator('.stage').screenshot();
  await scrubber(page).fill('0.5');
  await expect.poll(async () => (await page.locator('.stage').screenshot()).equals(blank)).toBe(false);
});

test('prints light, with the picture and the whole hashes, without controls', async () => {
  const page = await reopen('#t=0.5&theme=dark');
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('.print-picture')).toBeVisible();
  await expect(page.locator('.files code').first()).toHaveText('0123456789abcdef'.repeat(4));
  await expect(page.locator('.parts')).toBeHidden();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  await page.emulateMedia({ media: 'screen' });
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await expect(page.locator('.print-picture')).toHaveCount(0);
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  expect((await page.pdf()).length).toBeGreaterThan(20_000);
});

test('axe finds nothing, dark and light, in three sizes, and nothing sticks out', async () => {
  const page = await reopen(`#s=${TIGHTEST_AT}`);
  await page.emulateMedia({ colorScheme: 'dark' });
  for (const [width, height] of [[768, 1024], [1024, 768], [1280, 720]]) {
    await page.setViewportSize({ width, height });
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await expectAccessible(page, null, kColours);
});

test('GX-3: without a motion it shows what was found out, and the gap with its size', async ({ page }) => {
  const result = {
    ...makeResult(), verdict: 'No motion found', certificate: { checked: false }, motion: { frames: 1, begin_s: 0, end_s: 0 },
    reasons: {
      kind: 'budget', proven: false, without: ['bench/legs'], parts: [{ name: 'bench/legs', grade: 'found by search' }],
      gap: { missing_m: 0.0021, moved: BLOCK, between: ['bench/top', 'bench/legs'], on_moved: [0, 0, 0.72], on_other: [0, 0, 0.75] },
    },
  };
  const faults = await open(page, writeReport('blocked', result, await makeScene(), null));
  await expect(page.getByText('No motion', { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Without it there is a motion, found and proven (1 part)' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'bench/legs', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Show the gap' }).click();
  await expect(page.getByText('2.10 mm thinner it comes through').first()).toBeVisible();
  expect(faults).toEqual([]);
});
