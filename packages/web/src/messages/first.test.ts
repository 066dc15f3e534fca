import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { first } from './en/first.ts'

const src = join(import.meta.dirname, '..')

test('what loads before the texts of all pages reads only the first texts', async () => {
  const missing = [...(await firstModules())].flatMap(([path, text]) =>
    [...text.matchAll(/\bm\.([a-zA-Z]+)/g)].flatMap(([, area = '']) => (area in first ? [] : [`${path}: m.${area}`])),
  )
  expect(missing).toEqual([])
})

test('what loads before the styles of all pages has its styles', async () => {
  const modules = await firstModules()
  const names = (await readdir(join(src, 'styles'))).map((name) => `styles/${name}`)
  const styled = await classesIn(names)
  const loaded = await classesIn([...modules.keys()].filter((path) => path.endsWith('.css')))
  const missing = [...modules].flatMap(([path, text]) =>
    [...text.matchAll(/className="([^"]+)"/g)]
      .flatMap(([, value = '']) => value.split(' '))
      .flatMap((name) => (styled.has(name) && !loaded.has(name) ? [`${path}: ${name}`] : [])),
  )
  expect(missing).toEqual([])
})

async function classesIn(names: readonly string[]): Promise<ReadonlySet<string>> {
  const texts = await Promise.all(names.map((name) => readFile(join(src, name), 'utf8')))
  return new Set(texts.flatMap((text) => [...text.matchAll(/\.([a-z][\w-]*)/g)].map(([, name = '']) => name)))
}

/** The modules that a page without a session begins with, by path. */
async function firstModules(): Promise<ReadonlyMap<string, string>> {
  const routes = await readFile(join(src, 'pages/session/routes.ts'), 'utf8')
  const [, pages = ''] = /firstPages.*?= \[(.*?)\n\]/s.exec(routes) ?? []
  const begin = [...pages.matchAll(/import\('#src\/([^']+)'\)/g)].map(([, path = '']) => path)
  expect(begin).toContain('pages/session/sign-in.tsx')
  const read = new Map<string, string>()
  const visit = async (path: string): Promise<void> => {
    if (read.has(path)) return
    const text = await readFile(join(src, path), 'utf8')
    read.set(path, text)
    if (path.endsWith('.css')) return
    const imports = [...text.matchAll(/^(?:import(?! type)(?: [^;']*? from)?|\} from) '#src\/([^']+)'/gm)]
    await Promise.all(imports.map(([, next = '']) => visit(next)))
  }
  await Promise.all(['main.tsx', 'app/start.tsx', ...begin].map(visit))
  expect([...read.keys()]).toContain('forms/data-form.tsx')
  return read
}
