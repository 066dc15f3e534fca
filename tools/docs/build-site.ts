import { readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { Marked } from 'marked'
import { anchorOf } from './links.ts'
import { pagesOf } from './pages.ts'
import { style } from './style.ts'

/** Where the repository is published, for links to sources; without it they are plain text. */
export interface SiteOptions {
  readonly sourceUrl?: string | undefined
}

/** Makes the documentation as HTML files by path. Everything is in the files: the site makes no request to other servers. */
export async function buildSite(root: string, { sourceUrl }: SiteOptions = {}): Promise<ReadonlyMap<string, string>> {
  const pages = pagesOf(root)
  const known = new Set(pages)
  const texts = await Promise.all(pages.map((page) => readFile(join(root, page), 'utf8')))
  const navigation = navigationOf(texts[pages.indexOf('docs/README.md')] ?? '')
  return new Map(
    pages.map((page, index) => {
      const text = texts[index] ?? ''
      const body = renderPage(text, (link) => targetOf(page, link, known, sourceUrl))
      return [fileOf(page), documentOf(titleOf(text), body, navigationHtml(navigation, page))]
    }),
  )
}

/** The path of a page in the site: a README is the index of its folder. */
function fileOf(page: string): string {
  return page.replace(/README\.md$/, 'index.html').replace(/\.md$/, '.html')
}

function titleOf(text: string): string {
  return /^# (.*)$/m.exec(text)?.[1] ?? 'Millrace'
}

/** Where a link of a page leads in the site; undefined for a source file of a repository that is published nowhere. */
function targetOf(page: string, link: string, known: ReadonlySet<string>, sourceUrl: string | undefined): string | undefined {
  if (link.startsWith('#') || /^[a-z]+:/.test(link)) return link
  const [path = '', anchor] = link.split('#')
  const target = join(dirname(page), path)
  if (known.has(target)) return `${relative(dirname(page), fileOf(target))}${anchor === undefined ? '' : `#${anchor}`}`
  return sourceUrl === undefined ? undefined : `${sourceUrl}/${target}`
}

function renderPage(text: string, targetOfLink: (link: string) => string | undefined): string {
  const counts = new Map<string, number>()
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ depth, tokens, text: heading }) {
        const anchor = anchorOf(heading)
        const count = counts.get(anchor) ?? 0
        counts.set(anchor, count + 1)
        const id = count === 0 ? anchor : `${anchor}-${count}`
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens)
        const target = targetOfLink(href)
        return target === undefined ? inner : `<a href="${escaped(target)}">${inner}</a>`
      },
      // Images stay in the repository, and HTML in a page is shown as it is written.
      image: ({ text: alternative }) => `<em>${escaped(alternative)}</em>`,
      html: ({ text: html }) => escaped(html),
    },
  })
  return marked.parse(text, { async: false })
}

interface Section {
  readonly title: string
  readonly links: readonly { readonly text: string; readonly page: string }[]
}

/** The sections of the index with the pages that they name. */
function navigationOf(index: string): readonly Section[] {
  return index
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      title: section.split('\n')[0] ?? '',
      links: [...section.matchAll(/\[([^\]]+)\]\(([\w.-]+\.md)\)/g)].map(([, text = '', page = '']) => ({ text, page: `docs/${page}` })),
    }))
}

function navigationHtml(sections: readonly Section[], from: string): string {
  const href = (page: string) => relative(dirname(from), fileOf(page)) || '.'
  const item = ({ text, page }: Section['links'][number]) =>
    `<li><a href="${href(page)}"${page === from ? ' aria-current="page"' : ''}>${escaped(text)}</a></li>`
  const lists = sections.map(({ title, links }) => `<h2>${escaped(title)}</h2><ul>${links.map(item).join('')}</ul>`)
  return `<p><a href="${href('docs/README.md')}">Millrace</a></p>${lists.join('')}`
}

function documentOf(title: string, body: string, navigation: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} · Millrace</title><style>${style}</style></head>
<body><nav aria-label="Documentation">${navigation}</nav><main>${body}</main></body></html>
`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
