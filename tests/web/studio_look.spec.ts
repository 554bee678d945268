// Looking at a scene: finding, hiding, measuring, cutting open (GX-7, MV-10).
import { expect, type Page } from '@playwright/test';
import { countPixels, isNear, type Rgb } from './png';
import { eventually, leaveFields, middleOfView, nextFrame, part, pictureOfView, tab, test } from './studio_page';

test('search, pick, hide, isolate, undo', async ({ hello: { page } }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' }); // here the camera glides
  await page.keyboard.press('/');
  await page.keyboard.type('finger left');
  await expect(page.getByRole('treeitem')).toHaveCount(2); // the actor and its finger
  await page.keyboard.press('Escape');

  await part(page, 'table_left').click();
  await page.keyboard.press('f');
  await page.waitForTimeout(1000);
  await page.keyboard.press('Escape');
  await expect(part(page, 'table_left')).toHaveAttribute('aria-selected', 'false');
  await page.mouse.click(...await middleOfView(page));
  await expect(part(page, 'table_left')).toHaveAttribute('aria-selected', 'true');
  await expect(page.locator('.facts')).toContainText('table_left');

  await page.keyboard.press('h');
  await expect(page.locator('.tree-count')).toContainText('1 hidden');
  await page.keyboard.press('Control+z');
  await expect(page.locator('.tree-count')).not.toContainText('hidden');
  await page.keyboard.press('i');
  await expect(page.locator('.tree-count')).toContainText('15 hidden');
  await page.keyboard.press('Shift+H');
  await expect(page.locator('.tree-count')).not.toContainText('hidden');
  await page.emulateMedia({ reducedMotion: 'reduce' });
});

test('a measure is the engine\'s figure', async ({ hello: { page, server } }) => {
  const pickInMiddle = async (name: string): Promise<void> => {
    await page.keyboard.press('Shift+H');
    await part(page, name).click();
    await page.keyboard.press('i'); // alone, so that nothing stands before it
    await page.keyboard.press('f');
    await nextFrame(page);
    await page.mouse.click(...await middleOfView(page));
  };
  await page.keyboard.press('m');
  await pickInMiddle('table_left');
  await expect(page.locator('.tool-hint')).toContainText('second');
  await pickInMiddle('table_right');
  await tab(page, 'Selection');
  await expect(page.locator('.measures')).toContainText('parts');
  const answer = await server.ask({ do: 'distance', a: { body: 'table_left' }, b: { body: 'table_right' } });
  await expect(page.locator('.measures')).toContainText(`parts ${((answer.distance as number) * 1e3).toFixed(1)} mm`);
});

/** What the inside of parts is filled with where they are cut, in the light theme. */
const kCutColour: Rgb = [201, 138, 27];
const kSome = 20; // pixels at edges that happen to have it
const countCut = async (page: Page): Promise<number> =>
  countPixels(await pictureOfView(page), (colour) => isNear(colour, kCutColour, 2));

test('a section plane cuts parts open', async ({ hello: { page } }) => {
  await page.keyboard.press('1');
  await nextFrame(page);
  const whole = await pictureOfView(page);
  expect(await countCut(page)).toBeLessThan(kSome);
  await page.getByRole('button', { name: 'Section plane' }).click();
  await page.getByRole('button', { name: 'Cut along X' }).click();
  const place = page.getByRole('slider', { name: 'Place of the section plane' });
  await expect(page.locator('.section-readout')).toHaveText('X = 300.0 mm'); // the middle of the floor
  await eventually(() => countCut(page)).toBeGreaterThan(1000);

  await place.press('End'); // behind everything: nothing is cut away
  await eventually(() => countCut(page)).toBeLessThan(kSome);
  await page.getByRole('button', { name: 'Cut away the other side' }).click(); // now all of it is
  await leaveFields(page);
  await page.mouse.click(...await middleOfView(page));
  await expect(page.locator('[role=treeitem][aria-selected=true]')).toHaveCount(0); // and cannot be picked

  await page.getByRole('button', { name: 'Section plane' }).click();
  await page.getByRole('button', { name: 'Off' }).click();
  await leaveFields(page);
  const isChanged = (colour: Rgb, x: number, y: number): boolean => !isNear(colour, whole.at(x, y), 60);
  const most = 0.01 * whole.width * whole.height; // edges, which are smoother in one picture than in another
  await eventually(async () => countPixels(await pictureOfView(page), isChanged)).toBeLessThan(most);
});
