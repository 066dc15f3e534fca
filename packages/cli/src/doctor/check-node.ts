import { compareVersions } from '#definitions/compare-versions.ts'
import { fail, type Finding, ok } from './check.ts'

/** The first version that runs TypeScript sources without a flag. */
const versionMin = '22.18.0'

/** @param version such as `24.21.0`. */
export function checkNode(version: string): Finding {
  if (compareVersions(version, versionMin) >= 0) return ok('Node.js', `version ${version}`)
  return fail(
    'Node.js',
    `version ${version} is too old; Millrace needs ${versionMin} or newer.`,
    'Install a newer Node.js, or start by "npm start", which brings its own.',
  )
}
