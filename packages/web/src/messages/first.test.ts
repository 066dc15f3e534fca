import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { first } from './en/first.ts'

const src = join(import.meta.dirname, '..')

test('what loads before the texts of all pages reads only the first texts', async () => {
  const routes = await readFile(join(src, 'pages/session/routes.ts'), 'utf8')
  const [, pages = ''] = /firstPages.*?= \[(.*?)\n\]/s.exec(routes) ?? []
  const begin = [...pages.matchAll(/import\('#src\/([^']+)'\)/g)].map(([, path = '']) => path)
  expect(begin).toContain('pages/session/sign-in.tsx')
  const read = new Map<string, string>()
  const visit = async (path: string): Promise<void> => {
    if (read.has(path) || path.endsWith('.css')) return
    const text = await readFile(join(src, path), 'utf8')
    read.set(path, text)
    const imports = [...text.matchAll(/^(?:import (?!type )[^;]*?from|import|\} from) '#src\/([^']+)'/gm)]
    await Promise.all(imports.map(([, next = '']) => visit(next)))
  }
  await Promise.all(['main.tsx', 'app/start.tsx', 'app/unframed.tsx', ...begin].map(visit))
  expect([...read.keys()]).toContain('forms/data-form.tsx')
  const missing = [...read].flatMap(([path, text]) =>
    [...text.matchAll(/\bm\.([a-zA-Z]+)/g)].flatMap(([, area = '']) => (area in first ? [] : [`${path}: m.${area}`])),
  )
  expect(missing).toEqual([])
})
