import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createFolder, runCli } from '#testing/cli.ts'

const untidy = 'do:\n- one:\n      set: {a: 1} # kept\n'
const tidy = 'do:\n  - one:\n      set: { a: 1 } # kept\n'

test('files are formatted in place with their comments; --check writes nothing and lists them', async () => {
  await using folder = await createFolder({ 'a.yaml': untidy, 'b.yaml': tidy, 'c.yaml': 'do: [' })
  const [a, b, c] = [folder.file('a.yaml'), folder.file('b.yaml'), folder.file('c.yaml')]
  expect(await runCli(['fmt', '--check', a, b])).toEqual({ exitCode: 1, stdout: `${a}\n`, stderr: '' })
  expect(await runCli(['fmt', a, c])).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(`${c}:`) })
  expect(await readFile(a, 'utf8')).toBe(untidy)
  expect(await runCli(['fmt', a, b])).toEqual({ exitCode: 0, stdout: `${a}\n`, stderr: '' })
  expect(await readFile(a, 'utf8')).toBe(tidy)
  expect((await runCli(['fmt', '-'], { stdin: untidy })).stdout).toBe(tidy)
})
