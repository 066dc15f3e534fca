import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Bytes that a page loads in a browser that has nothing yet, as they are sent: compressed by Brotli, fonts as they are. */
export interface PageSize {
  readonly script: number
  /** How many files these are. */
  readonly scripts: number
  readonly style: number
  /** Scripts of the workers. */
  readonly worker: number
}

interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}

const outside = ['index.html', 'src/app/start.tsx']
const inside = [...outside, 'src/app/routed.tsx', 'src/messages/en/index.ts', 'src/app/framed.tsx']

/** The modules that a page begins with, beyond which everything loads when it is needed. */
export const pages = {
  'sign-in': [...outside, 'src/pages/session/sign-in.tsx'],
  frame: inside,
  'list of workflows': [...inside, 'src/pages/workflows/workflows.tsx'],
  run: [...inside, 'src/pages/runs/run.tsx'],
  editor: [...inside, 'src/pages/workflows/workflow.tsx'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** The sizes of the pages of a built interface. */
export async function pageSizes(dist: string): Promise<Readonly<Record<keyof typeof pages, PageSize>>> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The build writes it.
  const manifest = JSON.parse(await readFile(join(dist, 'manifest.json'), 'utf8')) as Readonly<Record<string, Chunk>>
  const listed: unknown = JSON.parse(await readFile(join(dist, 'assets.json'), 'utf8'))
  const workers = (Array.isArray(listed) ? listed : []).filter((name: string) => /^worker-.*\.js$/.test(name))
  const sizeOf = async (files: readonly string[]) => {
    const sizes = await Promise.all(files.map(async (file) => (await stat(join(dist, `${file}.br`))).size))
    return sizes.reduce((sum, size) => sum + size, 0)
  }
  const worker = await sizeOf(workers.map((name: string) => `assets/${name}`))
  const sizes = Object.entries(pages).map(async ([name, begin]) => {
    const found = chunksOf(manifest, begin)
    const style = [...new Set(found.flatMap(({ css = [] }) => css))]
    const script = await sizeOf(found.map(({ file }) => file))
    return [name, { script, scripts: found.length, style: await sizeOf(style), worker: name === 'editor' ? worker : 0 }] as const
  })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Made of the same names.
  return Object.fromEntries(await Promise.all(sizes)) as Record<keyof typeof pages, PageSize>
}

/** The font of the interface in Latin letters, which every page loads. */
export async function fontSize(dist: string): Promise<number> {
  const name = (await readdir(join(dist, 'assets'))).find((one) => one.startsWith('ibm-plex-sans-latin-wght-normal'))
  return name === undefined ? 0 : (await stat(join(dist, 'assets', name))).size
}

function chunksOf(manifest: Readonly<Record<string, Chunk>>, begin: readonly string[]): readonly Chunk[] {
  const found = new Set<Chunk>()
  const visit = (name: string) => {
    const chunk = manifest[name]
    if (chunk === undefined) throw new Error(`the build has no chunk for ${name}`)
    if (found.has(chunk)) return
    found.add(chunk)
    chunk.imports?.forEach(visit)
  }
  begin.forEach(visit)
  return [...found]
}
