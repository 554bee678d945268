// node validate.mjs FILE...: the Khronos validator; any error or warning fails.
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import validator from 'gltf-validator';

const ERROR = 0;
const WARNING = 1;

/** The validator's report, with `faults`: its errors and warnings, one line each. */
export async function validate(bytes) {
  const report = await validator.validateBytes(new Uint8Array(bytes), { maxIssues: 0 });
  const faults = report.issues.messages
    .filter((issue) => issue.severity === ERROR || issue.severity === WARNING)
    .map((issue) => `${issue.code} at ${issue.pointer ?? `byte ${issue.offset}`}: ${issue.message}`);
  return { ...report, faults };
}

async function main(files) {
  if (files.length === 0) throw new Error('usage: node validate.mjs FILE...');
  let failed = false;
  for (const file of files) {
    const { faults, info } = await validate(await readFile(file));
    failed ||= faults.length > 0;
    for (const fault of faults) console.error(`${file}: ${fault}`);
    if (faults.length === 0) {
      console.log(`${file}: valid, ${info.totalTriangleCount} triangles, ${info.animationCount} animations`);
    }
  }
  process.exitCode = failed ? 1 : 0;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await main(process.argv.slice(2));
