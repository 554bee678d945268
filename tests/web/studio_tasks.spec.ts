// Every kind of task by its form: open, change one field, run. What is found, and why nothing is, in 3D (GX-3, GX-7).
import { expect, test, type Page } from '@playwright/test';
import { countPixels } from './png';
import { open, pictureOfView, tab } from './studio_page';
import { StudioServer } from './studio_server';

interface Kind { kind: string; task: string; field: string; value: string; sent: string }

const kKinds: Kind[] = [
  { kind: 'extract', task: 'tests/web/workbench/slot.yaml', field: 'samples', value: '10000', sent: '"samples":10000' },
  { kind: 'move', task: 'tests/web/workbench/carry.yaml', field: 'speed', value: '0.5', sent: '"speed":0.5' },
  { kind: 'roadmap', task: 'tests/web/workbench/map.yaml', field: 'samples', value: '60', sent: '"samples":60' },
  { kind: 'replay', task: 'scenes/hello.yaml', field: 'rate', value: '20', sent: '"rate":20' },
];

async function withStudio(page: Page, task: string, work: (server: StudioServer) => Promise<void>): Promise<void> {
  const server = new StudioServer(task);
  await server.prepare();
  try {
    await open(page, server.url, undefined, '.readout-line');
    await work(server);
  } finally {
    await page.goto('about:blank');
    await server.cleanUp();
  }
}

async function runTask(page: Page): Promise<void> {
  await tab(page, 'Tasks');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.locator('.job h2')).toHaveText(/: (done|failed)$/, { timeout: 60_000 });
}

for (const { kind, task, field, value, sent } of kKinds) {
  test(`${kind}: one field is changed, and the task runs`, async ({ page }) => {
    await withStudio(page, task, async (server) => {
      await tab(page, 'Tasks');
      await expect(page.getByLabel('Kind of task')).toHaveValue(kind);
      await page.locator('.form').getByLabel(new RegExp(`^${field}( \\(|$)`)).first().fill(value);
      await runTask(page);
      await expect(page.locator('.job')).not.toContainText('outside');
      await expect(page.locator('.job h2')).toHaveText(`${kind}: done`);
      const stored = await page.request.get(`${server.url}results/${kind}-1/task.yaml`);
      const text = (await stored.text()).replaceAll(' ', '');
      expect(text).toContain(sent);
      expect(text).not.toContain('direction');
    });
  });
}

test('a motion shows the space that it sweeps, and serves it', async ({ page }) => {
  await withStudio(page, 'tests/web/workbench/slot.yaml', async (server) => {
    await runTask(page);
    await page.getByRole('button', { name: 'Open its result' }).click();
    const toggle = page.getByRole('button', { name: 'Swept space' });
    await expect(toggle).toHaveAttribute('aria-pressed', 'true');
    const shown = await page.locator('.view-host').screenshot();
    await toggle.click();
    await expect.poll(async () => (await page.locator('.view-host').screenshot()).equals(shown)).toBe(false);
    const stl = await page.request.get(`${server.url}results/extract-1/swept.stl`);
    expect(stl.status()).toBe(200);
    const bytes = await stl.body();
    expect(bytes.length).toBe(84 + 50 * bytes.readUInt32LE(80));
  });
});

test('what blocks is seen in 3D, and nothing says that nothing is proven', async ({ page }) => {
  await withStudio(page, 'tests/web/workbench/sealed.yaml', async () => {
    await runTask(page);
    await page.getByRole('button', { name: 'Open its result' }).click();
    await expect(page.locator('.dock')).toContainText('Proven blocked');
    await expect(page.locator('.dock')).not.toContainText('nothing is proven');
    await expect(page.locator('.dock .moments')).toContainText('Encloses it');
    await page.locator('.dock .moments').getByRole('button', { name: /high/ }).click();
    await expect.poll(async () => countPixels(await pictureOfView(page), isSelected)).toBeGreaterThan(200);
    if (process.env.GESTE_SHOTS) await page.screenshot({ path: `${process.env.GESTE_SHOTS}/blocked.png` });
    await page.getByRole('button', { name: 'Back to live' }).click();
    await expect(page.locator('.dock .moments')).toHaveCount(0);
  });
});

const isSelected = ([r, , b]: readonly [number, number, number]): boolean => b > r + 40;
const isAlarm = ([r, g, b]: readonly [number, number, number]): boolean => r > g + 60 && r > b + 60;

test('clashes of an assembly are found, listed and gone through', async ({ page }) => {
  await withStudio(page, 'tests/web/workbench/assembly.yaml', async () => {
    await expect(page.locator('.readout-line')).toContainText('Clashes were not looked for.');
    await page.getByRole('button', { name: 'Check for clashes' }).click();
    await expect(page.locator('.readout-line')).toContainText('1 clash, 1 contact');
    await page.getByLabel('Tolerance in mm').fill('0.5');
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    const rows = page.locator('.clash-row');
    await expect(rows).toHaveCount(3);
    await expect(rows.nth(0)).toContainText('5.00 mm deep');
    await rows.nth(0).click();
    await expect.poll(async () => countPixels(await pictureOfView(page), isAlarm)).toBeGreaterThan(100);
    await expect.poll(async () => countPixels(await pictureOfView(page), isSelected)).toBeGreaterThan(100);
    if (process.env.GESTE_SHOTS) await page.screenshot({ path: `${process.env.GESTE_SHOTS}/clash.png` });
    await page.keyboard.press('ArrowDown');
    await expect(rows.nth(1)).toHaveAttribute('aria-current', 'true');
    await page.keyboard.press('Escape');
    await expect(rows.nth(1)).not.toHaveAttribute('aria-current', 'true');
  });
});
