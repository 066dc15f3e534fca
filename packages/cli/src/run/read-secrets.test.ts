import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { createFolder } from '#testing/cli.ts'
import { createMask } from './mask.ts'
import { readSecrets } from './read-secrets.ts'

const nothing = () => Readable.from([])

describe('secrets', () => {
  test('of the command line stand over those of the file', async () => {
    await using folder = await createFolder({ 'secrets.yaml': 'token: from-file\nuser: ada\n' })
    const secrets = await readSecrets({ secrets: ['token=a=b'], secretsFile: folder.file('secrets.yaml') }, nothing())
    expect(secrets).toEqual({ token: 'a=b', user: 'ada' })
  })

  test('are texts, whatever they look like', async () => {
    expect(await readSecrets({ secrets: ['pin=0042'], secretsFile: undefined }, nothing())).toEqual({ pin: '0042' })
  })

  test('given wrongly are not repeated in the message', async () => {
    const refused = readSecrets({ secrets: ['hunter2'], secretsFile: undefined }, nothing())
    await expect(refused).rejects.toThrow('--secret needs name=value')
    await expect(refused).rejects.not.toThrow('hunter2')
  })

  test('in a file have to have names', async () => {
    await using folder = await createFolder({ 'secrets.json': '["abc"]' })
    await expect(readSecrets({ secrets: [], secretsFile: folder.file('secrets.json') }, nothing())).rejects.toThrow(
      /an object of names and values/,
    )
  })
})

describe('a mask', () => {
  test('hides every secret text, as it is and as it stands in JSON, the longest first', () => {
    const mask = createMask({ token: 'abcd', longer: 'abcdef', nested: { key: 'with "quotes"' } })
    expect(mask('x abcdef y abcd')).toBe('x *** y ***')
    expect(mask(JSON.stringify({ key: 'with "quotes"' }))).toBe('{"key":"***"}')
  })

  test('leaves very short values alone, which would blot out everything', () => {
    expect(createMask({ pin: '1', flag: true, none: null })('1 true null')).toBe('1 true null')
  })
})
