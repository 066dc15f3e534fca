import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compile } from '@millrace/jq'
import { expect, test } from 'vitest'
import { anchorsOf, linksOf } from './links.ts'
import { buildSite } from './build-site.ts'
import { pagesOf } from './pages.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const pages = pagesOf(root)

test('every link of the documentation leads to a file and a heading that exist', () => {
  const broken = pages.flatMap((page) =>
    linksOf(read(page)).flatMap((link) => {
      const [path = '', anchor] = link.split('#')
      const target = path === '' ? page : join(dirname(page), decodeURI(path))
      if (!existsSync(join(root, target))) return [`${page}: ${link}`]
      return anchor === undefined || !target.endsWith('.md') || anchorsOf(read(target)).has(anchor) ? [] : [`${page}: ${link}`]
    }),
  )
  expect(broken).toEqual([])
  expect(pages.length).toBeGreaterThan(30)
})

test('the site has a page for every document, and its links lead to files', async () => {
  const site = await buildSite(root)
  const texts = [...site].flatMap(([path, html]) =>
    [...html.matchAll(/href="(?![a-z]+:)([^"#]+)[^"]*"/g)].map(([, link = '']) => ({ path, link })),
  )
  expect(texts.filter(({ path, link }) => !site.has(join(dirname(path), decodeURI(link)))).slice(0, 5)).toEqual([])
  expect(site.get('docs/index.html')).toContain('<h1 id="millrace-documentation">')
  expect(site.get('docs/jq.html')).not.toMatch(/src="|<script/)
})

const rows = [...read('docs/jq.md').matchAll(/^\| `([^`]+)` \| `([^`]+)` \| `([^`]+)` \|$/gm)].map(
  ([, data = '', expression = '', result = '']) => ({
    data: data.replaceAll('\\|', '|'),
    expression: expression.replaceAll('\\|', '|'),
    result,
  }),
)

test.each(rows)('docs/jq.md: $expression on $data', ({ data, expression, result }) => {
  expect([...compile(expression).run(JSON.parse(data))]).toEqual([JSON.parse(result)])
})

test('the tables of docs/jq.md are found', () => {
  expect(rows.length).toBeGreaterThan(30)
})
