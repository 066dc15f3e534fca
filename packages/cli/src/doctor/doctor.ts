import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Config } from '@millrace/server'
import { type ExitCode, exitCodes } from '#command/exit-code.ts'
import { Failure } from '#command/failure.ts'
import { withDatabase } from '#command/with-database.ts'
import { createPaint, type Paint } from '#terminal/paint.ts'
import { printable } from '#terminal/printable.ts'
import type { Terminal } from '#terminal/terminal.ts'
import { wrap } from '#terminal/wrap.ts'
import { type CheckState, fail, type Finding, ok } from './check.ts'
import { checkClock } from './check-clock.ts'
import { checkConfiguration } from './check-configuration.ts'
import { checkDatabase, type DatabaseFindings } from './check-database.ts'
import { checkDisk, readDiskSpace } from './check-disk.ts'
import { checkHome, nearestDirectory } from './check-home.ts'
import { checkNode } from './check-node.ts'
import { checkPort } from './check-port.ts'

export interface DoctorRequest {
  readonly home: string | undefined
  readonly json: boolean
}

/** Checks the installation; what it finds is the result. */
export async function doctor(request: DoctorRequest, terminal: Terminal): Promise<ExitCode> {
  const checks = await examine(request, terminal)
  const healthy = checks.every(({ state }) => state !== 'fail')
  terminal.stdout.write(request.json ? `${JSON.stringify({ healthy, checks }, null, 2)}\n` : listing(checks, createPaint(terminal.stdout)))
  return healthy ? exitCodes.ok : exitCodes.failed
}

async function examine({ home }: DoctorRequest, { now }: Terminal): Promise<readonly Finding[]> {
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
  const made = await stat(join(config.home, 'postgres', 'data', 'PG_VERSION')).catch(() => undefined)
  if (config.database.url === undefined && made === undefined) {
    return { findings: [ok('Database', 'the built-in PostgreSQL will be made at the first start.')], nowMs: undefined }
  }
  try {
    return await withDatabase(config, checkDatabase)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.message.startsWith('Millrace already runs'))
      return { findings: [ok('Database', `in use. ${error.message}`)], nowMs: undefined }
    return { findings: [fail('Database', error.message, 'See postgres/postgres.log under MILLRACE_HOME.')], nowMs: undefined }
  }
}

const marks: Readonly<Record<CheckState, readonly [string, keyof Paint]>> = {
  ok: ['✓ ok  ', 'green'],
  warn: ['! warn', 'yellow'],
  fail: ['✗ fail', 'red'],
}

const nameColumns = 18
const textColumns = 80 - nameColumns - 8

function listing(checks: readonly Finding[], paint: Paint): string {
  const blocks = checks.map(({ name, state, message, remedy }) => {
    const [mark, style] = marks[state]
    const lines = [...wrap(printable(message), textColumns), ...(remedy === undefined ? [] : wrap(`→ ${printable(remedy)}`, textColumns))]
    const indent = ' '.repeat(nameColumns + 8)
    return `${paint[style](mark)}  ${name.padEnd(nameColumns)}${lines.join(`\n${indent}`)}\n`
  })
  const count = (wanted: CheckState): number => checks.filter(({ state }) => state === wanted).length
  const [failed, warned] = [count('fail'), count('warn')]
  const total = failed + warned === 0 ? 'Everything is well.' : `${failed} failed, ${warned} ${warned === 1 ? 'warning' : 'warnings'}.`
  return `${blocks.join('')}\n${total}\n`
}
