import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createFolder, runCli } from '#testing/cli.ts'

const head = "document: { dsl: '1.0.3', namespace: a, name: b, version: '1.0.0' }\n# kept\n"
const wrong = `${head}do:\n  - one: { wiat: PT1S }\n  - two: { set: { x: 1 }, colour: red }\n`

test('corrections are printed with the lines that they change; --write writes them, --all also what removes something', async () => {
  await using folder = await createFolder({ 'a.yaml': wrong })
  const a = folder.file('a.yaml')
  const shown = `${a}:4:12: Write wait (invalid_task)\n  -   - one: { wiat: PT1S }\n  +   - one: { wait: PT1S }\n`
  expect(await runCli(['fix', a])).toEqual({
    exitCode: 1,
    stdout: shown,
    stderr: 'Left: 1 error. "millrace validate" shows them.\n',
  })
  expect(await readFile(a, 'utf8')).toBe(wrong)
  expect(await runCli(['fix', '--write', '--all', a])).toMatchObject({ exitCode: 0, stderr: '' })
  expect(await readFile(a, 'utf8')).toBe(`${head}do:\n  - one: { wait: PT1S }\n  - two: { set: { x: 1 } }\n`)
  expect((await runCli(['fix', '-'], { stdin: wrong })).stdout).toBe(wrong.replace('wiat', 'wait'))
})
