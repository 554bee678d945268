#!/usr/bin/env node
// A picture of a .glb file, drawn by three in a Chromium without a window.
import { createReadStream } from 'node:fs';
import { access, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname, extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';

const USAGE = `usage: picture.mjs IN.glb OUT.png [options]
  --time S          the moment to draw (default 0, or the last of --times)
  --times S,S,...   moving bodies at these moments too, as see-through ghosts
  --view NAME       iso, front, back, left, right or top (default iso; front looks along +y)
  --size WxH        in pixels (default 1280x720)
  --background CSS  colour behind the scene (default #fbfcfd)
  --no-grid         no floor
  --no-edges        no lines along sharp edges
Chromium: the Debian package, or the program that CHROMIUM names. Needs Node 20 and \`npm ci\`.`;

const VIEWS = ['iso', 'front', 'back', 'left', 'right', 'top'];
const FLAGS = [
  '--no-sandbox', // Chromium refuses to run as root with it, as in containers
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

class UsageError extends Error {}

function parseSeconds(text) {
  const seconds = text.trim() === '' ? NaN : Number(text);
  if (!(seconds >= 0)) throw new UsageError(`'${text}' is no time in seconds`);
  return seconds;
}

function parseOptions(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      time: { type: 'string' },
      times: { type: 'string' },
      view: { type: 'string', default: 'iso' },
      size: { type: 'string', default: '1280x720' },
      background: { type: 'string', default: '#fbfcfd' },
      'no-grid': { type: 'boolean', default: false },
      'no-edges': { type: 'boolean', default: false },
    },
  });
  if (positionals.length !== 2) throw new UsageError('an input and an output file are needed');
  if (!VIEWS.includes(values.view)) throw new UsageError(`'${values.view}' is no view`);
  const size = /^([1-9]\d{0,3})x([1-9]\d{0,3})$/.exec(values.size);
  if (!size) throw new UsageError(`'${values.size}' is no size such as 1280x720`);
  const ghosts = values.times ? values.times.split(',').map(parseSeconds) : [];
  return {
    input: positionals[0],
    output: positionals[1],
    drawing: {
      time: values.time !== undefined ? parseSeconds(values.time) : (ghosts.at(-1) ?? 0),
      ghosts,
      view: values.view,
      width: Number(size[1]),
      height: Number(size[2]),
      background: values.background,
      grid: !values['no-grid'],
      edges: !values['no-edges'],
    },
  };
}

/** Serves this folder, three and the model to the page, on this machine only. */
async function serve(model) {
  const here = dirname(fileURLToPath(import.meta.url));
  const three = join(dirname(fileURLToPath(import.meta.resolve('three'))), '..');
  const types = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript' };
  const find = (path) => {
    if (path === '/model.glb') return model;
    if (path.startsWith('/picture/')) return join(here, path.slice('/picture/'.length));
    if (path.startsWith('/three/')) return join(three, path.slice('/three/'.length));
    return null;
  };
  const server = createServer((request, response) => {
    const file = find(normalize(new URL(request.url, 'http://localhost').pathname));
    const fail = () => response.writeHead(404).end();
    if (!file) return fail();
    const stream = createReadStream(file).on('error', fail);
    stream.on('open', () => {
      response.writeHead(200, { 'Content-Type': types[extname(file)] ?? 'application/octet-stream' });
      stream.pipe(response);
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { address: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

async function draw(model, drawing) {
  const server = await serve(model);
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: FLAGS,
  });
  try {
    const page = await browser.newPage();
    page.on('pageerror', (error) => console.error(error.message));
    page.on('console', (message) => message.type() === 'error' && console.error(message.text()));
    await page.goto(`${server.address}/picture/page.html`);
    await page.waitForFunction(() => window.draw !== undefined);
    const url = await page.evaluate((options) => window.draw(options), drawing);
    return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
  } finally {
    await browser.close();
    server.close();
  }
}

try {
  const { input, output, drawing } = parseOptions(process.argv.slice(2));
  await access(input);
  await writeFile(output, await draw(input, drawing));
} catch (error) {
  const is_usage = error instanceof UsageError || error.code?.startsWith('ERR_PARSE_ARGS');
  const [first_line] = error.message.split('\n'); // the rest is the browser's call stack
  console.error(is_usage ? `${error.message}\n${USAGE}` : `picture: ${first_line}`);
  process.exitCode = 1;
}
