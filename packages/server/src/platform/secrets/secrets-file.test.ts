import { chmod, mkdtemp, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newId, toTypeId } from '#platform/ids.ts'
import { noSecrets, type SecretValue } from './secret-store.ts'
import { openSecretsFile } from './secrets-file.ts'

const ada = newId()
const bob = newId()
let folder = ''
let path = ''
let warnings: string[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-secrets-'))
  path = join(folder, 'secrets.json')
  warnings = []
})
afterEach(() => rm(folder, { recursive: true }))

const textOf = (token: string) =>
  JSON.stringify({ [toTypeId('acct', ada)]: { token, other: 'other' }, [toTypeId('acct', bob)]: { key: 'key of bob' } })
const write = (text: string) => writeFile(path, text, { mode: 0o600 })
const unmaskableIn = (secret: SecretValue) => (typeof secret === 'string' && secret.length < 4 ? [''] : [])
const opened = () => openSecretsFile({ path, warn: (message) => void warnings.push(message), unmaskableIn })

test('an account reads its own secrets, and no others', async () => {
  await write(textOf('first'))
  const store = await opened()
  expect(await store.names(ada)).toEqual(new Set(['token', 'other']))
  expect(await store.read(ada, ['token', 'missing'])).toEqual({ token: 'first' })
  expect(await store.read(bob, ['token'])).toEqual({})
  expect(await store.names(newId())).toEqual(new Set())
  expect(await store.read(ada, ['__proto__', 'constructor'])).toEqual({})
  expect(warnings).toEqual([])
})

describe('a change is seen without a restart', () => {
  test('when the file is written again', async () => {
    await write(textOf('first'))
    const store = await opened()
    await write(textOf('second'))
    expect(await store.read(ada, ['token'])).toEqual({ token: 'second' })
  })

  test('when another file takes its place, of the same size and time', async () => {
    await write(textOf('first'))
    const store = await opened()
    const draft = join(folder, 'draft.json')
    await writeFile(draft, textOf('other'), { mode: 0o600 })
    for (const file of [path, draft]) await utimes(file, 1_700_000_000, 1_700_000_000)
    await rename(draft, path)
    expect(await store.read(ada, ['token'])).toEqual({ token: 'other' })
  })

  test('when a link is pointed elsewhere, as orchestrators do', async () => {
    const versions = [join(folder, 'v1.json'), join(folder, 'v2.json')] as const
    await writeFile(versions[0], textOf('first'), { mode: 0o600 })
    await writeFile(versions[1], textOf('second'), { mode: 0o600 })
    await symlink(versions[0], path)
    const store = await opened()
    await symlink(versions[1], `${path}.new`)
    await rename(`${path}.new`, path)
    expect(await store.read(ada, ['token'])).toEqual({ token: 'second' })
  })
})

describe('a file that is broken', () => {
  test.each([
    ['no JSON', '{ "token": hunter2 }', /secrets\.json cannot be used: it is not JSON: line 1, column \d+\./],
    ['of the wrong shape', '{ "token": "hunter2" }', /secrets\.json cannot be used: \/token: /],
  ])('a file at the start that is %s is an error with its name and position', async (_what, text, expected) => {
    await write(text)
    await expect(opened()).rejects.toThrow(expected)
    await expect(opened()).rejects.not.toThrow(/hunter2/)
  })

  test('a missing file at the start is an error with the correction', async () => {
    await expect(opened()).rejects.toThrow(/secrets\.json cannot be opened \(ENOENT\)\. Write the path/)
  })

  test('a huge file at the start is refused without being read', async () => {
    await write(' '.repeat(4 * 1024 * 1024 + 1))
    await expect(opened()).rejects.toThrow('4194304 are the most')
  })

  test('later keeps the last valid content in use, causes one warning, and is read again when it is corrected', async () => {
    await write(textOf('first'))
    const store = await opened()
    await write('{ "token": "hunter2" ')
    for (let count = 0; count < 3; count++) expect(await store.read(ada, ['token'])).toEqual({ token: 'first' })
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain('The last valid content stays in use')
    expect(warnings[0]).not.toContain('hunter2')
    await write(textOf('second'))
    expect(await store.read(ada, ['token'])).toEqual({ token: 'second' })
    await rm(path)
    expect(await store.read(ada, ['token'])).toEqual({ token: 'second' })
    expect(warnings).toHaveLength(2)
  })
})

test('a file that every user may read causes a warning', async () => {
  await write(textOf('first'))
  await chmod(path, 0o644)
  await opened()
  expect(warnings).toEqual([`The file of secrets ${path} is open to every user of this machine. Run: chmod o-rwx ${path}`])
})

test('secrets that are too short to be masked are warned of by their places', async () => {
  await write(JSON.stringify({ [toTypeId('acct', ada)]: { pin: '123', token: 'hunter2' } }))
  await opened()
  const account = toTypeId('acct', ada)
  expect(warnings).toEqual([`Texts in the file of secrets ${path} are too short to be masked in the journal and in logs: /${account}/pin`])
})

test('without a file no account has secrets', async () => {
  expect([await noSecrets.names(ada), await noSecrets.read(ada, ['token'])]).toEqual([new Set(), {}])
})
