// What axe finds wrong on a page.
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';

// The axe that comes with @axe-core/playwright, whose own builder sends it to the page anew for every look at it.
const require = createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright'));
const { source } = require('axe-core') as { source: string };

interface Violation { id: string; nodes: { html: string }[] }
interface Axe { run(context: string | Document, options: object): Promise<{ violations: Violation[] }> }
type AxeWindow = Window & { axe?: Axe };

/** Of the whole page, or of one part of it where the rest was judged before. */
async function findFaults(page: Page, part: string | null, options: object): Promise<string[]> {
  if (await page.evaluate(() => (window as AxeWindow).axe === undefined)) await page.evaluate(source);
  const violations = await page.evaluate(async ([where, how]) => {
    const found = await (window as AxeWindow).axe!.run(where ?? document, how);
    return found.violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => ({ html })) }));
  }, [part, { resultTypes: ['violations'], ...options }] as const);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`);
}

/** Themes differ in nothing but colours: who has looked for everything in one looks only for those in the other. */
export const kColours = { runOnly: ['color-contrast', 'link-in-text-block'] };

export async function expectAccessible(page: Page, part: string | null = null, options = {}): Promise<void> {
  expect(await findFaults(page, part, options)).toEqual([]);
}
