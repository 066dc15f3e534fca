import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import manifest from '#manifest' with { type: 'json' }
import { flagNames } from '#config/flags.ts'
import type { Guards, WebConfig } from '#platform/http/index.ts'

/** The built interface, and what its page knows before the first request. */
export function webConfig(guards: Guards): WebConfig {
  return {
    directory: join(dirname(fileURLToPath(import.meta.resolve('@millrace/web/package.json'))), 'dist'),
    boot: () => ({ version: manifest.version, flags: flagNames.filter((flag) => guards.flagEnabled(flag)) }),
  }
}
