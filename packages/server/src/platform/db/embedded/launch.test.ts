import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { chooseLaunch, programEnvironment } from './launch.ts'

/** Any user but root. */
const unprivileged = { uid: 65_534, gid: 65_534 }
const isRoot = process.getuid?.() === 0
let directory = ''

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'millrace-launch-'))
  await writeFile(join(directory, 'file'), 'content', { mode: 0o644 })
})

afterEach(async () => {
  await rm(directory, { recursive: true })
})

async function run(launch: Awaited<ReturnType<typeof chooseLaunch>>, program: string, args: readonly string[]): Promise<string> {
  const [command, all] = launch.command(program, args)
  return (await promisify(execFile)(command, all, { ...launch.account, cwd: '/' })).stdout.trim()
}

test('a user other than root starts programs directly', async () => {
  const launch = await chooseLaunch(undefined, [directory])
  expect(launch.account).toBeUndefined()
  expect(launch.command('/bin/program', ['a'])).toEqual(['/bin/program', ['a']])
})

describe.runIf(isRoot)('as root', () => {
  test('root starts programs as the account, directly where the account can reach all paths', async () => {
    await chmod(directory, 0o755)
    const launch = await chooseLaunch(unprivileged, [directory])
    expect(launch.account).toEqual(unprivileged)
    expect(await run(launch, '/usr/bin/id', ['-u'])).toBe('65534')
  })

  test('root gives the account the one capability to pass a closed directory', async () => {
    await chmod(directory, 0o700)
    const launch = await chooseLaunch(unprivileged, [directory])
    expect(await run(launch, '/usr/bin/id', ['-u'])).toBe('65534')
    expect(await run(launch, '/bin/cat', [join(directory, 'file')])).toBe('content')
    const status = await run(launch, '/bin/cat', ['/proc/self/status'])
    expect(Number(/^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1]?.replaceAll('0', '').length)).toBe(1)
  })
})

test('PostgreSQL gets an environment of its own', () => {
  expect(Object.keys(programEnvironment()).toSorted((a, b) => a.localeCompare(b))).toEqual(['LC_ALL', 'LC_MESSAGES', 'PATH', 'TZ'])
})
