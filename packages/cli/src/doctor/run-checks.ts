import { resolve } from 'node:path'
import type { Config } from '@millrace/server'
import { Failure } from '#command/failure.ts'
import { hasDatabase, withDatabase } from '#command/with-database.ts'
import { checkClock } from './check-clock.ts'
import { checkConfiguration } from './check-configuration.ts'
import { checkDatabase, type DatabaseFindings } from './check-database.ts'
import { checkDisk, readDiskSpace } from './check-disk.ts'
import { checkHome, nearestDirectory } from './check-home.ts'
import { checkNode } from './check-node.ts'
import { checkPort } from './check-port.ts'
import { fail, type Finding, ok } from './check.ts'

/** Makes every check that the configuration allows, one after another where they would meet. */
export async function runChecks(home: string | undefined, now: () => number): Promise<readonly Finding[]> {
  const { config, findings } = checkConfiguration()
  const first = [checkNode(process.versions.node), ...findings]
  // Without a configuration it is not known which directory, port and database are meant.
  if (config === undefined) return first
  const meant = home === undefined ? config : { ...config, home: resolve(home) }
  const directory = await nearestDirectory(meant.home)
  const [homeFinding, disk, port] = await Promise.all([checkHome(meant.home), readDiskSpace(directory), checkPort(meant.http)])
  const database = homeFinding.state === 'fail' && meant.database.url === undefined ? nothing : await examineDatabase(meant)
  return [...first, homeFinding, checkDisk(disk, directory), port, ...database.findings, checkClock(now(), database.nowMs)]
}

const nothing: DatabaseFindings = { findings: [], nowMs: undefined }

async function examineDatabase(config: Config): Promise<DatabaseFindings> {
  if (!(await hasDatabase(config))) {
    return { findings: [ok('Database', 'the built-in PostgreSQL will be made at the first start.')], nowMs: undefined }
  }
  try {
    return await withDatabase(config, (reached) => checkDatabase(reached, config))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.message.startsWith('Millrace already runs'))
      return { findings: [ok('Database', `in use. ${error.message}`)], nowMs: undefined }
    return { findings: [fail('Database', error.message, 'See postgres/postgres.log under MILLRACE_HOME.')], nowMs: undefined }
  }
}
