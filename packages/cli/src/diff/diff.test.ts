import { expect, test } from 'vitest'
import { createFolder, runCli } from '#testing/cli.ts'

const before = 'document: { name: a }\ndo:\n  - fetch: { set: { a: 1 } }\n  - pay: { set: { b: 1 } } # a comment\n'
const after = 'do:\n  - pay: { set: { b: 2 } }\n  - last: { set: { c: 1 } }\ndocument: { name: b }\n'

test('two definitions are compared by their tasks; the exit code says whether they differ', async () => {
  await using folder = await createFolder({ 'a.yaml': before, 'b.yaml': after })
  const [a, b] = [folder.file('a.yaml'), folder.file('b.yaml')]
  expect(await runCli(['diff', a, b])).toEqual({
    exitCode: 1,
    stdout: '~ the document: document\n- fetch\n~ pay: set\n+ last\n',
    stderr: '',
  })
  expect(await runCli(['diff', a, '-'], { stdin: before })).toEqual({ exitCode: 0, stdout: '', stderr: '' })
  expect(JSON.parse((await runCli(['diff', '--json', a, b])).stdout)[1]).toEqual({ kind: 'removed', path: 'fetch', pointer: '/do/0/fetch' })
  expect(await runCli(['diff', a, '-'], { stdin: '- no' })).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('no mapping') })
})
