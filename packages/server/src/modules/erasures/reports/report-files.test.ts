import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toTypeId } from '#platform/ids.ts'
import type { ErasedFiles, NamedFile } from '#modules/erasures/form-files.ts'
import { needlesOf } from '#modules/erasures/needles.ts'
import { documentOf } from '#testing/definitions.ts'
import { createTestServer, type TestServer } from '#testing/server.ts'
import { addFiles, type FoundFiles, filesLines, type OpenFile, readFound } from './report-files.ts'
import { bagOf } from './testing/bag-of.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const { signal } = new AbortController()
const idOf = (number: number) => `018f0000-0000-7000-8000-00000000000${number}`
const named = (number: number, name: string) => ({ id: idOf(number), name })
const written = (number: number, name: string): NamedFile => ({ ...named(number, name), writtenBy: 'user:1' })
const nothing: FoundFiles = { matching: [], unreadable: [], unsearched: [] }

/** Files with their names as contents. */
const opening =
  (bytes: Readonly<Record<string, number>>): OpenFile =>
  (_, id) => {
    const size = bytes[id]
    return Promise.resolve(size === undefined ? undefined : { content: Readable.from([Buffer.from(`content of ${id}`)]), bytes: size })
  }

const add = (found: Partial<FoundFiles>, bytes: Readonly<Record<string, number>> = {}) => {
  const { bag, files } = bagOf()
  const request = { accountId: 'acct', openFile: opening(bytes), signal }
  return addFiles(bag, { ...nothing, ...found }, request).then((result) => ({ ...result, files }))
}

test('the contents of files are in the report under names that no file system reads otherwise', async () => {
  const names = ['forms/abc/letter.txt', '../../etc/passwd', 'a b\n"c".txt', 'رسالة.txt', '', 'page.HTML', 'drawing.svg']
  const matching = names.map((name, number) => ({ ...named(number, name), isOfForm: number === 0 }))
  const { added, review, files } = await add({ matching }, Object.fromEntries(matching.map(({ id }) => [id, 1])))
  expect(added.map(({ path }) => path)).toEqual([
    'files/1-letter.txt',
    'files/2-passwd',
    'files/3-a_b__c_.txt',
    'files/4-رسالة.txt',
    'files/5-',
    // In a browser they would run what is in them.
    'files/6-page.HTML.txt',
    'files/7-drawing.svg.txt',
  ])
  expect(files.get('files/1-letter.txt')?.toString()).toBe(`content of ${idOf(0)}`)
  expect(JSON.parse(files.get('records/attached-files.json')?.toString() ?? '')).toMatchObject([
    { id: toTypeId('file', idOf(0)), name: names[0], isOfForm: true },
    ...names.slice(1).map((name) => ({ name, isOfForm: false })),
  ])
  expect(review).toEqual([])
})

test('files beyond a gibibyte together are left out and named, and smaller ones still have room', async () => {
  const gib = 1024 ** 3
  const matching = [named(1, 'half'), named(2, 'large'), named(3, 'small')].map((file) => ({ ...file, isOfForm: false }))
  const { added, review } = await add({ matching }, { [idOf(1)]: gib / 2, [idOf(2)]: gib, [idOf(3)]: 1 })
  expect(added.map(({ name }) => name)).toEqual(['half', 'small'])
  expect(review).toEqual([{ kind: 'left_out', count: 1, files: [named(2, 'large')] }])
})

test('a file that was deleted in the meantime is not in the report', async () => {
  const { added, review, files } = await add({ matching: [{ ...named(1, 'gone'), isOfForm: true }] })
  expect([added, review, files.size]).toEqual([[], [], 0])
})

test('files that could not be searched are counted, and the first 20 are named', async () => {
  const unreadable = Array.from({ length: 25 }, (_, number) => named(number % 10, `photo-${number}.png`))
  const { review } = await add({ unreadable, unsearched: [named(1, 'huge.csv')] })
  expect(review).toEqual([
    { kind: 'unreadable', count: 25, files: unreadable.slice(0, 20) },
    { kind: 'too_large', count: 1, files: [named(1, 'huge.csv')] },
  ])
})

const value = 'Ambrose Frotz'

async function foundIn(accountId: string, files: Pick<ErasedFiles, 'search' | 'ofForm'>): Promise<FoundFiles> {
  const needles = needlesOf([value], idOf(9))
  return readFound(filesLines({ db: server.database.system, files, accountId, needles }, signal))
}

test('a file of a start form of the person is found once, whatever its content', async () => {
  const account = await server.registerAccount()
  const { id } = await account.client.workflows.create({ body: { definition: documentOf('do: [{ a: { set: { n: 1 } } }]') } })
  const folder = 'forms/abcdefghijklmnop'
  const input = { name: value, proof: `${folder}/proof.png`, letter: `${folder}/letter.txt` }
  await account.send('POST', `/api/v1/workflows/${id}/execute`, { input }, { prefer: 'wait=20' })
  const ofForm = [written(1, input.proof), written(2, input.letter)].map((file) => ({
    ...file,
    createdAt: new Date(),
    executionId: undefined,
  }))
  const asked: unknown[] = []
  const result = await foundIn(account.accountId, {
    ofForm: (_, __, name) => Promise.resolve(name === folder ? ofForm : []),
    search(accountId, sought) {
      asked.push(accountId, sought)
      return Promise.resolve({
        matching: [written(2, input.letter), written(3, 'notes.txt')],
        unreadable: [written(1, input.proof), written(4, 'other.png')],
        unsearched: [written(5, 'huge.csv')],
      })
    },
  })
  expect(result).toEqual({
    matching: [
      { ...named(1, input.proof), isOfForm: true },
      { ...named(2, input.letter), isOfForm: true },
      { ...named(3, 'notes.txt'), isOfForm: false },
    ],
    unreadable: [named(4, 'other.png')],
    unsearched: [named(5, 'huge.csv')],
  })
  expect(asked).toEqual([account.accountId, needlesOf([value], idOf(9))])
})
