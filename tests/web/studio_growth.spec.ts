// How a search is seen while it runs (GX-7, MV-5).
import { expect, test } from '@playwright/test';
import { countPixels, type Rgb } from './png';
import { eventually, open, pictureOfView, tab } from './studio_page';
import { StudioServer } from './studio_server';

const isAmber = ([r, g, b]: Rgb): boolean => r > b + 60 && g > b + 20;

test('a search grows before the eyes, and stops when told', async ({ page }) => {
  const server = new StudioServer('tests/web/workbench/gate.yaml');
  await server.prepare();
  await open(page, server.url);
  const amber = async (): Promise<number> => countPixels(await pictureOfView(page), isAmber);
  const before = await amber();
  await tab(page, 'Tasks');
  await page.getByRole('button', { name: 'Run' }).click();
  const drawn = page.locator('.job-growth');
  await expect(drawn).toHaveText(/^\d+ legs drawn$/);
  await eventually(async () => Number.parseInt(await drawn.innerText(), 10)).toBeGreaterThan(100);
  await eventually(amber).toBeGreaterThan(before + 200);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.locator('.job h2')).toHaveText('move: stopped');
  await eventually(amber).toBeLessThan(before + 20);
  await server.cleanUp();
});
