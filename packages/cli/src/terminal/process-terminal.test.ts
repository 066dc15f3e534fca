import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createFolder, startCli } from '#testing/cli.ts'
import { definition } from '#testing/definitions.ts'

const main = fileURLToPath(new URL('../main.ts', import.meta.url))

test('a closed pipe ends the command silently', async () => {
  const text = definition("- big:\n    set: { items: '${ [range(100000) | tostring] }' }")
  await using folder = await createFolder({ 'big.yaml': text })
  const child = spawn(process.execPath, [main, 'run', '-q', folder.file('big.yaml')], {
    env: { PATH: process.env.PATH ?? '' },
    stdio: 'pipe',
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (part: string) => (stderr += part))
  child.stdout.once('data', () => child.stdout.destroy())
  const code = await new Promise((resolve) => child.once('close', resolve))
  expect(stderr).toBe('')
  expect(code).toBe(0)
})

test('SIGTERM cancels a run like Ctrl-C', async () => {
  await using folder = await createFolder({ 'long.yaml': definition('- rest: { wait: PT1H }') })
  await using cli = startCli(['run', folder.file('long.yaml')])
  await cli.waitFor(/▸ rest/)
  cli.kill('SIGTERM')
  const { exitCode, stderr } = await cli.end
  expect(exitCode).toBe(130)
  expect(stderr).toContain('■ cancelled')
})
