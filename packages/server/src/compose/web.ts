import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import manifest from '#manifest' with { type: 'json' }
import { flagNames } from '#config/flags.ts'
import type { Guards, WebConfig } from '#platform/http/index.ts'

const directory = join(dirname(fileURLToPath(import.meta.resolve('@millrace/web/package.json'))), 'dist')

/** Whether the interface is built now. */
export function webBuilt(): boolean {
  return existsSync(join(directory, 'index.html'))
}

/** The built interface, and what its page knows before the first request. */
export function webConfig(guards: Guards): WebConfig {
  return {
    directory,
    boot: () => ({ version: manifest.version, flags: flagNames.filter((flag) => guards.flagEnabled(flag)) }),
  }
}
