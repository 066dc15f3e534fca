import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { generate } from './generate.ts'

// "npm run generate" writes schema.sql, rows.ts and connector-functions.jsonl; with --check it changes nothing and fails when they are not what migrations and connectors make.
const root = fileURLToPath(new URL('../../../', import.meta.url))
const check = process.argv.includes('--check')
const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome')

const stale: string[] = []
for (const [path, text] of Object.entries(await generate())) {
  const file = join(root, path)
  const wanted = path.endsWith('.ts') ? await format(file, text) : text
  if ((await readFile(file, 'utf8').catch(() => undefined)) === wanted) continue
  if (check) stale.push(path)
  else await writeFile(file, wanted)
}
if (stale.length > 0) {
  process.stderr.write(
    `packages/server/${stale.join(' and ')} do not match the migrations or the connectors. Run "npm run generate" and commit the result.\n`,
  )
  process.exitCode = 1
}

async function format(file: string, text: string): Promise<string> {
  const child = promisify(execFile)(process.execPath, [biome, 'format', `--stdin-file-path=${file}`])
  child.child.stdin?.end(text)
  return (await child).stdout
}
