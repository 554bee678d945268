// The studio for those who cannot see it well, or use no mouse (GX-7).
import { expect, test, type Page } from '@playwright/test';
import { expectAccessible, kColours } from './axe';
import { leaveFields, open, part, runAndOpen, serveStudio, tab } from './studio_page';

const server = serveStudio();

async function judgePanels(page: Page, options = {}): Promise<void> {
  await tab(page, 'Selection');
  await expect(page.locator('.facts-table')).toBeVisible();
  await expectAccessible(page, null, options);
  for (const name of ['Joints', 'Tasks']) {
    await tab(page, name);
    await expectAccessible(page, '.side.right', options);
  }
}

async function judgeResult(page: Page, options = {}): Promise<void> {
  await tab(page, 'Results');
  await expectAccessible(page, null, options);
  await leaveFields(page);
  await page.keyboard.press('?');
  await expectAccessible(page, 'dialog', options);
  await page.keyboard.press('Escape');
}

for (const [width, height] of [[1280, 720], [768, 1024]]) {
  test(`axe finds nothing at ${width}x${height}, dark and light, and nothing sticks out`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: 'dark' });
    await open(page, server.url);
    await part(page, 'cup').click();
    await judgePanels(page);
    await runAndOpen(page);
    await page.getByRole('button', { name: 'Plots' }).click();
    await judgeResult(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    await page.emulateMedia({ colorScheme: 'light' });
    await judgeResult(page, kColours);
    await page.getByRole('button', { name: 'Back to live' }).click();
    await judgePanels(page, kColours);
  });
}
