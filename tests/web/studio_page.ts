// What the flows do on the studio's page again and again.
import { expect, test as base, type Browser, type Page } from '@playwright/test';
import { readPng, type Picture } from './png';
import { kGuideKey, StudioServer } from './studio_server';

/** Of half the camera's opening. */
export const kSlope = Math.tan((20 * Math.PI) / 180);

/** A server and the page that guides it. */
export interface Studio { server: StudioServer; page: Page }

interface Shared { sharedHello: Studio; sharedWorkbench: Studio }
interface Fresh { hello: Studio; workbench: Studio }

/**
 * `hello` and `workbench` are studios on those scenes, as after the start. All tests share one of each: opening a page takes
 * longer than most of them. After a failure Playwright makes new ones by itself.
 */
export const test = base.extend<Fresh, Shared>({
  sharedHello: [({ browser }, use) => share(browser, 'scenes/hello.yaml', use), { scope: 'worker' }],
  sharedWorkbench: [({ browser }, use) => share(browser, 'tests/web/workbench/workbench.yaml', use), { scope: 'worker' }],
  hello: async ({ sharedHello }, use) => use(await calm(sharedHello)),
  workbench: async ({ sharedWorkbench }, use) => use(await calm(sharedWorkbench)),
});

async function share(browser: Browser, task: string, use: (studio: Studio) => Promise<void>): Promise<void> {
  const server = new StudioServer(task);
  await server.prepare();
  const { viewport, contextOptions } = base.info().project.use;
  const page = await browser.newPage({ viewport, ...contextOptions });
  await open(page, server.url);
  await use({ server, page });
  await page.close();
  await server.cleanUp();
}

/** No tool, no selection, nothing hidden, no result: whatever the test before left. */
async function calm(studio: Studio): Promise<Studio> {
  const { page, server } = studio;
  await server.reset();
  await page.keyboard.press('Escape'); // a dialog
  const back = page.getByRole('button', { name: 'Back to live' });
  if (await back.isVisible()) await back.click();
  await leaveFields(page);
  for (const key of ['Escape', 'Escape', 'Escape', 'Shift+H']) await page.keyboard.press(key);
  await tab(page, 'Selection');
  return studio;
}

/** Opens the studio and waits for its first state. What goes wrong on the page fails the test. */
export async function open(page: Page, address: string, key = kGuideKey, until = '.readout-line .pair'): Promise<void> {
  page.on('pageerror', (error) => { throw error; });
  await page.addInitScript((client) => {
    // Pages without an origin have no storage.
    if (location.protocol === 'http:') sessionStorage.setItem('geste.client', JSON.stringify(client));
  }, key);
  await page.goto(address);
  await page.locator(until).first().waitFor();
}

/** Looked at again and again, in shorter steps than Playwright takes by itself. */
export const eventually = <T>(look: () => Promise<T>) => expect.poll(look, { intervals: [50, 50, 100] });

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
  await page.locator('.timeline-now').waitFor();
}
