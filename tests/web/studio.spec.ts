// What people do in the studio, in a real browser against the real engine (GX-7, MV-10).
import AxeBuilder from '@axe-core/playwright';
import { expect, test, type Browser, type Page } from '@playwright/test';
import { StudioServer } from './studio_server';

const server = new StudioServer();

test.beforeAll(() => server.prepare());
test.beforeEach(() => server.start());
test.afterEach(() => server.stop());
test.afterAll(() => server.cleanUp());

/** Opens the studio and waits for its first state. What goes wrong on the page fails the test. */
async function open(page: Page, hash = ''): Promise<void> {
  page.on('pageerror', (error) => { throw error; });
  await page.goto(server.url + hash);
  await expect(page.locator('.readout-line .pair').first()).toBeVisible();
}

const part = (page: Page, name: string) => page.getByRole('treeitem', { name, exact: true });
const tab = (page: Page, name: string) => page.getByRole('tab', { name }).click();
const leaveFields = (page: Page) => page.locator('h1').click();
const middleOfView = async (page: Page): Promise<[number, number]> => {
  const box = (await page.locator('.view-host canvas').boundingBox())!;
  return [box.x + box.width / 2, box.y + box.height / 2];
};

/** Runs the task of the file and opens its result. */
async function runAndOpen(page: Page): Promise<void> {
  await tab(page, 'Tasks');
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByRole('button', { name: 'Open its result' }).click();
  await expect(page.locator('.timeline-now')).toBeVisible();
}

test('search, pick, hide, isolate, undo', async ({ page }) => {
  await open(page);
  await page.keyboard.press('/');
  await page.keyboard.type('finger left');
  await expect(page.getByRole('treeitem')).toHaveCount(2); // the actor and its finger
  await page.keyboard.press('Escape');

  await part(page, 'table_left').click();
  await page.keyboard.press('f');
  await page.waitForTimeout(1000); // the camera glides there
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
});

test('a measure is the engine\'s figure', async ({ page }) => {
  await open(page);
  const pickInMiddle = async (name: string): Promise<void> => {
    await page.keyboard.press('Shift+H');
    await part(page, name).click();
    await page.keyboard.press('i'); // alone, so that nothing stands before it
    await page.keyboard.press('f');
    await page.waitForTimeout(1000);
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

test('a link follows the handle and the numbers, as far as its joints let it', async ({ page }) => {
  await open(page);
  await part(page, 'arm').click();
  await page.keyboard.press('ArrowRight');
  await part(page, 'link5').click();
  await tab(page, 'Selection');
  const read = async (name: string): Promise<number> => Number(await page.getByLabel(name).inputValue());
  const at = [await read('x in mm'), await read('y in mm'), await read('z in mm')].map((each) => each / 1e3);

  // Look straight at the link's frame: the handle is then in the middle of the view.
  await page.evaluate(([x, y, z]) => { location.hash = `camera=${x + 0.8},${y - 0.8},${z + 0.5},${x},${y},${z}&select=arm%2Flink5`; }, at);
  await page.waitForTimeout(500);
  await page.keyboard.press('g');
  const [x, y] = await middleOfView(page);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 30, y - 20, { steps: 5 });
  await page.mouse.move(x + 60, y - 40, { steps: 5 });
  await page.mouse.up();
  await expect.poll(async () => Math.abs(await read('z in mm') - at[2] * 1e3)).toBeGreaterThan(5);

  await page.getByLabel('z in mm').fill('5 m');
  await page.keyboard.press('Enter');
  await expect(page.locator('.drag-note')).toContainText('behind');
});

test('a joint slides into its limit', async ({ page }) => {
  await open(page);
  await tab(page, 'Joints');
  const slider = page.getByRole('slider', { name: 'joint2', exact: true });
  await slider.focus();
  await page.keyboard.press('End');
  await expect(page.getByRole('textbox', { name: 'joint2 in deg' })).toHaveValue('110.00');
  await expect(page.locator('.at-limit')).toHaveCount(1);
  await leaveFields(page);
  await page.keyboard.press('Control+z');
  await expect(page.getByRole('textbox', { name: 'joint2 in deg' })).toHaveValue('28.65');
});

test('a configuration is saved into the task file', async ({ page }) => {
  await open(page);
  await tab(page, 'Joints');
  await page.getByRole('button', { name: 'arm/ready' }).click();
  await page.getByLabel('Name for the present configuration').fill('my place');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'my place' })).toBeVisible();
  await expect(page.locator('.toast.good')).toContainText('hello.yaml');
});

