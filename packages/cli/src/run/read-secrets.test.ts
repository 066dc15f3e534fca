import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { createFolder } from '#testing/cli.ts'
import { readSecrets, warningOfUnmasked } from './read-secrets.ts'

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

describe('a secret that is too short to be masked', () => {
  test('a secret that is too short to be masked is named in a warning', () => {
    expect(warningOfUnmasked({ pin: 'abc', login: { user: 'ada', password: 'hunter2' } })).toBe(
      'secrets of fewer than 4 characters are not masked in the printed text: /pin, /login/user',
    )
  })

  test('is the only reason for a warning', () => {
    expect(warningOfUnmasked({ token: 'abcd', flag: true, none: null })).toBeUndefined()
  })
})
