import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FunctionManifest } from '@millrace/engine'
import { readTemplate, type Template } from './model.ts'

/** The templates that came with this release. */
const templatesDirectory = fileURLToPath(new URL('../../../templates/', import.meta.url))

export interface Templates {
  /** All of them, by id. */
  list(): Promise<readonly Template[]>
  find(id: string): Promise<Template | undefined>
}

/** The built-in templates, read on first use; `functions` is the default catalog. */
export function createTemplates(functions: readonly FunctionManifest[], directory: string = templatesDirectory): Templates {
  let reading: Promise<ReadonlyMap<string, Template>> | undefined
  const all = () => (reading ??= readTemplates(functions, directory))
  return {
    list: async () => [...(await all()).values()],
    find: async (id) => (await all()).get(id),
  }
}

async function readTemplates(functions: readonly FunctionManifest[], directory: string): Promise<ReadonlyMap<string, Template>> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.yaml')).toSorted()
  const templates = await Promise.all(
    names.map(async (name) => readTemplate(name.slice(0, -'.yaml'.length), await readFile(join(directory, name), 'utf8'), functions)),
  )
  return new Map(templates.map((template) => [template.id, template]))
}
