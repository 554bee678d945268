// Several people, and a server that goes away (GX-7).
import { expect, test, type Browser, type Page } from '@playwright/test';
import { open, part, tab } from './studio_page';
import { StudioServer } from './studio_server';

const server = new StudioServer(); // of its own: it is killed here

test.beforeAll(() => server.prepare());
test.afterAll(() => server.cleanUp());

test('a killed server comes back, and the page with it', async ({ page }) => {
  await open(page, server.url);
  await server.stop();
  await expect(page.locator('.banner')).toContainText('broke');
  await server.start();
  await expect(page.locator('.banner')).toBeHidden();
  await tab(page, 'Joints');
  await expect(page.getByRole('slider', { name: 'joint1', exact: true })).toBeEnabled();
});

async function openSecond(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await open(page, server.url, 'flow-second');
  return page;
}

// The last one here: the second person keeps the seat for some seconds after leaving.
test('one guides, the other watches; control is handed over', async ({ page, browser }) => {
  await open(page, server.url);
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

  expect(await server.stop('SIGINT')).toBe(0); // as by Ctrl-C
  await expect(page.locator('.banner')).toContainText('broke');
});