test('run, play, scrub, compare, reload', async ({ page }) => {
  await open(page);
  await runAndOpen(page);
  await leaveFields(page);
  await page.keyboard.press('Space');
  await expect.poll(async () => Number(await page.locator('.timeline-now').innerText())).toBeGreaterThan(0.3);
  await page.keyboard.press('Space');
  await page.getByRole('slider', { name: 'Time' }).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await expect(page.locator('.timeline-now')).toHaveText('0.033');
  await expect(page.locator('.readout-line')).toContainText('table_right – cup');

  await part(page, 'cup').click();
  await page.waitForTimeout(600); // the address follows a little later
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

test('a task is cancelled', async ({ page }) => {
  await open(page);
  await tab(page, 'Tasks');
  await page.getByLabel('rate').fill('200000'); // a million frames to prove
  await page.getByRole('button', { name: 'Run' }).click();
  await expect(page.locator('.job')).toContainText('running');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.locator('.job')).toContainText('stopped');
});

async function openSecond(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await open(page);
  return page;
}

test('one guides, the other watches; control is handed over', async ({ page, browser }) => {
  await open(page);
  const other = await openSecond(browser);
  await expect(other.locator('.banner')).toContainText('guides');
  await tab(other, 'Joints');
  await expect(other.getByRole('slider', { name: 'joint1', exact: true })).toBeDisabled();

  await part(page, 'table_left').click();
  await expect(part(other, 'table_left')).toHaveAttribute('aria-selected', 'true'); // watchers follow

  await other.getByRole('button', { name: 'Ask for control' }).first().click();
  await page.locator('.toast').getByRole('button', { name: 'Hand over' }).click();
  await expect(other.locator('.banner')).toBeHidden();
  await expect(page.locator('.banner')).toContainText('guides');
  await other.getByRole('slider', { name: 'joint1', exact: true }).focus();
  await other.keyboard.press('End');
  await tab(page, 'Joints');
  await expect(page.getByRole('textbox', { name: 'joint1 in deg' })).toHaveValue('165.00');
  await other.context().close();
});

test('a killed server comes back, and the page with it', async ({ page }) => {
  await open(page);
  await server.stop('SIGKILL');
  await expect(page.locator('.banner')).toContainText('broke');
  await server.start();
  await expect(page.locator('.banner')).toBeHidden();
  await tab(page, 'Joints');
  await expect(page.getByRole('slider', { name: 'joint1', exact: true })).toBeEnabled();
});

for (const [width, height] of [[1280, 720], [768, 1024]]) {
  for (const colorScheme of ['dark', 'light'] as const) {
    test(`axe finds nothing at ${width}x${height}, ${colorScheme}`, async ({ page }) => {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      await open(page);
      await part(page, 'cup').click();
      const check = async (): Promise<void> => {
        expect((await new AxeBuilder({ page }).analyze()).violations.map((each) => each.id)).toEqual([]);
      };
      for (const name of ['Selection', 'Joints', 'Tasks']) {
        await tab(page, name);
        await check();
      }
      await runAndOpen(page);
      await page.getByRole('button', { name: 'Plots' }).click();
      await tab(page, 'Results');
      await check();
      await leaveFields(page);
      await page.keyboard.press('?');
      await check();
    });
  }
}
