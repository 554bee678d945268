// The studio for those who cannot see it well, or use no mouse (GX-7).
import { expect, type Page } from '@playwright/test';
import { expectAccessible, kColours } from './axe';
import { leaveFields, part, runAndOpen, tab, test } from './studio_page';

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
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await leaveFields(page);
  await page.keyboard.press('?');
  await expectAccessible(page, 'dialog', options);
  await page.keyboard.press('Escape');
}

test('axe finds nothing, dark and light, on a wide page and an upright one, and nothing sticks out', async ({ hello: { page } }) => {
  const usual = page.viewportSize()!;
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await part(page, 'cup').click();
  await judgePanels(page);
  await runAndOpen(page);
  await page.getByRole('button', { name: 'Plots' }).click();
  await judgeResult(page);
  await page.emulateMedia({ colorScheme: 'light' });
  await judgeResult(page, kColours);
  await page.getByRole('button', { name: 'Back to live' }).click();
  await judgePanels(page, kColours);

  await page.setViewportSize({ width: 768, height: 1024 });
  await judgePanels(page);
  await page.getByRole('button', { name: 'Open its result' }).click();
  await judgeResult(page);
  await page.getByRole('button', { name: 'Plots' }).click();
  await page.setViewportSize(usual);
});
