// Moving things: by joints, by numbers, and by the handle in 3D (GX-7, MV-10).
import { expect, type Page } from '@playwright/test';
import {
  eventually, kSlope, leaveFields, middleOfView, nextFrame, part, read, readPlace, tab, test,
} from './studio_page';

/** Where the handle can be taken hold of, as shares of half the picture's height: on its arrows, on its rings. */
const kOnArrow = 0.16;
const kOnRing = 0.202;

interface Handle { x: number; y: number; half: number; metresPerPixel: number }

/** Looks straight along +y at a place, from a metre and a half: x points right in the picture, z up. */
async function lookAt(page: Page, [x, y, z]: readonly number[], name: string): Promise<Handle> {
  const distance = 1.5;
  const camera = [x, y - distance, z, x, y, z].map((each) => each.toFixed(4)).join(',');
  await page.evaluate((hash) => { location.hash = hash; }, `camera=${camera}&select=${encodeURIComponent(name)}`);
  await nextFrame(page);
  const [middleX, middleY] = await middleOfView(page);
  const half = (await page.locator('.view-host canvas').boundingBox())!.height / 2;
  return { x: middleX, y: middleY, half, metresPerPixel: (distance * kSlope) / half };
}

/** A link of a robot, by the tree. */
async function select(page: Page, actor: string, link: string): Promise<void> {
  await part(page, actor).click();
  await page.keyboard.press('ArrowRight');
  await part(page, link).click();
  await nextFrame(page); // the numbers follow
}

/** Pulls and holds: what is pulled has to come along before it is let go. */
async function pull(page: Page, from: [number, number], by: [number, number]): Promise<void> {
  await page.mouse.move(...from);
  await nextFrame(page); // the handle sees the pointer
  await page.mouse.down();
  await page.mouse.move(from[0] + by[0] / 2, from[1] + by[1] / 2, { steps: 3 });
  await page.mouse.move(from[0] + by[0], from[1] + by[1], { steps: 3 });
}

test('the tool of an arm follows the arrow of the handle, and numbers as far as its joints let it', async ({ hello: { page } }) => {
  await select(page, 'arm', 'tool');
  const before = await readPlace(page);
  const handle = await lookAt(page, before, 'arm/tool');
  await page.keyboard.press('g');
  await pull(page, [handle.x, handle.y - kOnArrow * handle.half], [0, -60]); // the arrow of z, upwards
  await eventually(async () => (await readPlace(page))[2] - before[2]).toBeCloseTo(60 * handle.metresPerPixel, 2);
  await page.mouse.up();
  const [x, y] = await readPlace(page);
  expect(Math.hypot(x - before[0], y - before[1])).toBeLessThan(0.002);
  await tab(page, 'Joints');
  await expect(page.getByRole('textbox', { name: 'joint2 in deg' })).not.toHaveValue('28.65');

  await tab(page, 'Selection');
  await page.getByLabel('z in mm').fill('5 m');
  await page.keyboard.press('Enter');
  await expect(page.locator('.drag-note')).toContainText('behind');
});

test('a joint slides into its limit', async ({ hello: { page } }) => {
  await tab(page, 'Joints');
  const slider = page.getByRole('slider', { name: 'joint2', exact: true });
  await slider.focus();
  await page.keyboard.press('End');
  await expect(page.getByRole('textbox', { name: 'joint2 in deg' })).toHaveValue('110.00');
  await expect(page.locator('.at-limit')).toHaveCount(1);
  await leaveFields(page);
  await page.keyboard.press('Control+z');
  await expect(page.getByRole('textbox', { name: 'joint2 in deg' })).toHaveValue('28.65');

  await page.getByRole('button', { name: 'arm/ready' }).click();
  await page.getByLabel('Name for the present configuration').fill('my place');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'my place' })).toBeVisible(); // and stands in the task file
  await expect(page.locator('.toast.good')).toContainText('hello.yaml');
});

test('a loose part goes with the arrow and turns with the ring of its handle', async ({ workbench: { page } }) => {
  await part(page, 'block').click();
  await eventually(() => readPlace(page)).toEqual([0.3, 0, 0.5]);
  const handle = await lookAt(page, [0.3, 0, 0.5], 'block');
  await page.keyboard.press('g');
  await pull(page, [handle.x + kOnArrow * handle.half, handle.y], [80, 30]); // the arrow of x: only along it
  await eventually(async () => (await readPlace(page))[0]).toBeCloseTo(0.3 + 80 * handle.metresPerPixel, 3);
  await page.mouse.up();
  const [x, y, z] = await readPlace(page);
  expect([y, z]).toEqual([0, 0.5]);

  const { half, ...now } = await lookAt(page, [x, y, z], 'block');
  await page.keyboard.press('r');
  const onRing = (kOnRing * half) / Math.SQRT2;
  await pull(page, [now.x + onRing, now.y - onRing], [0, onRing]); // the ring about y, which faces us: an eighth
  await eventually(() => read(page, 'pitch in deg')).toBeCloseTo(45, 0);
  await page.mouse.up();
  expect(await readPlace(page)).toEqual([x, y, z]);
  await page.keyboard.press('Control+z');
  await eventually(() => read(page, 'pitch in deg')).toBe(0);
  await page.keyboard.press('Control+z');
  await eventually(() => readPlace(page)).toEqual([0.3, 0, 0.5]);
});

test('a ball joint turns by three sliders, up to its largest angle', async ({ workbench: { page } }) => {
  await tab(page, 'Joints');
  await expect(page.getByRole('button', { name: 'Place by pose' })).toHaveCount(1); // the loose part has no sliders
  const value = (axis: string) => page.getByRole('textbox', { name: `neck, ${axis} in deg` });
  await page.getByRole('slider', { name: 'neck, x' }).press('End');
  await expect(value('x')).toHaveValue('45.00');
  await expect(page.locator('.at-limit')).toHaveCount(3);
  await value('y').fill('27');
  await page.keyboard.press('Enter');
  await expect(value('x')).toHaveValue('36.00'); // gives way: 36, 27 and 45 make a right angle
  await expect(value('y')).toHaveValue('27.00');
  await tab(page, 'Selection');
  await select(page, 'lamp', 'head');
  await eventually(() => read(page, 'roll in deg')).toBeGreaterThan(25); // the engine turned it
});
