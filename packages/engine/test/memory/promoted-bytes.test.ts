import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const script = fileURLToPath(new URL('./promoted-bytes.ts', import.meta.url))
// An execution that V8 keeps until the next major garbage collection has 5 to 15 KB.
const bytesMax = 1_500

test('an execution leaves nothing of itself in the old generation of the heap', async () => {
  const flags = ['--expose-gc', '--initial-old-space-size=2000']
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, script], { timeout: 180_000 })
  const bytes = Object.fromEntries([...stdout.matchAll(/^(\w+) (-?\d+)$/gm)].map(([, name, value]) => [name, Number(value)]))
  expect(Object.keys(bytes)).toEqual(['sets', 'effects'])
  for (const value of Object.values(bytes)) expect(value).toBeLessThan(bytesMax)
})
