// Flows in Debian's Chromium. GESTE names the program; the drawing is done in software, as on machines without a GPU.
import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  workers: 1, // one browser and one engine at a time: the flows wait for both
  timeout: 120_000,
  expect: { timeout: 20_000 },
  outputDir: '../../build/flows',
  reporter: 'list',
  use: {
    viewport: { width: 1120, height: 640 }, // not larger than needed: drawing is what takes the time
    contextOptions: { reducedMotion: 'reduce' }, // the camera need not be waited for
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      // Only the 3D by the graphics that the processor plays; the page around it is put together twice as fast without.
      args: ['--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-gpu-compositing'],
    },
  },
});
