// Tasks and their results: run, play, compare, and what is seen of a motion (GX-7, MV-10).
import { expect, type Page } from '@playwright/test';
import { clearanceRgb, readSpans, spanAt } from '../../apps/studio/web/src/ui/clearance';
import { countPixels, isNear, type Picture, type Rgb } from './png';
import {
  eventually, kSlope, leaveFields, nextFrame, part, pictureOfView, readPlace, runAndOpen, tab, test, type Studio,
} from './studio_page';

const kBackground: Rgb = [238, 241, 245]; // of the light theme

test('run, play, scrub, compare, reload', async ({ hello: { page } }) => {
  await runAndOpen(page);
  await leaveFields(page);
  await page.keyboard.press('Space');
  await eventually(async () => Number(await page.locator('.timeline-now').innerText())).toBeGreaterThan(0.3);
  await page.keyboard.press('Space');
  await page.getByRole('slider', { name: 'Time' }).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await expect(page.locator('.timeline-now')).toHaveText('0.033');
  await expect(page.locator('.readout-line')).toContainText('table_right – cup');

  await part(page, 'cup').click();
  await page.waitForURL(/t=0\.0333.*select=cup/); // the address follows a little later
  await page.reload();
  await expect(page.locator('.timeline-now')).toHaveText('0.033');
  await expect(part(page, 'cup')).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('tab', { name: 'Tasks' })).toHaveAttribute('aria-selected', 'true');

  await page.getByRole('button', { name: 'Back to live' }).click();
  await page.getByRole('button', { name: 'Run' }).click();
  await tab(page, 'Results');
  const ticks = page.getByRole('checkbox', { name: /^Compare/ });
  await expect(ticks).toHaveCount(2);
  for (const tick of await ticks.all()) await tick.check();
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await expect(page.locator('.compare-view canvas')).toHaveCount(2);
  await expect(page.getByRole('dialog')).toContainText('Difference');
});

/** The ribbon's colours from left to right, and of how long a motion. */
async function readRibbon(page: Page): Promise<{ colours: Rgb[]; seconds: number }> {
  const colours = await page.locator('.timeline-ribbon').evaluate((ribbon: HTMLCanvasElement) => {
    const { data } = ribbon.getContext('2d')!.getImageData(0, ribbon.height >> 1, ribbon.width, 1);
    return Array.from({ length: ribbon.width }, (_, x) => [...data.slice(4 * x, 4 * x + 3)] as [number, number, number]);
  });
  return { colours, seconds: Number(await page.getByRole('slider', { name: 'Time' }).getAttribute('max')) };
}

/** What the file of the result says about each moment. */
async function readProfile({ page, server }: Studio): Promise<ReturnType<typeof readSpans>> {
  const name = await page.locator('.dock-head strong').innerText();
  const file = await page.request.get(`${server.url}results/${encodeURIComponent(name)}/result.json`);
  return readSpans((await file.json() as { certificate: { profile: unknown } }).certificate.profile);
}

async function seek(page: Page, seconds: number): Promise<void> {
  await page.getByRole('slider', { name: 'Time' }).fill(String(seconds));
  await nextFrame(page);
}

type Place = readonly number[];

/** What is seen a little above a place, looking along -x from its height: there is no floor behind it. */
function lookAbove({ at, width, height }: Picture, [, y]: Place): Rgb {
  const pixelsPerMetre = height / (2 * kAway * kSlope);
  return at(Math.round(width / 2 + y * pixelsPerMetre), Math.round(height / 2 - 0.02 * pixelsPerMetre));
}

const kAway = 2; // of the camera, in m
const isBlue = ([r, g, b]: Rgb): boolean => b > g + 10 && b > r + 25;
const isGreen = ([r, g, b]: Rgb): boolean => g > b + 4 && g > r + 15;

test('an open result: ribbon of clearance, ghosts of start and goal, trace of a part', async ({ hello }) => {
  const { page } = hello;
  await runAndOpen(page);
  const spans = await readProfile(hello);
  await eventually(async () => new Set((await readRibbon(page)).colours.map(String)).size).toBeGreaterThan(3);
  const { colours, seconds } = await readRibbon(page);
  for (const span of spans.filter(({ begin, end }) => (end - begin) * colours.length > 3 * seconds)) {
    const middle = (span.begin + span.end) / 2;
    expect(colours[Math.floor((middle / seconds) * colours.length)]).toEqual(clearanceRgb(spanAt(spans, middle)!.clearance));
  }

  await part(page, 'cup').click();
  await page.keyboard.press('i'); // nothing but the cup and what is drawn of its way
  await tab(page, 'Selection');
  const start = await readPlace(page);
  await seek(page, seconds);
  await eventually(async () => (await readPlace(page))[1] - start[1]).toBeGreaterThan(0.5); // from one table to the other
  const goal = await readPlace(page);
  const camera = [start[0] + kAway, 0, start[2], start[0], 0, start[2]].join(',');
  await page.evaluate((view) => { location.hash = location.hash.replace(/camera=[^&]*/, `camera=${view}`); }, camera);
  await page.keyboard.press('Escape');
  await seek(page, seconds / 2);

  const lookAtGhosts = async (): Promise<Rgb[]> => {
    const picture = await pictureOfView(page);
    return [lookAbove(picture, start), lookAbove(picture, goal)];
  };
  await eventually(async () => isBlue((await lookAtGhosts())[0])).toBe(true);
  expect(isGreen((await lookAtGhosts())[1])).toBe(true);
  await page.getByRole('button', { name: 'Ghosts' }).click();
  await eventually(lookAtGhosts).toEqual([kBackground, kBackground]);

  const countTrace = async (): Promise<number> => {
    const picture = await pictureOfView(page);
    const isOnRibbon = (colour: Rgb): boolean => colours.some((each) => isNear(colour, each, 3));
    return countPixels(picture, (colour, _, y) => y < picture.height / 2 && isOnRibbon(colour));
  };
  const before = await countTrace();
  await part(page, 'cup').click();
  await page.getByRole('button', { name: 'Trace' }).click();
  await eventually(countTrace).toBeGreaterThan(before + 200); // in the colours of the ribbon
  await page.getByRole('button', { name: 'Trace' }).click();
  await eventually(countTrace).toBe(before);
});

test('a task is cancelled', async ({ hello: { page } }) => {
  await tab(page, 'Tasks');
  await page.getByLabel('rate').fill('200000'); // a million frames to prove
  await page.getByRole('button', { name: 'Run' }).click();
  await expect(page.locator('.job')).toContainText('running');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.locator('.job')).toContainText('stopped');
});
