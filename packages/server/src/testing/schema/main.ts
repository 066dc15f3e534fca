import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { readMigrations } from '#compose/migrations.ts'
import { generate } from './generate.ts'
import { recordChecksums } from './record-checksums.ts'

// "npm run generate" writes schema.sql, rows.ts, connector-functions.jsonl and migrations.sha256; with --check it changes nothing and fails when they are not what migrations and connectors make.
const root = fileURLToPath(new URL('../../../', import.meta.url))
const check = process.argv.includes('--check')
const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome')

const checksums = 'migrations.sha256'
const recorded = await readFile(join(root, checksums), 'utf8').catch(() => '')
const files = { [checksums]: recordChecksums(recorded, await readMigrations()), ...(await generate()) }
const stale: string[] = []
for (const [path, text] of Object.entries(files)) {
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
