// node build.mjs OUT: makes the pages that geste carries in itself. report.html is one file with everything in it;
// the studio is studio.html with studio.js and studio.css beside it.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = path.dirname(fileURLToPath(import.meta.url));
const out = path.resolve(process.argv[2] ?? path.join(root, 'dist'));

async function makePage(name) {
  const folder = path.join(out, `.${name}`);
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    base: './',
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: 'es2022',
      assetsInlineLimit: 1 << 20,
      cssCodeSplit: false,
      modulePreload: false,
      chunkSizeWarningLimit: 4096,
      rollupOptions: {
        input: path.join(root, `${name}.html`),
        output: {
          inlineDynamicImports: true,
          entryFileNames: `${name}.js`,
          assetFileNames: `${name}[extname]`,
        },
      },
    },
  });
  const read = (extension) => readFile(path.join(folder, `${name}.${extension}`), 'utf8');
  const files = { html: await read('html'), js: await read('js'), css: await read('css') };
  await rm(folder, { recursive: true });
  return files;
}

/** Script and style move into the page; what could end them early is escaped. */
function inline({ html, js, css }, name) {
  const script = js.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
  return html
    .replace(new RegExp(`<script[^>]*src="[^"]*${name}\\.js"[^>]*></script>`), '')
    .replace(new RegExp(`<link[^>]*href="[^"]*${name}\\.css"[^>]*>`), () => `<style>${css}</style>`)
    .replace('</body>', () => `<script type="module">${script}</script>\n</body>`);
}

await mkdir(out, { recursive: true });
const report = await makePage('report');
await writeFile(path.join(out, 'report.html'), inline(report, 'report'));
const studio = await makePage('studio');
for (const [extension, text] of Object.entries(studio)) {
  await writeFile(path.join(out, `studio.${extension}`), text);
}
