import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FunctionManifest } from '@millrace/engine'
import * as z from 'zod'
import { readTemplate, type Template, type Translation } from './model.ts'

/** The templates that came with this release. */
const templatesDirectory = fileURLToPath(new URL('../../../templates/', import.meta.url))

export interface Templates {
  /** All of them, by id. */
  list(): Promise<readonly Template[]>
  find(id: string): Promise<Template | undefined>
}

/** The built-in templates, read on first use with the functions that they may call. */
export function createTemplates(functions: () => readonly FunctionManifest[], directory: string = templatesDirectory): Templates {
  let reading: Promise<ReadonlyMap<string, Template>> | undefined
  const all = () =>
    (reading ??= readTemplates(functions(), directory).catch((error: unknown) => {
      // The next request reads them again: a file may be unreadable for a moment.
      reading = undefined
      throw error
    }))
  return {
    list: async () => [...(await all()).values()],
    find: async (id) => (await all()).get(id),
  }
}

async function readTemplates(functions: readonly FunctionManifest[], directory: string): Promise<ReadonlyMap<string, Template>> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.yaml')).toSorted()
  const arabic = await readTitles(join(directory, 'ar.json'))
  const templates = await Promise.all(
    names.map(async (name) => {
      const id = name.slice(0, -'.yaml'.length)
      const ar = arabic.get(id)
      return readTemplate(id, await readFile(join(directory, name), 'utf8'), functions, ar === undefined ? {} : { ar })
    }),
  )
  return new Map(templates.map((template) => [template.id, template]))
}

/** Titles and summaries by id; none if the directory has no such file. */
async function readTitles(path: string): Promise<ReadonlyMap<string, Translation>> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '{}'
    throw error
  })
  const titles = z.record(z.string(), z.tuple([z.string(), z.string()])).parse(JSON.parse(text))
  return new Map(Object.entries(titles).map(([id, [title, summary]]) => [id, { title, summary }]))
}
