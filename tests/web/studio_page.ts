// What the flows do on the studio's page again and again.
import { expect, test, type Page } from '@playwright/test';
import { readPng, type Picture } from './png';
import { kGuideKey, StudioServer } from './studio_server';

/** Of half the camera's opening. */
export const kSlope = Math.tan((20 * Math.PI) / 180);

/** One server for all tests of a file, each of which finds it as after the start. */
export function serveStudio(task?: string): StudioServer {
  const server = new StudioServer(task);
  test.beforeAll(() => server.prepare());
  test.beforeEach(() => server.reset());
  test.afterAll(() => server.cleanUp());
  return server;
}

/** Opens the studio and waits for its first state. What goes wrong on the page fails the test. */
export async function open(page: Page, address: string, key = kGuideKey): Promise<void> {
  page.on('pageerror', (error) => { throw error; });
  await page.addInitScript((client) => sessionStorage.setItem('geste.client', JSON.stringify(client)), key);
  await page.goto(address);
  await expect(page.locator('.readout-line .pair').first()).toBeVisible();
}

export const part = (page: Page, name: string) => page.getByRole('treeitem', { name, exact: true });
export const tab = (page: Page, name: string) => page.getByRole('tab', { name }).click();
export const leaveFields = (page: Page) => page.locator('h1').click();

/** When the page has drawn what was asked for so far. */
export const nextFrame = (page: Page): Promise<void> => page.evaluate(() =>
  new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))));

export async function middleOfView(page: Page): Promise<[number, number]> {
  const box = (await page.locator('.view-host canvas').boundingBox())!;
  return [box.x + box.width / 2, box.y + box.height / 2];
}

export async function pictureOfView(page: Page): Promise<Picture> {
  return readPng(await page.locator('.view-host').screenshot());
}

/** A number of the panel, in the unit it is shown in. */
export const read = async (page: Page, label: string): Promise<number> => Number(await page.getByLabel(label).inputValue());

/** Of the selected part, in m. */
export async function readPlace(page: Page): Promise<number[]> {
  return [await read(page, 'x in mm'), await read(page, 'y in mm'), await read(page, 'z in mm')].map((each) => each / 1e3);
}

/** Runs the task of the file and opens its result. */
export async function runAndOpen(page: Page): Promise<void> {
  await tab(page, 'Tasks');
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByRole('button', { name: 'Open its result' }).click();
  await expect(page.locator('.timeline-now')).toBeVisible();
}
