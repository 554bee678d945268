import { defineConfig } from 'vitest/config';

// Packages may lie outside of this folder (or behind a link): the tests may read them there.
export default defineConfig({ server: { fs: { strict: false } } });
